int a, *b = 0, c[2] = {1, 2};
const int limit = 3;
int const late = 4;
static char *const names[] = {"x"};
extern double (*table[4])(double);
int (*rows)[3];
void f(void) {
	int x = 1, *y;
	const int z = 2;
	static int calls;
}
