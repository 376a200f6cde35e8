package p

// add documents itself.
func add(a, b int) int { return a + b }

func assembled(n uint64) uint64

func named() (total int, err error) {
	return
}

func Map[T, U any](in []T, f func(T) U) []U {
	return nil
}
