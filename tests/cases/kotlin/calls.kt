class Calls : Base(1) {
    fun all() {
        plain()
        this.own(1, named = 2)
        super.inherited()
        super<Other>.view()
        a.b.c(x.y).d().e.f()
        a?.b()?.c { it }
        generic<String>(1) { 2 }
        make(1)(2)
        list[0].go()
        Thing(3).run()
        1 to 2
        object : Base(4) {}
        builder.apply { set(1) }.build()
    }
}
