record Range(int low, @NonNull Integer high, String... notes) implements Comparable<Range>, Serializable {
    static int made = 0;

    /** Checks the order. */
    Range {
        if (low > high) throw new IllegalArgumentException("order");
    }

    Range(int only) { this(only, only); }

    int size() { return high() - low; }

    @Override public int low() { return low; }
}

record Box<T>(
    /** What is in it. */
    T content) {}
