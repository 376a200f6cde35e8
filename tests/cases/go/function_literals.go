package p

var handler = func(a int) int { return a }

var server = http.Server{
	ErrorLog: nil,
	ConnState: func(c net.Conn) { log(c) },
}

var table = map[string]func(){
	"start": func() { begin() },
}

func f() {
	local := func(x int) {}
	var declared = func() {}
	var walk func(n int)
	walk = func(n int) { walk(n - 1) }
	server.Handler = func() { serve() }
	go func(id int) {
		work(id)
	}(1)
	each(func(v string) { show(v) })
}
