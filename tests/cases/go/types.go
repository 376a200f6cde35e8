package p

type ID int

type Alias = map[string]ID

type Handler func(w int) error

type Pair[A, B any] struct {
	left A
	right B
}

type (
	One string
	// Two is documented.
	Two chan<- int
)
