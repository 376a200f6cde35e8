class Calls extends Base[Int](1) {
  def all() = {
    plain()
    this.own(1, named = 2)
    super.inherited()
    a.b.c(x.y).d().e.f()
    curried(1)(2) { 3 }
    generic[String](1)
    list.map { x => x }.head
    new Thing(3).run()
    new a.b.Other
    new Typed[Int](4)
    Thing(5)
    1 to 2
    xs foreach println
  }
}
