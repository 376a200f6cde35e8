package p

func f() {
	a[0] = 1
	a.b[i] += 2
	a.b = 3
	a.b.c, d[1] = 4, 5
	a.n++
	a[1]--
	s = append(s, 1)
	copy(dst, src)
	delete(m, key)
	header.Set("a", "b")
	use(a.b.c, x.y)
	http.HandleFunc("/ships", serve)
}
