package p

type T struct{}

type G[K any] struct{}

// Pointer has a pointer receiver.
func (t *T) Pointer() {}

func (t T) Value() {}

func (T) Unnamed() {}

func (g *G[K]) Generic() {}

func (g G[K]) GenericValue() {}
