class Accesses {
    int f;
    void m(Accesses o, int[] xs, int[][] grid) {
        this.f = 1;
        o.next.f += o.other.f;
        o.f++;
        --o.next.f;
        xs[0] = xs.length;
        grid[1][2] *= 3;
        xs[f]--;
        o.get().f = 4;
        Accesses.this.f = 5;
        use(Accesses.this, Kind.ONE, Accesses.class, java.lang.Integer.MAX_VALUE);
        list.add(1);
        map.put("k", o.f);
        if (o.f == 1) { use(o.f); }
    }
    @Named(Kind.NAME) int g = Kind.START;
}
