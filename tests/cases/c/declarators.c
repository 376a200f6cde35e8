int one, *two,
	three(int a), (*four)(int b);
static const struct { int key; } table[] = {{1}};
static void *(*allocate)(unsigned long size) = 0;
struct holder {
	int first,
		second;
	union { long wide; char narrow; };
};
void f(void) {
	struct { char *name; int n; } local[] = {{0, 1}};
}
