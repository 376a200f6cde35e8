class Patterns {
    int of(Object o) {
        if (o instanceof String s && s.length() > 1) return s.length();
        if (!(o instanceof Point(int x, Size(var w, _)))) return 0;
        return switch (o) {
            case null -> -1;
            case Integer i when i > 3 -> i;
            case Point(int px, var size) -> { yield px; }
            case A, B -> 4;
            default -> throw new IllegalStateException();
        };
    }
    void unnamed() { each((_, b) -> b); each((int _, int c) -> c); }
}
