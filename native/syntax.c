/* Parse a source, run the query, and make the mask: syntax/parse.py, syntax/query.py and syntax/canonical.py. */

#include "file.h"
#include <stdlib.h>

enum { MAX_ERRORS = 100, DEEPEST_MARK = 0x1F, MARK = 0x0E };

/* How many bytes the character there has; 0 for a byte that is no UTF-8. */
static uint32_t utf8_length(const unsigned char *at, const unsigned char *end) {
    unsigned char c = *at;
    uint32_t length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (length < 2 || (size_t)(end - at) < length) return length == 1 ? 1 : 0;
    unsigned char low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80, high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < low || at[1] > high) return 0;
    for (uint32_t i = 2; i < length; i++)
        if (at[i] < 0x80 || at[i] > 0xBF) return 0;
    return length;
}

uint32_t character_length(const File *file, uint32_t at, uint32_t end) {
    const unsigned char *source = (const unsigned char *)file->source.at;
    uint32_t length = utf8_length(source + at, source + end);
    return length ? length : 1;
}

uint32_t count_characters(const File *file, uint32_t start, uint32_t end) {
    if (file->is_ascii) return end - start;
    uint32_t count = 0;
    for (; start < end; count++) start += character_length(file, start, end);
    return count;
}

/* A source of the same length that every lexer and predicate accepts: without NUL, and valid UTF-8. */
static Text parseable(File *file) {
    Text source = file->source;
    bool has_nul = memchr(source.at, 0, source.length) != NULL;
    if (file->is_ascii && !has_nul) return source;
    Text copy = copy_text(file->arena, source);
    unsigned char *at = (unsigned char *)copy.at, *end = at + copy.length;
    while (at < end) {
        uint32_t length = utf8_length(at, end);
        if (*at == 0) *at = 1;
        if (length == 0) *at = '_';
        at += length ? length : 1;
    }
    return copy;
}

static int compare_spans(const void *a, const void *b) {
    const Span *one = a, *other = b;
    if (one->start != other->start) return one->start < other->start ? -1 : 1;
    return one->end < other->end ? -1 : one->end > other->end;
}

