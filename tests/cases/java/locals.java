class Locals {
    void scopes(Locals this, List<String> list, final int k) {
        int a = 1, b;
        final var c = a;
        for (int i = 0, j = 9; i < j; i++) { int inFor = i; }
        for (;;) break;
        for (final String s : list) use(s);
        while (a > 0) a--;
        do { a++; } while (a < 3);
        if (a == 1) b = 2; else if (a == 2) b = 3; else return;
        switch (k) {
            case 1:
            case 2: int inCase = 4; break;
            default: b = 5;
        }
        try (Reader r = open(); this.other) {
            read(r);
        } catch (IOException | RuntimeException e) {
            throw e;
        } finally {
            done();
        }
        synchronized (list) { assert a > 0 : "positive"; }
        outer: while (true) { continue outer; }
    }
}
