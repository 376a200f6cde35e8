/* The memory of tree-sitter's runtime while a file is extracted: taken from blocks, given back as a whole at the end.

   What is freed before is taken again by the next of its size. Each piece has a head with its size; what was taken
   outside of an extraction, as a compiled query, is the system's and is told apart by its head.

   Every extraction has a pool of its own. The runtime takes from the one that is in use; none is while Python code runs,
   which may make languages, extract other sources or let other threads do so. */

#include "file.h"
#include <stdio.h>
#include <stdlib.h>

enum { HEAD = 16, SMALLEST = 32, N_SIZES = 48, BLOCK_SIZE = 1 << 20, MOST_KEPT = 4, OF_THE_SYSTEM = 255 };

typedef struct Block Block;
struct Block {
    Block *next;
    size_t size;
};

typedef struct FreePiece FreePiece;
struct FreePiece {
    FreePiece *next;
};

struct Pool {
    Block *blocks;
    char *at, *end;
    FreePiece *free[N_SIZES];
};

static Pool *pool;   /* in use */
static Block *spare; /* some blocks are kept for the next file: to get their memory anew takes longer */

/* 32, 48, 64, 96, 128, ... */
static size_t size_of(unsigned number) {
    size_t whole = (size_t)SMALLEST << number / 2;
    return number % 2 ? whole + whole / 2 : whole;
}

static unsigned number_for(size_t size) {
    if (size <= SMALLEST) return 0;
    if (size > size_of(N_SIZES - 1)) return N_SIZES;
    unsigned bits = 63 - (unsigned)__builtin_clzll((unsigned long long)size - 1); /* size - 1 has so many and one more */
    unsigned number = 2 * (bits - 5);
    return size_of(number + 1) < size ? number + 2 : number + 1;
}

static _Noreturn void out_of_memory(void) {
    fprintf(stderr, "birthmark: no memory is left to parse\n");
    abort(); /* The runtime cannot go on without; the worker is started again. */
}

/* Take from another block from now on, one that was kept if it is large enough. */
static void open_block(size_t length) {
    Block *block = length == BLOCK_SIZE ? spare : NULL;
    if (block != NULL) spare = block->next;
    else block = malloc(HEAD + length);
    if (block == NULL) out_of_memory();
    *block = (Block){pool->blocks, length};
    pool->blocks = block;
    pool->at = (char *)block + HEAD;
    pool->end = pool->at + length;
}

static void *take_from_pool(size_t size) {
    unsigned number = number_for(size + HEAD);
    if (number == N_SIZES) out_of_memory();
    size_t taken = size_of(number);
    char *head = (char *)pool->free[number];
    if (head != NULL) {
        pool->free[number] = pool->free[number]->next;
    } else {
        if ((size_t)(pool->end - pool->at) < taken) {
            open_block(taken > BLOCK_SIZE ? taken : BLOCK_SIZE);
        }
        head = pool->at;
        pool->at += taken;
    }
    head[0] = (char)number;
    return head + HEAD;
}

static void *take(size_t size) {
    if (pool != NULL) return take_from_pool(size);
    char *head = malloc(size + HEAD);
    if (head == NULL) out_of_memory();
    head[0] = (char)OF_THE_SYSTEM;
    return head + HEAD;
}

static void *take_zeros(size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) out_of_memory();
    void *found = take(count * size);
    memset(found, 0, count * size);
    return found;
}

static void give_back(void *piece) {
    if (piece == NULL) return;
    char *head = (char *)piece - HEAD;
    unsigned char number = (unsigned char)head[0];
    if (number == OF_THE_SYSTEM) {
        free(head);
        return;
    }
    if (pool == NULL) return;
    FreePiece *freed = (FreePiece *)head;
    freed->next = pool->free[number];
    pool->free[number] = freed;
}

static void *take_more(void *piece, size_t size) {
    if (piece == NULL) return take(size);
    char *head = (char *)piece - HEAD;
    unsigned char number = (unsigned char)head[0];
    if (number == OF_THE_SYSTEM) {
        head = realloc(head, size + HEAD);
        if (head == NULL) out_of_memory();
        return head + HEAD;
    }
    size_t known = size_of(number) - HEAD;
    if (size <= known) return piece;
    void *found = take(size);
    memcpy(found, piece, known);
    give_back(piece);
    return found;
}

void use_pool(void) { ts_set_allocator(take, take_zeros, take_more, give_back); }

Pool *open_pool(void) {
    if (pool != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "another source is being extracted, and calls no Python code now");
        return NULL;
    }
    pool = calloc(1, sizeof(Pool));
    if (pool == NULL) PyErr_NoMemory();
    return pool;
}

void enter_pool(Pool *own) { pool = own; }

void leave_pool(void) { pool = NULL; }

void close_pool(Pool *own) {
    leave_pool();
    unsigned n_spare = 0;
    for (Block *block = spare; block != NULL; block = block->next) n_spare++;
    while (own->blocks != NULL) {
        Block *block = own->blocks;
        own->blocks = block->next;
        if (block->size != BLOCK_SIZE || n_spare == MOST_KEPT) {
            free(block);
        } else {
            block->next = spare;
            spare = block;
            n_spare++;
        }
    }
    free(own);
}
