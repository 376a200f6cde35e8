package p

// Answer is documented.
const Answer = 42

const a, b, c = 1, 2, 3

const (
	First = iota
	// Second is documented.
	Second
	_
	x, y int = 5, 6 // trailing
)

func f() {
	const local = 1
	const (
		m, n = 2, 3
	)
}
