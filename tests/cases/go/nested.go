package p

func outer() {
	type local struct {
		field int
	}
	type alias = int
	inner := func() {
		type deepest interface {
			Do()
		}
		again := func() {}
	}
}
