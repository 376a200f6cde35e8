fun accesses(o: Thing, xs: IntArray) {
    o.next.f = o.other.f
    o.f += 1
    o.f++
    xs[0] = xs.size
    xs[1] += 2
    --xs[2]
    ++o.f
    o?.next!!.f = 3
    use(Kind.ONE, Thing::class.java, o::call, ::top)
    list.add(1)
    map.put("k", o.f)
    this.g = 4
    o.get().f = 5
    val text = "size ${o.size}  and  $k"
}
