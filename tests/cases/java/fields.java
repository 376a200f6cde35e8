class Fields {
    int a = 1, b, c[] = {1, 2};
    /** Only one. */
    @Inject private volatile String name;
    Runnable job = () -> {
        int local = 1;
        run(local);
    };
    Function<Integer, Function<Integer, Integer>> add = x -> y -> x + y;
    // first
    // second
    String text = """
        two  blanks
        """;
    char quote = '"';

    // no documentation: a blank line follows

    int plain; // behind code
    int next;
}
