func change(_ p: Point) {
    p.x = 1
    self.list[0] = 2
    grid[1][2] += 3
    names["a"] = nil
    a.b.c.append(4)
    table.removeValue(forKey: "k")
    center.addObserver("saved", block)
    let y = p.origin.y
}
