package p

func f(ch chan int, v any) {
	if a := get(); a > 1 {
	} else if a < 0 {
	} else {
	}
	for i := 0; i < 3; i++ {
	}
	for key, value := range m {
	}
	for key = range m {
	}
	for {
	}
	switch x := get(); x {
	case 1, 2:
	default:
	}
	switch t := v.(type) {
	case int:
		use(t)
	}
	select {
	case got, ok := <-ch:
	case ch <- 1:
	default:
	}
	{
		inner := 1
	}
}
