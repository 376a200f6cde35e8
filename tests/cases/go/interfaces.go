package p

type Reader interface {
	io.Closer
	Other
	Source[int]
	// Read is documented.
	Read(p []byte) (n int, err error)
	Skip(int, ...string)
}

type Number interface {
	~int | ~float64
}

type Empty interface{}