static int compare_items(const void *a, const void *b) {
    const Item *one = a, *other = b;
    if (one->start != other->start) return one->start < other->start ? -1 : 1;
    if (one->end != other->end) return one->end > other->end ? -1 : 1;
    if (one->rank != other->rank) return one->rank < other->rank ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

static void sort_spans(Spans *spans) {
    if (spans->count > 1) qsort(spans->items, spans->count, sizeof(Span), compare_spans);
}

/* Predicates */

static Text node_text(Text source, TSNode node) {
    uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
    return (Text){source.at + start, end - start};
}

static bool is_matched(File *file, const Predicate *predicate, Text text) {
    PyObject *key = PyUnicode_DecodeUTF8(text.at, text.length, "replace");
    if (key == NULL) fail(file->arena);
    PyObject *known = PyDict_GetItemWithError(predicate->known, key);
    if (known == NULL && !PyErr_Occurred()) {
        PyObject *found = call_python(file, predicate->matcher, key);
        if (found != NULL && PyDict_SetItem(predicate->known, key, found) == 0)
            known = PyDict_GetItemWithError(predicate->known, key);
        Py_XDECREF(found);
    }
    Py_DECREF(key);
    if (known == NULL) fail(file->arena);
    return known == Py_True;
}

static bool holds_for(File *file, const Predicate *predicate, Text text) {
    if (predicate->kind == MATCHES) return is_matched(file, predicate, text) == predicate->is_positive;
    for (uint32_t i = 0; i < predicate->n_values; i++)
        if (same_text(predicate->values[i], text)) return predicate->is_positive;
    return !predicate->is_positive;
}

static bool capture_text(const TSQueryMatch *match, Text source, uint32_t capture, uint32_t nth, Text *text) {
    for (uint16_t i = 0; i < match->capture_count; i++)
        if (match->captures[i].index == capture && nth-- == 0) {
            *text = node_text(source, match->captures[i].node);
            return true;
        }
    return false;
}

static bool is_satisfied(File *file, const Pattern *pattern, const TSQueryMatch *match, Text source) {
    for (uint32_t i = 0; i < pattern->n_predicates; i++) {
        const Predicate *predicate = &pattern->predicates[i];
        Text text, other;
        for (uint32_t nth = 0; capture_text(match, source, predicate->capture, nth, &text); nth++) {
            if (predicate->kind != EQUALS_CAPTURE) {
                if (!holds_for(file, predicate, text)) return false;
            } else if (!capture_text(match, source, predicate->other, nth, &other)) {
                break;
            } else if (same_text(text, other) != predicate->is_positive) {
                return false;
            }
        }
    }
    return true;
}

/* Matches */

static void widen(Span *span, TSNode node) {
    if (!has_span(*span)) span->start = ts_node_start_byte(node);
    span->end = ts_node_end_byte(node);
}

static void read_match(File *file, const TSQueryMatch *match) {
    const Language *language = file->language;
    const Pattern *pattern = &language->patterns[match->pattern_index];
    Span own = NO_SPAN;
    for (uint16_t i = 0; i < match->capture_count && !has_span(own); i++)
        if (match->captures[i].index == pattern->own) widen(&own, match->captures[i].node);
    if (!has_span(own)) return;
    if (pattern->role < N_TRIVIA) {
        *PUSH(file->arena, file->trivia[pattern->role]) = own;
        return;
    }
    Item *item = PUSH(file->arena, file->items);
    *item = (Item){.start = own.start, .end = own.end, .rank = match->pattern_index, .order = file->items.count - 1,
                   .pattern = pattern, .name = NO_SPAN, .content = NO_SPAN};
    if (pattern->is_plain) return;
    for (uint16_t i = 0; i < match->capture_count; i++) {
        uint32_t index = match->captures[i].index;
        Capture capture = language->captures[index];
        if (index == pattern->own || capture == C_NONE) continue;
        Span *span = capture == C_NAME ? &item->name : capture == pattern->content ? &item->content : &item->more[capture];
        if (span == &item->more[capture] && !has_more(item, capture)) {
            item->present |= UINT32_C(1) << capture;
            *span = NO_SPAN;
        }
        widen(span, match->captures[i].node);
    }
    if (has_span(item->name)) item->order += (uint64_t)item->name.start << 32;
}

static void run_query(File *file, TSNode root, Text source) {
    Language *language = file->language;
    TSQueryMatch match;
    TSQueryCursor *cursor = ts_query_cursor_new();
    ts_query_cursor_exec(cursor, language->query, root);
    while (ts_query_cursor_next_match(cursor, &match))
        if (is_satisfied(file, &language->patterns[match.pattern_index], &match, source)) read_match(file, &match);
    for (int role = 0; role < N_TRIVIA; role++) sort_spans(&file->trivia[role]);
    for (uint32_t i = 0; i < file->trivia[WRAP].count; i++) {
        static const Pattern wrap = {.role = WRAP, .is_plain = true};
        Span span = file->trivia[WRAP].items[i];
        *PUSH(file->arena, file->items) = (Item){
            .start = span.start, .end = span.end, .rank = -1, .order = i, .pattern = &wrap, .name = NO_SPAN, .content = NO_SPAN};
    }
    if (file->items.count > 1) qsort(file->items.items, file->items.count, sizeof(Item), compare_items);
}

/* The offsets at which the parser found or repaired an error. */
static void find_errors(File *file, TSNode root) {
    LIST(TSNode) nodes = {0};
    if (ts_node_has_error(root)) *PUSH(file->arena, nodes) = root;
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    while (nodes.count && file->errors.count < MAX_ERRORS) {
        TSNode node = nodes.items[--nodes.count];
        if (ts_node_is_error(node) || ts_node_is_missing(node)) *PUSH(file->arena, file->errors) = ts_node_start_byte(node);
        ts_tree_cursor_reset(&cursor, node);
        for (bool more = ts_tree_cursor_goto_first_child(&cursor); more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
            TSNode child = ts_tree_cursor_current_node(&cursor);
            if (ts_node_has_error(child)) *PUSH(file->arena, nodes) = child;
        }
    }
    ts_tree_cursor_delete(&cursor);
}

/* The mask */

static bool is_token_word(unsigned char c) { return is_word(c) || c == '$' || c >= 0x80; }

static void keep_outermost(Spans *spans) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        Span span = spans->items[i];
        while (i + 1 < spans->count && spans->items[i + 1].start == span.start) span = spans->items[++i]; /* the longest */
        if (!kept || span.start >= spans->items[kept - 1].end) spans->items[kept++] = span;
    }
    spans->count = kept;
}

