package p

func before() int { return 1 }

func broken( {
	x :=
}

type After struct {
	field int
}

func after() { before() }
