#if defined(A)
int both(void) { return 1; }
#else
int both(void) { return 2; }
#endif
#ifndef B
#define B 1
#endif
void outer(void) {
#ifdef C
	int inside = 1;
#endif
}
