object Accesses {
  def all(o: Thing, xs: Array[Int]): Unit = {
    o.next.f = o.other.f
    o.f += 1
    xs(0) = xs.length
    o.rows(1) = 2
    this.g = 3
    o.get().f = 4
    use(Kind.One, super.h)
    buffer.append(1)
    map.put("k", o.f)
    val text = s"size ${o.size}  and  $k"
    if (o.f == o.g) ()
  }
}