static void make_mask(File *file) {
    uint32_t length = file->source.length;
    unsigned char *mask = arena_take(file->arena, (size_t)length + 1);
    for (uint32_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)file->source.at[i];
        mask[i] = is_blank(c) ? 0 : c == 0 || c == 2 ? 1 : c;
    }
    mask[length] = 0;
    Spans strings = file->trivia[STRING], comments = file->trivia[COMMENT], blocks = file->trivia[BLOCK];
    for (uint32_t i = 0; i < comments.count; i++)
        memset(mask + comments.items[i].start, 0, comments.items[i].end - comments.items[i].start);
    for (uint32_t i = 0; i < strings.count; i++)
        memset(mask + strings.items[i].start, '"', strings.items[i].end - strings.items[i].start);
    for (uint32_t i = 0; i < blocks.count; i++) {
        uint32_t end = blocks.items[i].end;
        while (end && !mask[end - 1]) end--;
        if (mask[end] < DEEPEST_MARK) mask[end] = (unsigned char)((mask[end] > MARK ? mask[end] : MARK) + 1);
    }
    for (uint32_t i = 0; i < length; i++) {
        if (mask[i]) continue;
        uint32_t first = i;
        while (i + 1 < length && !mask[i + 1]) mask[++i] = 2;
        unsigned char before = first ? mask[first - 1] : 0, after = i + 1 < length ? mask[i + 1] : 0;
        bool is_needed = first && i + 1 < length &&
                         ((is_token_word(before) && is_token_word(after)) ||
                          (file->language->joins[before][after >> 3] >> (after & 7) & 1));
        if (is_needed) mask[first] = ' ';
    }
    for (uint32_t i = 0; i < strings.count; i++)
        for (uint32_t at = strings.items[i].start; at < strings.items[i].end; at++) {
            unsigned char c = (unsigned char)file->source.at[at];
            mask[at] = c == 0 || c == 2 ? 1 : c;
        }
    file->mask = (char *)mask;
}

static void find_lines(File *file) {
    const char *at = file->source.at, *end = at + file->source.length;
    uint32_t count = 1;
    for (const char *feed = at; (feed = memchr(feed, '\n', (size_t)(end - feed))) != NULL; feed++) count++;
    file->feeds = arena_take(file->arena, count * sizeof(uint32_t));
    file->n_lines = count;
    uint32_t line = 0;
    for (const char *feed = at; (feed = memchr(feed, '\n', (size_t)(end - feed))) != NULL; feed++)
        file->feeds[line++] = (uint32_t)(feed - at);
    file->feeds[line] = file->source.length;
}

uint32_t line_of(const File *file, uint32_t offset) {
    uint32_t low = 0, high = file->n_lines;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (file->feeds[middle] < offset) low = middle + 1;
        else high = middle;
    }
    return low + 1;
}

uint32_t line_start(const File *file, uint32_t offset) {
    uint32_t line = line_of(file, offset);
    return line > 1 ? file->feeds[line - 2] + 1 : 0;
}

uint32_t last_line_of(const File *file, uint32_t start, uint32_t end) {
    return line_of(file, end > start + 1 ? end - 1 : start);
}

uint32_t trim_end(const File *file, uint32_t start, uint32_t end) {
    while (end > start && (unsigned char)file->mask[end - 1] <= DEEPEST_MARK) end--;
    return end;
}

/* Of those with one start the longest. */
static void keep_longest(Spans *spans) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        if (kept && spans->items[kept - 1].start == spans->items[i].start) kept--;
        spans->items[kept++] = spans->items[i];
    }
    spans->count = kept;
}

void read_syntax(File *file) {
    Text source = parseable(file);
    file->parser = ts_parser_new();
    ts_parser_set_language(file->parser, file->language->grammar);
    file->tree = ts_parser_parse_string(file->parser, NULL, source.at, source.length);
    if (file->tree == NULL) {
        PyErr_SetString(PyExc_ValueError, "Parsing failed");
        fail(file->arena);
    }
    TSNode root = ts_tree_root_node(file->tree);
    run_query(file, root, source);
    find_errors(file, root);
    find_lines(file);
    keep_outermost(&file->trivia[STRING]);
    make_mask(file);
    keep_longest(&file->trivia[ATTRIBUTE]);
}
