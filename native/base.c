#include "base.h"
#include <stdlib.h>

/* Memory */

struct ArenaBlock {
    ArenaBlock *next;
    max_align_t data[];
};

enum { BLOCK = 1 << 18, ALIGNMENT = 16 };

void *arena_take(Arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) fail_memory(arena);
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if ((size_t)(arena->end - arena->at) < size) {
        size_t taken = size > BLOCK ? size : BLOCK;
        ArenaBlock *block = malloc(sizeof(ArenaBlock) + taken);
        if (block == NULL) fail_memory(arena);
        block->next = arena->blocks;
        arena->blocks = block;
        arena->at = (char *)block->data;
        arena->end = arena->at + taken;
    }
    void *found = arena->at;
    arena->at += size;
    return found;
}

void arena_free(Arena *arena) {
    while (arena->blocks != NULL) {
        ArenaBlock *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

void fail(Arena *arena) { longjmp(arena->failure, 1); }

void fail_memory(Arena *arena) {
    PyErr_NoMemory();
    fail(arena);
}

void *list_grow(Arena *arena, void *items, uint32_t *size, size_t item_size) {
    uint32_t wanted = *size ? *size * 2 : 16;
    if (wanted <= *size) fail_memory(arena);
    void *grown = arena_take(arena, wanted * item_size);
    if (*size) memcpy(grown, items, *size * item_size);
    *size = wanted;
    return grown;
}

/* Texts */

bool is_ascii(Text text) {
    uint32_t at = 0;
    for (; at + 8 <= text.length; at += 8) {
        uint64_t word;
        memcpy(&word, text.at + at, 8);
        if (word & UINT64_C(0x8080808080808080)) return false;
    }
    for (; at < text.length; at++)
        if ((unsigned char)text.at[at] >= 0x80) return false;
    return true;
}

Text copy_text(Arena *arena, Text text) {
    char *copy = arena_take(arena, text.length + 1);
    memcpy(copy, text.at, text.length);
    return (Text){copy, text.length};
}

Text copy_str(Arena *arena, PyObject *text) {
    Py_ssize_t length;
    const char *at = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, &length);
    if (at == NULL) fail(arena);
    if (length > UINT32_MAX / 2) fail_memory(arena);
    return copy_text(arena, (Text){at, (uint32_t)length});
}

Text join_texts(Arena *arena, const Text *texts, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += texts[i].length;
    if (length > UINT32_MAX / 2) fail_memory(arena);
    char *joined = arena_take(arena, length + 1), *at = joined;
    for (size_t i = 0; i < count; i++) {
        memcpy(at, texts[i].at, texts[i].length);
        at += texts[i].length;
    }
    return (Text){joined, (uint32_t)length};
}

bool holds(Text characters, char c) { return memchr(characters.at, c, characters.length) != NULL; }

Text strip_left(Text text, Text characters) {
    while (text.length && characters.length && holds(characters, *text.at)) text.at++, text.length--;
    return text;
}

Text strip_right(Text text, Text characters) {
    while (text.length && characters.length && holds(characters, text.at[text.length - 1])) text.length--;
    return text;
}

Text strip_spaces(Text text) {
    while (text.length && is_space((unsigned char)*text.at)) text.at++, text.length--;
    while (text.length && is_space((unsigned char)text.at[text.length - 1])) text.length--;
    return text;
}

Text strip_blanks(Text text) {
    while (text.length && is_blank((unsigned char)*text.at)) text.at++, text.length--;
    while (text.length && is_blank((unsigned char)text.at[text.length - 1])) text.length--;
    return text;
}

Text collapse_spaces(Arena *arena, Text text) {
    text = strip_spaces(text);
    char *copy = arena_take(arena, text.length + 1), *at = copy;
    for (uint32_t i = 0; i < text.length; i++) {
        if (!is_space((unsigned char)text.at[i]))
            *at++ = text.at[i];
        else if (!is_space((unsigned char)text.at[i - 1]))
            *at++ = ' ';
    }
    return (Text){copy, (uint32_t)(at - copy)};
}

int find_last(Text text, char c) {
    for (int at = (int)text.length - 1; at >= 0; at--)
        if (text.at[at] == c) return at;
    return -1;
}

bool starts_with(Text text, Text start) {
    return text.length >= start.length && memcmp(text.at, start.at, start.length) == 0;
}

/* Maps */

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t hash = a * UINT64_C(0x9E3779B97F4A7C15) ^ (b + UINT64_C(0x632BE59BD9B4E019)) * UINT64_C(0xC2B2AE3D27D4EB4F);
    hash ^= hash >> 29;
    hash *= UINT64_C(0xBF58476D1CE4E5B9);
    return hash ^ hash >> 32;
}

static MapEntry *map_slot(const Map *map, uint64_t a, uint64_t b) {
    uint32_t mask = map->size - 1, at = (uint32_t)mix(a, b) & mask;
    while (map->entries[at].is_used && (map->entries[at].a != a || map->entries[at].b != b)) at = (at + 1) & mask;
    return &map->entries[at];
}

static void map_grow(Arena *arena, Map *map) {
    Map grown = {NULL, map->count, map->size ? map->size * 2 : 32};
    grown.entries = arena_take(arena, grown.size * sizeof(MapEntry));
    memset(grown.entries, 0, grown.size * sizeof(MapEntry));
    for (uint32_t i = 0; i < map->size; i++)
        if (map->entries[i].is_used) *map_slot(&grown, map->entries[i].a, map->entries[i].b) = map->entries[i];
    *map = grown;
}

