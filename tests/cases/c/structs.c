struct plain { int a, *b, c[2]; unsigned bits : 3; };
struct outer {
	struct inner { int deep; } named;
	struct { int loose; } unnamed;
	union { int shared; };
	int (*method)(struct outer *self);
};
struct pair { int left; } global, *pointer;
static struct { int port; } config = { .port = 80 };
struct forward;
static const struct option { int flag; } options[] = { {1}, {2} };
