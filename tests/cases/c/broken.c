int before(void) { return 1; }
int broken(void) { return x +; }
struct unclosed { int kept; int lost = };
/* Ends in a macro, which is not C to a parser. */
extern int hidden(int a) NOTHROW NONNULL((1));
extern int last(int b);
int after(void) { return 2; }
