/* A ring buffer of samples with a table of filters. */
#include <stdio.h>
#include <stdlib.h>
#include "ring.h"

#define RING_SIZE 64
#define CLAMP(value, low, high) \
	((value) < (low) ? (low) : (value) > (high) ? (high) : (value))
#define GREETING "ring  buffer" /* two blanks count */
#define EMPTY

/* One measured value. */
typedef struct {
	long when;
	double value;
	unsigned valid : 1;
} sample_t;

/* How full the ring is. */
typedef enum { RING_EMPTY, RING_PARTIAL = 5, RING_FULL } fill_t;

struct ring {
	sample_t items[RING_SIZE];
	size_t head, *tail;
	union {
		int fd;
		void *handle;
	};
	struct {
		int hits;
		int misses;
	} stats;
	double (*filter)(double value, void *context);
	struct ring *next;
};

typedef double (*filter_fn)(double value, void *context);
typedef struct ring ring_t, *ring_ptr;
typedef unsigned char byte_t;

/* Shared by all rings. */
static const char *const names[] = {"low", "high"};
const double limit = 3.5;
extern int verbose;
static ring_t *first, *last = NULL;
static double (*filters[2])(double, void *) = {NULL, NULL};

/* Makes a ring. */
ring_t *ring_new(size_t size, const char *label);
static inline int ring_push(ring_t *self, double value, ...);

#ifdef _WIN32
static void ring_lock(void) { EnterCriticalSection(&section); }
#elif defined(__APPLE__)
static void ring_lock(void) { os_unfair_lock_lock(&lock); }
#else
/* The plain way. */
static void ring_lock(void) { pthread_mutex_lock(&mutex); }
#endif

static double smooth(double value, void *context)
{
	double *state = context;
	*state = 0.9 * *state + 0.1 * value;
	return *state;
}

ring_t *ring_new(size_t size, const char *label)
{
	const size_t bytes = size * sizeof(sample_t);
	ring_t *self = malloc(sizeof *self);
	if (!self) {
		fprintf(stderr, "%s: no room for %zu\n", label, bytes);
		return NULL;
	} else {
		memset(self, 0, sizeof *self);
	}
	self->filter = smooth;
	self->stats.hits = 0;
	for (int i = 0, n = (int)size; i < n; i++) {
		self->items[i].value = limit;
		counters[i]++;
	}
	return self;
}

static inline int ring_push(ring_t *self, double value, ...)
{
	struct local {
		int depth;
	} frame = {0};
	switch (ring_fill(self)) {
	case RING_FULL:
		self->stats.misses++;
		break;
	default:
		do {
			value = self->filter(value, &frame);
		} while (value > limit);
	}
	while (self->next)
		self = self->next;
	if (callbacks[0])
		(*callbacks[0])(value);
	signal(SIGINT, on_interrupt);
	return CLAMP(frame.depth, 0, 9);
}

__attribute__((noreturn)) static void (*choose(int kind))(int)
{
	goto done;
done:
	exit(kind);
}
