/* Tile a source with chunks and give them uids: entities/chunks.py and identity/uids.py. */

#include "file.h"
#include <stdlib.h>

enum { CONTEXT_CHARACTERS = 128, ESCALATION_CHARACTERS = 1024 };

static bool is_open(Kind kind) { return is_class_like(kind) || kind == K_MOD || kind == K_NAMESPACE; }

static bool is_whole(Kind kind) {
    return is_function_like(kind) || kind == K_TYPEDEF || kind == K_MACRO || kind == K_TABLE || kind == K_VIEW;
}

static bool is_flat(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

static bool is_flat_between(const File *file, uint32_t start, uint32_t end) {
    while (start < end && is_flat(file->source.at[start])) start++;
    return start >= end;
}

/* Behind the rest of a line that has nothing more than a separator; the same place otherwise. */
static uint32_t line_end(const File *file, uint32_t at) {
    const char *source = file->source.at;
    uint32_t length = file->source.length, end = at;
    while (end < length && (source[end] == ' ' || source[end] == '\t')) end++;
    if (end < length && (source[end] == ';' || source[end] == ',')) end++;
    while (end < length && (source[end] == ' ' || source[end] == '\t')) end++;
    if (end < length && source[end] == '\r') end++;
    return end < length && source[end] == '\n' ? end + 1 : at;
}

typedef LIST(Piece) Pieces;

/* The definitions that are chunks, each with its comment and up to the end of its last line. */
static Pieces find_regions(File *file) {
    Pieces regions = {0};
    uint32_t at = 0, *open_ends = arena_take(file->arena, (file->entities.count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < file->entities.count; i++) {
        const Entity *entity = &file->entities.items[i];
        open_ends[i] = UINT32_MAX;
        uint32_t limit = entity->container < 0 ? file->source.length : open_ends[entity->container];
        if (limit == UINT32_MAX || (!is_open(entity->kind) && !is_whole(entity->kind))) continue;
        uint32_t start = entity->lead_start, first = line_start(file, start);
        if (is_flat_between(file, first, start)) start = first;
        uint32_t end = line_end(file, entity->end);
        if (end > limit) end = limit;
        if (start < at) start = at;
        if (start >= end) continue;
        *PUSH(file->arena, regions) = (Piece){start, end, KIND_NAMES[entity->kind], entity->qualified_name, (int32_t)i};
        at = start;
        if (is_open(entity->kind)) open_ends[i] = end;
        else at = end;
    }
    return regions;
}

typedef struct {
    File *file;
    Pieces pieces, stack;
    bool *headed; /* by entity + 1 */
    uint32_t at;
} Tiling;

static void fill(Tiling *tiling, uint32_t end) {
    if (end <= tiling->at) return;
    Piece top = tiling->stack.items[tiling->stack.count - 1];
    bool *is_headed = &tiling->headed[top.entity + 1];
    *PUSH(tiling->file->arena, tiling->pieces) =
        (Piece){tiling->at, end, *is_headed ? TEXT("gap") : top.kind, top.name, top.entity};
    *is_headed = true;
    tiling->at = end;
}

/* Fill the space between regions; in a container, the first such space is its head and the others are gaps. */
static Pieces tile(File *file, Pieces regions) {
    Tiling tiling = {.file = file};
    tiling.headed = arena_take(file->arena, file->entities.count + 1);
    memset(tiling.headed, 0, file->entities.count + 1);
    tiling.headed[0] = true;
    *PUSH(file->arena, tiling.stack) = (Piece){0, file->source.length, TEXT("gap"), NO_TEXT, -1};
    for (uint32_t i = 0; i < regions.count; i++) {
        while (regions.items[i].start >= tiling.stack.items[tiling.stack.count - 1].end) {
            fill(&tiling, tiling.stack.items[tiling.stack.count - 1].end);
            tiling.stack.count--;
        }
        fill(&tiling, regions.items[i].start);
        *PUSH(file->arena, tiling.stack) = regions.items[i];
    }
    for (; tiling.stack.count; tiling.stack.count--) fill(&tiling, tiling.stack.items[tiling.stack.count - 1].end);
    return tiling.pieces;
}

static bool has_word(const File *file, uint32_t start, uint32_t end) {
    for (; start < end; start++) {
        unsigned char c = (unsigned char)file->source.at[start];
        if (is_word(c) || c >= 0x80) return true;
    }
    return false;
}

/* Join pieces without a word, such as blank lines and closing braces, to the chunk before them. */
static Pieces join_pieces(File *file, Pieces pieces, uint32_t longest, uint32_t shortest) {
    Pieces joined = {0};
    bool only_blank = false;
    for (uint32_t i = 0; i < pieces.count; i++) {
        Piece piece = pieces.items[i];
        Piece *last = joined.count ? &joined.items[joined.count - 1] : NULL;
        bool is_empty = !has_word(file, piece.start, piece.end);
        bool is_small = piece.end - piece.start < shortest;
        if (last != NULL && only_blank) {
            piece.start = last->start;
            *last = piece;
            only_blank = is_empty;
        } else if (last != NULL && (is_empty || (is_small && piece.end - last->start <= longest))) {
            last->end = piece.end;
        } else {
            *PUSH(file->arena, joined) = piece;
            only_blank = is_empty;
        }
    }
    return joined;
}

/* Cuts */

static int compare_offsets(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

typedef LIST(uint32_t) Offsets;

/* The starts of syntax nodes inside a piece, before the indentation if they start a line; longer nodes are descended into. */
static Offsets cut_points(File *file, Piece piece, uint32_t limit) {
    Offsets points = {0};
    LIST(TSNode) nodes = {0};
    TSNode root = ts_tree_root_node(file->tree), inner = ts_node_descendant_for_byte_range(root, piece.start, piece.end - 1);
    *PUSH(file->arena, nodes) = ts_node_is_null(inner) ? root : inner;
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    while (nodes.count) {
        ts_tree_cursor_reset(&cursor, nodes.items[--nodes.count]);
        for (bool more = ts_tree_cursor_goto_first_child(&cursor); more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
            TSNode child = ts_tree_cursor_current_node(&cursor);
            uint32_t start = ts_node_start_byte(child), end = ts_node_end_byte(child);
            if (end <= piece.start || start >= piece.end) continue;
            if (start > piece.start) {
                uint32_t first = line_start(file, start);
                bool is_first = first > piece.start && is_flat_between(file, first, start);
                *PUSH(file->arena, points) = is_first ? first : start;
            }
            if (end - start > limit) *PUSH(file->arena, nodes) = child;
        }
    }
    ts_tree_cursor_delete(&cursor);
    if (points.count > 1) qsort(points.items, points.count, sizeof(uint32_t), compare_offsets);
    return points;
}

/* The first syntax boundary from here on, else the first line, else the first character. */
static uint32_t choose_cut(const File *file, const Offsets *points, uint32_t first, uint32_t end) {
    uint32_t low = 0, high = points->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (points->items[middle] < first) low = middle + 1;
        else high = middle;
    }
    if (low < points->count && points->items[low] < end) return points->items[low];
    for (uint32_t at = first - 1; at < end - 1; at++)
        if (file->source.at[at] == '\n') return at + 1;
    while (first < end - 1 && ((unsigned char)file->source.at[first] & 0xC0) == 0x80) first++;
    return first;
}

/* Cut from the end, so that lines inserted above change only the first part. */
static void split_piece(File *file, Piece piece, uint32_t longest) {
    Offsets points = cut_points(file, piece, longest);
    Pieces parts = {0};
    uint32_t start = piece.start, end = piece.end;
    while (end - start > longest) {
        uint32_t cut = choose_cut(file, &points, end - longest, end);
        *PUSH(file->arena, parts) = (Piece){cut, end, piece.kind, piece.name, piece.entity};
        end = cut;
    }
    *PUSH(file->arena, parts) = (Piece){start, end, piece.kind, piece.name, piece.entity};
    while (parts.count) *PUSH(file->arena, file->pieces) = parts.items[--parts.count];
}

void tile_source(File *file, uint32_t longest, uint32_t shortest) {
    Pieces joined = join_pieces(file, tile(file, find_regions(file)), longest, shortest);
    for (uint32_t i = 0; i < joined.count; i++) {
        Piece piece = joined.items[i];
        if (piece.end - piece.start <= longest) *PUSH(file->arena, file->pieces) = piece;
        else split_piece(file, piece, longest);
    }
}

/* Uids */

/* The offset of each character, and the end; a byte that is no UTF-8 is a character. */
static uint32_t *find_characters(File *file, uint32_t *count) {
    uint32_t *offsets = arena_take(file->arena, ((size_t)file->source.length + 1) * sizeof(uint32_t)), n = 0;
    for (uint32_t at = 0; at < file->source.length; n++) {
        offsets[n] = at;
        at += character_length(file, at, file->source.length);
    }
    offsets[n] = file->source.length;
    *count = n;
    return offsets;
}

/* The hash of a text whose line ends are `\n`, after a word that says what it is. */
static uint64_t checksum(File *file, Text word, Text text) {
    char *buffer = arena_take(file->arena, word.length + text.length + 1), *at = buffer;
    memcpy(at, word.at, word.length);
    at += word.length;
    if (memchr(text.at, '\r', text.length) == NULL) {
        memcpy(at, text.at, text.length);
        at += text.length;
    } else {
        for (uint32_t i = 0; i < text.length; i++) {
            if (text.at[i] == '\r' && i + 1 < text.length && text.at[i + 1] == '\n') continue;
            *at++ = text.at[i] == '\r' ? '\n' : text.at[i];
        }
    }
    return xxh64(buffer, (size_t)(at - buffer), 0);
}

typedef struct {
    uint32_t start, end; /* in characters */
} Characters;

typedef struct {
    File *file;
    const uint32_t *offsets; /* NULL where every byte is a character */
    uint32_t n_characters;
} Uids;

/* Pieces that are cut inside of a character count more of them than the whole does. */
static uint32_t offset_of(const Uids *uids, uint32_t character) {
    if (character > uids->n_characters) character = uids->n_characters;
    return uids->offsets == NULL ? character : uids->offsets[character];
}

static Text make_uid(const Uids *uids, Characters chunk, uint32_t context) {
    File *file = uids->file;
    uint32_t start = offset_of(uids, chunk.start), end = offset_of(uids, chunk.end);
    uint32_t first = offset_of(uids, chunk.start > context ? chunk.start - context : 0);
    Text before = source_text(file, first, start), after = source_text(file, end, offset_of(uids, chunk.end + context));
    char digits[3][16];
    Text hashes[3], parts[8];
    uint32_t count = 0;
    hex_digits(checksum(file, TEXT("span\0"), source_text(file, start, end)), 16, digits[0]);
    hex_digits(checksum(file, TEXT("pre\0"), before), 16, digits[1]);
    hex_digits(checksum(file, TEXT("post\0"), after), 16, digits[2]);
    for (int i = 0; i < 3; i++) hashes[i] = (Text){digits[i], 16};
    parts[count++] = TEXT("ck64:v1:repo::"); /* The path, which is empty, is put in later. */
    parts[count++] = hashes[0];
    if (before.length) parts[count++] = TEXT(":"), parts[count++] = hashes[1];
    if (after.length) parts[count++] = TEXT(":"), parts[count++] = hashes[2];
    return join_texts(file->arena, parts, count);
}

typedef struct {
    uint32_t n_collisions, n_escalated, n_counted, largest;
} Metrics;

/* Chunks of one uid get wider contexts and, where these are alike, the numbers of their order. */
static void escalate(const Uids *uids, const Characters *chunks, const uint32_t *group, uint32_t count, Text *texts, Metrics *metrics) {
    Arena *arena = uids->file->arena;
    Names names = {0};
    uint32_t *numbers = arena_take(arena, count * sizeof(uint32_t)), *uses = arena_take(arena, count * sizeof(uint32_t));
    memset(uses, 0, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = number_of(arena, &names, make_uid(uids, chunks[group[i]], ESCALATION_CHARACTERS));
        uses[numbers[i]]++;
    }
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (uses[numbers[i]] == 1) {
            texts[group[i]] = names.texts.items[numbers[i]];
            metrics->n_escalated++;
            continue;
        }
        char suffix[24];
        PyOS_snprintf(suffix, sizeof suffix, ":ord%u", ++ordinal);
        texts[group[i]] = JOIN(arena, texts[group[i]], ((Text){suffix, (uint32_t)strlen(suffix)}));
        metrics->n_counted++;
    }
    metrics->n_collisions++;
    if (count > metrics->largest) metrics->largest = count;
}

static Text *make_uids(const Uids *uids, const Characters *chunks, uint32_t count, Metrics *metrics) {
    Arena *arena = uids->file->arena;
    Text *texts = arena_take(arena, (count + 1) * sizeof(Text));
    uint32_t *next = arena_take(arena, (count + 1) * sizeof(uint32_t));
    Names names = {0};
    Offsets firsts = {0}, lasts = {0};
    for (uint32_t i = 0; i < count; i++) {
        texts[i] = make_uid(uids, chunks[i], CONTEXT_CHARACTERS);
        uint32_t number = number_of(arena, &names, texts[i]);
        next[i] = UINT32_MAX;
        if (number == firsts.count) {
            *PUSH(arena, firsts) = i;
            *PUSH(arena, lasts) = i;
        } else {
            next[lasts.items[number]] = i;
            lasts.items[number] = i;
        }
    }
    for (uint32_t number = 0; number < firsts.count; number++) {
        if (next[firsts.items[number]] == UINT32_MAX) continue;
        Offsets group = {0};
        for (uint32_t at = firsts.items[number]; at != UINT32_MAX; at = next[at]) *PUSH(arena, group) = at;
        escalate(uids, chunks, group.items, group.count, texts, metrics);
    }
    return texts;
}

void pack_chunks(File *file, Packer *packer, Packer *metrics_packer) {
    uint32_t count = file->pieces.count;
    Characters *chunks = arena_take(file->arena, (count + 1) * sizeof(Characters));
    Uids uids = {file, NULL, file->source.length};
    if (!file->is_ascii) uids.offsets = find_characters(file, &uids.n_characters);
    pack_array(packer, count);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        const Piece *piece = &file->pieces.items[i];
        uint32_t width = count_characters(file, piece->start, piece->end);
        chunks[i] = (Characters){at, at + width};
        pack_array(packer, 10);
        pack_text(packer, piece->kind);
        pack_text(packer, piece->name);
        pack_int(packer, at);
        pack_int(packer, at + width);
        pack_int(packer, piece->start);
        pack_int(packer, piece->end);
        pack_int(packer, line_of(file, piece->start));
        pack_int(packer, last_line_of(file, piece->start, piece->end));
        pack_int(packer, piece->entity);
        pack_int(packer, -1);
        at += width;
    }
    Metrics metrics = {0};
    Text *texts = make_uids(&uids, chunks, count, &metrics);
    pack_array(packer, count);
    for (uint32_t i = 0; i < count; i++) pack_text(packer, texts[i]);
    pack_array(metrics_packer, 5);
    pack_int(metrics_packer, metrics.n_collisions);
    pack_int(metrics_packer, metrics.n_escalated);
    pack_int(metrics_packer, metrics.n_counted);
    pack_int(metrics_packer, metrics.largest);
    pack_array(metrics_packer, metrics.n_collisions ? 1 : 0);
    if (metrics.n_collisions) pack_text(metrics_packer, EMPTY); /* the path */
}
