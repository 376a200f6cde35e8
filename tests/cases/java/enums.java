/** Compass points. */
public enum Point implements Turn {
    /** Up. */
    NORTH(0, 1),
    @Cold SOUTH(0, -1) {
        int half = 2;
        @Override public Point turn() { return NORTH; }
    },
    EAST;

    private static final Map<String, Point> ALL = new HashMap<>();
    static { for (Point p : values()) ALL.put(p.name(), p); }
    { init(); }
    final int x, y;

    Point(int x, int y) { this.x = x; this.y = y; }
    Point() { this(1, 0); }

    public Point turn() { return EAST; }

    enum Nested { A }
}

enum Empty {}
