class Sums {
    int sum(int a, int b) { return a + b; }
    double sum(double a, double b) { return a + b; }
    int sum(int... all) { return 0; }
    static <T extends Number> T sum(T a) { return a; }
    Sums() {}
    Sums(int start) { this(); }
}
