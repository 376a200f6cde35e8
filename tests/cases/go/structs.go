package p

// Point is documented.
type Point struct {
	// X is a coordinate.
	X, Y int `json:"x"`
	Base
	*pkg.Other
	List[int]
	inner struct {
		deep bool
	}
	call func(a int) error
}

var table = []struct{ name string }{{"a"}}
