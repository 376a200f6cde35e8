/* What all parts share: memory of one file, strings, spans, maps and hashes.

   Memory is taken from an arena that is freed as a whole when a file is done. Where memory runs out or a callback
   raises, `fail` leaves the extraction; nothing has to be freed on the way. */

#ifndef BIRTHMARK_BASE_H
#define BIRTHMARK_BASE_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct {
    ArenaBlock *blocks;
    char *at, *end;
    jmp_buf failure; /* where `fail` goes to; a Python error is set then */
} Arena;

void *arena_take(Arena *arena, size_t size);
void arena_free(Arena *arena);
_Noreturn void fail(Arena *arena);
_Noreturn void fail_memory(Arena *arena);

/* A growing array of any type: LIST(Span) spans; *PUSH(arena, spans) = span; */
#define LIST(type)                                                                                                     \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        uint32_t count, size;                                                                                          \
    }
#define PUSH(arena, list)                                                                                              \
    (((list).count == (list).size                                                                                      \
          ? (void)((list).items = list_grow(arena, (list).items, &(list).size, sizeof *(list).items))                  \
          : (void)0),                                                                                                  \
     &(list).items[(list).count++])
void *list_grow(Arena *arena, void *items, uint32_t *size, size_t item_size);

typedef struct {
    uint32_t start, end;
} Span;

#define NO_SPAN ((Span){UINT32_MAX, 0})
static inline bool has_span(Span span) { return span.start != UINT32_MAX; }
static inline bool same_span(Span a, Span b) { return a.start == b.start && a.end == b.end; }

/* Text that is not owned: of the source, the arena or the module. */
typedef struct {
    const char *at;
    uint32_t length;
} Text;

#define TEXT(literal) ((Text){literal, sizeof(literal) - 1})
#define EMPTY TEXT("")
static inline bool same_text(Text a, Text b) { return a.length == b.length && memcmp(a.at, b.at, a.length) == 0; }
static inline bool has_text(Text text) { return text.at != NULL; }
#define NO_TEXT ((Text){NULL, 0})
bool is_ascii(Text text);
Text copy_text(Arena *arena, Text text);
Text copy_str(Arena *arena, PyObject *text); /* fails if it is NULL or no str */
Text join_texts(Arena *arena, const Text *texts, size_t count);
#define JOIN(arena, ...)                                                                                               \
    join_texts(arena, (Text[]){__VA_ARGS__}, sizeof((Text[]){__VA_ARGS__}) / sizeof(Text))
bool holds(Text characters, char c); /* unlike strchr, false for NUL unless it is among them */
Text strip_left(Text text, Text characters);
Text strip_right(Text text, Text characters);
Text strip_spaces(Text text);  /* as str.strip() does with ASCII */
Text strip_blanks(Text text);  /* as bytes.strip() does */
Text collapse_spaces(Arena *arena, Text text); /* " ".join(text.split()) of ASCII */
static inline bool is_space(unsigned char c) { return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31); }
static inline bool is_blank(unsigned char c) { return c == ' ' || (c >= 9 && c <= 13); }
static inline bool is_letter(unsigned char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static inline bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
static inline bool is_word(unsigned char c) { return is_letter(c) || is_digit(c) || c == '_'; }
int find_last(Text text, char c); /* -1 if it is not there */
bool starts_with(Text text, Text start);

/* A map of pairs of numbers to numbers. */
typedef struct {
    uint64_t a, b;
    int32_t value;
    bool is_used;
} MapEntry;
typedef struct {
    MapEntry *entries;
    uint32_t count, size;
} Map;
/* Where a key's value is, `missing` for a new key. */
int32_t *map_at(Arena *arena, Map *map, uint64_t a, uint64_t b, int32_t missing);
bool map_get(const Map *map, uint64_t a, uint64_t b, int32_t *value);

/* Texts with numbers: equal texts have equal ones. */
typedef struct {
    LIST(Text) texts;
    uint32_t *slots;
    uint32_t size;
} Names;
uint32_t number_of(Arena *arena, Names *names, Text text);
bool find_number(const Names *names, Text text, uint32_t *number);

/* Hashes, as hexadecimal digits in lower case where texts are filled. */
uint64_t xxh64(const void *data, size_t length, uint64_t seed);
uint32_t xxh32(const void *data, size_t length, uint32_t seed);
uint32_t crc32_of(Text text);
uint32_t fnv1a(const char *text, size_t length);
void hex_digits(uint64_t number, int digits, char *into);
typedef struct {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
    size_t filled;
} Sha256;
void sha256_start(Sha256 *sha);
void sha256_add(Sha256 *sha, const void *data, size_t length);
uint64_t sha256_first8(Sha256 *sha); /* the first eight bytes, as a number */

/* MessagePack, each number in its shortest form. */
typedef struct {
    Arena *arena;
    LIST(char) bytes;
} Packer;
void pack_nil(Packer *packer);
void pack_int(Packer *packer, int64_t value);
void pack_array(Packer *packer, uint32_t count);
void pack_text(Packer *packer, Text text); /* nil for NO_TEXT */
void pack_bytes(Packer *packer, const Packer *packed);
void append_packed(Packer *packer, const Packer *packed, uint32_t from); /* without a head */
void pack_span(Packer *packer, Span span);

#endif
