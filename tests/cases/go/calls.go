package p

func f() {
	plain(1)
	a.b.method(2)
	chain().next().last()
	generic[int](3)
	pkg.generic[int](4)
	generic[int, string](5, 6)
	_ = Point{X: 1}
	_ = &pkg.Point{}
	_ = Pair[int]{}
	_ = []byte("text")
	_ = (*T)(nil)
	func() {}()
	table["key"]()
}
