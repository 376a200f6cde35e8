package p

var single = 1

var left, right string

var (
	// grouped is documented.
	grouped map[string]int
	other   = compute()
)

var _ fmt.Stringer = (*T)(nil)

func f() {
	var local, second int
	var third = 3
	fourth, _ := pair()
	_, fifth := pair()
}
