//go:build linux

package p

/*
Block documents limit.
*/
const limit = 1

func init() { setup() }

func init() {
	if debug {
		var level = 2
	}
}
