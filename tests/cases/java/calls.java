class Calls extends Base {
    Calls() { super(1); }
    Calls(int x) { this(); }

    void all(Outer o, int[] xs) {
        plain();
        this.own(1, 2);
        super.inherited();
        Calls.super.view();
        a.b.c(x.y).d().e.f();
        Collections.<String>emptyList();
        xs[0].go();
        ((Base) o).cast();
        new Calls(3).all(null, null);
        new a.b.Thing<String>(x);
        o.new Inner(2);
        new int[3];
        Supplier<Calls> s = Calls::new;
        map.forEach(this::own);
        list.stream().map(v -> v.name).filter((final var v) -> v != null).toList();
        run((a, b) -> { return a; }, () -> {}, (int p, String... q) -> p);
        button.addActionListener(e -> close());
        bus.subscribe("moored", this::moored);
    }
}