int32_t *map_at(Arena *arena, Map *map, uint64_t a, uint64_t b, int32_t missing) {
    if (map->count * 2 >= map->size) map_grow(arena, map);
    MapEntry *entry = map_slot(map, a, b);
    if (!entry->is_used) {
        *entry = (MapEntry){a, b, missing, true};
        map->count++;
    }
    return &entry->value;
}

bool map_get(const Map *map, uint64_t a, uint64_t b, int32_t *value) {
    if (!map->size) return false;
    const MapEntry *entry = map_slot(map, a, b);
    if (entry->is_used) *value = entry->value;
    return entry->is_used;
}

static uint32_t *name_slot(const Names *names, Text text) {
    uint32_t mask = names->size - 1, at = (uint32_t)xxh64(text.at, text.length, 0) & mask;
    while (names->slots[at] && !same_text(names->texts.items[names->slots[at] - 1], text)) at = (at + 1) & mask;
    return &names->slots[at];
}

uint32_t number_of(Arena *arena, Names *names, Text text) {
    if (names->texts.count * 2 >= names->size) {
        names->size = names->size ? names->size * 2 : 256;
        names->slots = arena_take(arena, names->size * sizeof(uint32_t));
        memset(names->slots, 0, names->size * sizeof(uint32_t));
        for (uint32_t i = 0; i < names->texts.count; i++) *name_slot(names, names->texts.items[i]) = i + 1;
    }
    uint32_t *slot = name_slot(names, text);
    if (!*slot) {
        *PUSH(arena, names->texts) = text;
        *slot = names->texts.count;
    }
    return *slot - 1;
}

bool find_number(const Names *names, Text text, uint32_t *number) {
    if (!names->size) return false;
    uint32_t slot = *name_slot(names, text);
    if (slot) *number = slot - 1;
    return slot != 0;
}

/* MessagePack */

static void put(Packer *packer, const void *data, uint32_t length) {
    while (packer->bytes.size - packer->bytes.count < length)
        packer->bytes.items = list_grow(packer->arena, packer->bytes.items, &packer->bytes.size, 1);
    if (length) memcpy(packer->bytes.items + packer->bytes.count, data, length);
    packer->bytes.count += length;
}

static void put_number(Packer *packer, unsigned char code, uint64_t value, int width) {
    unsigned char bytes[9] = {code};
    for (int i = 0; i < width; i++) bytes[width - i] = (unsigned char)(value >> (8 * i));
    put(packer, bytes, (uint32_t)width + 1);
}

void pack_nil(Packer *packer) { put(packer, "\xc0", 1); }

void pack_int(Packer *packer, int64_t value) {
    if (value >= 0) {
        if (value < 0x80) put_number(packer, (unsigned char)value, 0, 0);
        else if (value <= 0xFF) put_number(packer, 0xcc, (uint64_t)value, 1);
        else if (value <= 0xFFFF) put_number(packer, 0xcd, (uint64_t)value, 2);
        else if (value <= UINT32_MAX) put_number(packer, 0xce, (uint64_t)value, 4);
        else put_number(packer, 0xcf, (uint64_t)value, 8);
    } else if (value >= -32) {
        put_number(packer, (unsigned char)value, 0, 0);
    } else if (value >= INT8_MIN) {
        put_number(packer, 0xd0, (uint64_t)value, 1);
    } else if (value >= INT16_MIN) {
        put_number(packer, 0xd1, (uint64_t)value, 2);
    } else if (value >= INT32_MIN) {
        put_number(packer, 0xd2, (uint64_t)value, 4);
    } else {
        put_number(packer, 0xd3, (uint64_t)value, 8);
    }
}

void pack_array(Packer *packer, uint32_t count) {
    if (count < 16) put_number(packer, (unsigned char)(0x90 | count), 0, 0);
    else if (count <= 0xFFFF) put_number(packer, 0xdc, count, 2);
    else put_number(packer, 0xdd, count, 4);
}

void pack_text(Packer *packer, Text text) {
    if (!has_text(text)) {
        pack_nil(packer);
        return;
    }
    if (text.length < 32) put_number(packer, (unsigned char)(0xa0 | text.length), 0, 0);
    else if (text.length <= 0xFF) put_number(packer, 0xd9, text.length, 1);
    else if (text.length <= 0xFFFF) put_number(packer, 0xda, text.length, 2);
    else put_number(packer, 0xdb, text.length, 4);
    put(packer, text.at, text.length);
}

void pack_bytes(Packer *packer, const Packer *packed) {
    uint32_t length = packed->bytes.count;
    if (length <= 0xFF) put_number(packer, 0xc4, length, 1);
    else if (length <= 0xFFFF) put_number(packer, 0xc5, length, 2);
    else put_number(packer, 0xc6, length, 4);
    put(packer, packed->bytes.items, length);
}

void append_packed(Packer *packer, const Packer *packed, uint32_t from) {
    put(packer, packed->bytes.items + from, packed->bytes.count - from);
}

void pack_span(Packer *packer, Span span) {
    if (!has_span(span)) {
        pack_nil(packer);
        return;
    }
    pack_array(packer, 2);
    pack_int(packer, span.start);
    pack_int(packer, span.end);
}
