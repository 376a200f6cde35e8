#define ANSWER 42
#define FLAG
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOG(format, ...) fprintf(stderr, format, __VA_ARGS__)
#define BLOCK(x) do { \
	use(x);           \
} while (0)
int use_them(void) { LOG("%d", MAX(ANSWER, 1)); return ANSWER; }
