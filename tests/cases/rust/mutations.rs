fn f() {
    a[0] = 1;
    a.b[1] += 2;
    a.b = 3;
    self.count += 1;
    self.items.push(4);
    map.insert(1, 2);
    use_it(a.b.c, pair.0);
}
