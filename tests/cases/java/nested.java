class Outer {
    class Inner {
        class Deep {
            void dive() {
                class Local {
                    int x;
                    void local() {}
                }
                record Pair(int a, int b) {}
                enum Side { LEFT }
                interface Shape { int area(); }
            }
        }
    }
    static class Nested {}
}

interface Holder {
    class Held {}
    enum Kind { ONE }
}
