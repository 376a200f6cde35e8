/* Spans, documentation, signatures, fingerprints and semantic ids: entities/extract.py, leading_trivia.py,
   identity/fingerprints.py, semantic_ids.py and collisions.py. */

#include "file.h"

enum { LONGEST_SIGNATURE = 1000, MOST_SPANS = 8 };

/* Leading trivia */

static uint32_t next_start(const File *file, uint32_t at) {
    while (at < file->source.length && is_blank((unsigned char)file->source.at[at])) at++;
    return at;
}

static Span extend_documentation(const File *file, Span documentation, Span comment, uint32_t following) {
    uint32_t start = comment.start, end = comment.end;
    while (end > start && is_blank((unsigned char)file->source.at[end - 1])) end--;
    uint32_t first = line_start(file, start);
    if (strip_blanks(source_text(file, first, start)).length) return documentation; /* It documents the code there. */
    uint32_t n_feeds = 0;
    for (uint32_t at = end; at < following; at++) n_feeds += file->source.at[at] == '\n';
    if (n_feeds > 1) return NO_SPAN; /* A blank line separates it from the definition. */
    return (Span){has_span(documentation) ? documentation.start : start, end};
}

static void lead(File *file, uint32_t offset, Span documentation, uint32_t start, bool is_kept) {
    int32_t *at = map_at(file->arena, &file->leading, offset, 0, -1);
    if (*at >= 0 && is_kept) return;
    *at = (int32_t)file->leading_trivia.count;
    *PUSH(file->arena, file->leading_trivia) = (Trivia){start, documentation};
}

/* Walk comments and attributes in order; those with only white space between them are one group. */
static void find_leading_trivia(File *file) {
    Spans comments = file->trivia[COMMENT], attributes = file->trivia[ATTRIBUTE];
    Span documentation = NO_SPAN;
    uint32_t attribute_start = UINT32_MAX, expected = UINT32_MAX;
    for (uint32_t c = 0, a = 0; c < comments.count || a < attributes.count;) {
        Span comment = c < comments.count ? comments.items[c] : NO_SPAN;
        Span attribute = a < attributes.count ? attributes.items[a] : NO_SPAN;
        bool is_first = !has_span(attribute) || (has_span(comment) && (comment.start != attribute.start
                                                                          ? comment.start < attribute.start
                                                                          : comment.end <= attribute.end));
        Span span = is_first ? comment : attribute;
        bool is_comment = is_first;
        while (c < comments.count && same_span(comments.items[c], span)) c++, is_comment = true; /* of equal ones one */
        while (a < attributes.count && same_span(attributes.items[a], span)) a++;
        if (span.start != expected) documentation = NO_SPAN, attribute_start = UINT32_MAX;
        expected = next_start(file, span.end);
        if (is_comment) {
            documentation = extend_documentation(file, documentation, span, expected);
        } else {
            lead(file, span.start, documentation, span.start, true);
            if (attribute_start == UINT32_MAX) attribute_start = span.start;
        }
        if (has_span(documentation) || attribute_start != UINT32_MAX)
            lead(file, expected, documentation, attribute_start != UINT32_MAX ? attribute_start : expected, false);
    }
}

static const Trivia *leading_at(const File *file, uint32_t offset) {
    int32_t at;
    return map_get(&file->leading, offset, 0, &at) ? &file->leading_trivia.items[at] : NULL;
}

/* Attributes */

/* The first of some spans that starts there or behind. */
static uint32_t first_from(const Spans *spans, uint32_t start) {
    uint32_t low = 0, high = spans->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (spans->items[middle].start < start) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The start of the text after the leading attributes. */
static uint32_t after_attributes(const File *file, uint32_t start, uint32_t end) {
    Spans attributes = file->trivia[ATTRIBUTE];
    uint32_t at = first_from(&attributes, start);
    while (at < attributes.count && attributes.items[at].start == start && start < end) {
        start = attributes.items[at].end;
        while (start < end && is_blank((unsigned char)file->source.at[start])) start++;
        if (start > end) start = end;
        at = first_from(&attributes, start);
    }
    return start;
}

static void read_decorators(File *file, Entity *entity, uint32_t start, uint32_t end) {
    Spans attributes = file->trivia[ATTRIBUTE];
    uint32_t first = first_from(&attributes, start), last = first;
    while (last < attributes.count && attributes.items[last].start < end) last++;
    entity->n_decorators = last - first;
    if (last == first) return;
    entity->decorators = arena_take(file->arena, entity->n_decorators * sizeof(Text));
    for (uint32_t i = first; i < last; i++)
        entity->decorators[i - first] = read_words(file, text_at(file, attributes.items[i]));
}

/* Signatures */

/* The head of a definition on one line, without comments. */
static Text read_signature(File *file, uint32_t start, uint32_t end) {
    if (end > start + LONGEST_SIGNATURE) end = start + LONGEST_SIGNATURE;
    Spans comments = file->trivia[COMMENT];
    uint32_t next = first_from(&comments, start);
    Text text = source_text(file, start, end);
    if (next < comments.count && comments.items[next].start < end) {
        LIST(Text) parts = {0};
        uint32_t at = start;
        for (; next < comments.count && comments.items[next].start < end; next++) {
            Span hole = comments.items[next];
            if (hole.end <= at) continue;
            if (hole.start > at) {
                if (parts.count) *PUSH(file->arena, parts) = TEXT(" ");
                *PUSH(file->arena, parts) = source_text(file, at, hole.start);
            }
            if (hole.end > at) at = hole.end;
        }
        if (at < end) {
            if (parts.count) *PUSH(file->arena, parts) = TEXT(" ");
            *PUSH(file->arena, parts) = source_text(file, at, end);
        }
        text = join_texts(file->arena, parts.items, parts.count);
    }
    return strip_right(read_words(file, text), TEXT("{=:; "));
}

/* Whether others are assigned besides, as in `self.x, self.y = …`. */
static bool has_more_targets(const File *file, uint32_t at) {
    while (at < file->source.length && is_blank((unsigned char)file->source.at[at])) at++;
    return at < file->source.length && holds(TEXT(",)]|"), file->source.at[at]);
}

static void finish_entity(File *file, Entity *entity) {
    const Item *item = entity->item;
    uint32_t header = item->start;
    Span name = item->name, body = item->content, documentation = NO_SPAN;
    if (has_span(name) && !(entity->start <= name.start && name.start < entity->end)) name = NO_SPAN;
    uint32_t lead_start = entity->start;
    const Trivia *trivia = leading_at(file, entity->start);
    if (trivia != NULL) {
        documentation = trivia->documentation;
        if (trivia->start < entity->start) entity->start = trivia->start;
        lead_start = has_span(documentation) && documentation.start < entity->start ? documentation.start : entity->start;
    }
    if (!has_span(documentation) && entity->anchor != entity->start) {
        const Trivia *group = leading_at(file, entity->anchor); /* A comment above a group documents all its members. */
        if (group != NULL) documentation = group->documentation;
    }
    uint32_t start = entity->start, end = trim_end(file, start, entity->end);
    if (has_span(body) && body.end > end) {
        if (end <= body.start && body.start < body.end) end = body.end; /* A here-document is below its line. */
        else body = (Span){body.start < end ? body.start : end, end};
    }
    if (header > start && !has_span(entity->shared)) header = after_attributes(file, start, header);
    uint32_t head_start = header, head_end = has_span(body) && body.start > header ? body.start : end;
    if (item->pattern->implied != NOT_IMPLIED && has_span(item->name)) {
        head_start = item->name.start;
        if (has_more_targets(file, item->name.end)) head_end = item->name.end;
    }
    entity->end = end;
    entity->name_span = name;
    entity->body = body;
    entity->documentation = has_more(item, C_DOCUMENTATION) ? item->more[C_DOCUMENTATION] : documentation;
    entity->signature = read_signature(file, head_start, head_end);
    read_decorators(file, entity, start, has_span(name) ? name.start : has_span(body) ? body.start : end);
    entity->lead_start = lead_start;
    entity->qualified_name =
        entity->parent.length ? JOIN(file->arena, entity->parent, TEXT("."), entity->name) : entity->name;
}

void finish_entities(File *file) {
    find_leading_trivia(file);
    for (uint32_t i = 0; i < file->entities.count; i++) {
        Entity *entity = &file->entities.items[i];
        uint32_t end = entity->end;
        finish_entity(file, entity);
        if (entity->node < 0) continue;
        Node *node = &file->nodes.items[entity->node];
        if (node->start == entity->start && node->end == end) continue;
        node->start = entity->start;
        node->end = trim_end(file, entity->start, end);
    }
}

/* Fingerprints */

typedef struct {
    Span items[MOST_SPANS];
    uint32_t count;
} SpanSet;

static SpanSet subtract(Span whole, const Span *holes, uint32_t n_holes) {
    Span sorted[MOST_SPANS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < n_holes; i++) {
        if (!has_span(holes[i])) continue;
        uint32_t at = count++;
        for (; at && (sorted[at - 1].start > holes[i].start ||
                      (sorted[at - 1].start == holes[i].start && sorted[at - 1].end > holes[i].end)); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = holes[i];
    }
    SpanSet left = {.count = 0};
    uint32_t at = whole.start;
    for (uint32_t i = 0; i < count; i++) {
        if (sorted[i].end <= at || sorted[i].start >= whole.end) continue;
        if (sorted[i].start > at) left.items[left.count++] = (Span){at, sorted[i].start};
        if (sorted[i].end > at) at = sorted[i].end;
    }
    if (at < whole.end) left.items[left.count++] = (Span){at, whole.end};
    return left;
}

static SpanSet with_shared(SpanSet own, Span shared) {
    if (!has_span(shared)) return own;
    SpanSet all = {.items = {shared}, .count = own.count + 1};
    memcpy(all.items + 1, own.items, own.count * sizeof(Span));
    return all;
}

static bool is_dropped(char c) { return c == 0 || c == 2; }

/* The tokens of a span, in memory that is used again. */
static Text tokens(const File *file, char *into, Span span) {
    char *at = into;
    for (uint32_t i = span.start; i < span.end; i++) {
        *at = file->mask[i];
        at += !is_dropped(file->mask[i]);
    }
    return (Text){into, (uint32_t)(at - into)};
}

static uint32_t add_tokens(const File *file, Sha256 *sha, char *buffer, SpanSet spans) {
    uint32_t length = spans.count ? spans.count - 1 : 0;
    for (uint32_t i = 0; i < spans.count; i++) {
        if (i) sha256_add(sha, "", 1);
        Text text = tokens(file, buffer, spans.items[i]);
        sha256_add(sha, text.at, text.length);
        length += text.length;
    }
    return length;
}

/* The parts before the name, then those after it, without separators at their ends. */
static void add_interface(const File *file, Sha256 *sha, char *buffer, SpanSet spans, uint32_t name) {
    for (int side = 0; side < 2; side++) {
        bool has_part = false;
        if (side) sha256_add(sha, "\1", 1);
        for (uint32_t i = 0; i < spans.count; i++) {
            if ((spans.items[i].start >= name) != side) continue;
            Text edges = {"=:;,{} ", 8}; /* with the NUL at its end */
            Text part = strip_right(strip_left(tokens(file, buffer, spans.items[i]), edges), edges);
            if (!part.length) continue;
            if (has_part) sha256_add(sha, "", 1);
            sha256_add(sha, part.at, part.length);
            has_part = true;
        }
    }
}

/* Documentation without its indentation. */
static void add_stripped_lines(const File *file, Sha256 *sha, Span span) {
    uint32_t at = span.start;
    for (bool is_first = true; at < span.end; is_first = false) {
        uint32_t end = at;
        while (end < span.end && file->source.at[end] != '\n' && file->source.at[end] != '\r') end++;
        Text line = strip_blanks(source_text(file, at, end));
        if (!is_first) sha256_add(sha, "\n", 1);
        sha256_add(sha, line.at, line.length);
        at = end + 1 + (end + 1 < span.end && file->source.at[end] == '\r' && file->source.at[end + 1] == '\n');
    }
}

static void fingerprint(File *file, Entity *entity, char *buffer) {
    Sha256 sha;
    Span whole = {entity->start, entity->end}, documentation = entity->documentation;
    Span holes[] = {entity->name_span, entity->body, documentation};
    bool has_holes = has_span(entity->shared) || (has_span(documentation) && documentation.end > entity->start);
    uint32_t name = has_span(entity->name_span) ? entity->name_span.start : entity->start;
    SpanSet content, interface, body;
    uint32_t name_end = has_span(entity->name_span) ? entity->name_span.end : entity->start;
    uint32_t body_start = has_span(entity->body) ? entity->body.start : entity->end;
    if (has_holes || body_start < name_end) { /* The latter is a trailing name, as in `typedef struct {} name`. */
        content = with_shared(subtract(whole, &documentation, 1), entity->shared);
        interface = with_shared(subtract(whole, holes, 3), entity->shared);
        body = has_span(entity->body) ? subtract(entity->body, &documentation, 1) : (SpanSet){.count = 0};
    } else {
        uint32_t body_end = has_span(entity->body) ? entity->body.end : entity->end;
        content = (SpanSet){{whole}, 1};
        interface = (SpanSet){{{entity->start, name}, {name_end, body_start}, {body_end, entity->end}}, 3};
        body = (SpanSet){{entity->body}, has_span(entity->body) ? 1 : 0};
        if (name == entity->start) { /* What is before the name is empty. */
            interface = (SpanSet){{{name_end, body_start}, {body_end, entity->end}}, 2};
            name = 0;
        }
    }
    sha256_start(&sha);
    add_tokens(file, &sha, buffer, content);
    entity->hashes[0] = sha256_first8(&sha);
    sha256_start(&sha);
    sha256_add(&sha, KIND_NAMES[entity->kind].at, KIND_NAMES[entity->kind].length + 1);
    add_interface(file, &sha, buffer, interface, name);
    entity->hashes[1] = sha256_first8(&sha);
    sha256_start(&sha);
    entity->weight = add_tokens(file, &sha, buffer, body);
    entity->hashes[2] = sha256_first8(&sha);
    if (has_span(documentation)) {
        sha256_start(&sha);
        add_stripped_lines(file, &sha, documentation);
        entity->hashes[3] = sha256_first8(&sha);
    }
    sha256_start(&sha);
    sha256_add(&sha, file->source.at + entity->start, entity->end - entity->start);
    entity->hashes[4] = sha256_first8(&sha);
}

void make_fingerprints(File *file) {
    char *buffer = arena_take(file->arena, (size_t)file->source.length + 1);
    for (uint32_t i = 0; i < file->entities.count; i++) fingerprint(file, &file->entities.items[i], buffer);
}

/* Semantic ids */

static Text escape_parent(File *file, Text parent) {
    uint32_t n_escaped = 0;
    for (uint32_t i = 0; i < parent.length; i++) n_escaped += holds(TEXT("%[],"), parent.at[i]);
    if (!n_escaped) return parent;
    char *escaped = arena_take(file->arena, parent.length + 2 * n_escaped + 1), *at = escaped;
    for (uint32_t i = 0; i < parent.length; i++) {
        unsigned char c = (unsigned char)parent.at[i];
        if (holds(TEXT("%[],"), c)) {
            *at++ = '%';
            *at++ = "0123456789ABCDEF"[c >> 4];
            *at++ = "0123456789ABCDEF"[c & 15];
        } else {
            *at++ = (char)c;
        }
    }
    return (Text){escaped, (uint32_t)(at - escaped)};
}

/* The digest of what distinguishes a node from its namesakes; false for a missing initializer. */
static bool digest_of(File *file, const Node *node, char *buffer, char *digest) {
    Span span = node->content;
    if (!has_span(span)) {
        if (node->type == N_VARIABLE || node->type == N_CONSTANT || node->type == N_FIELD) return false;
        span = (Span){node->start, node->end};
    }
    Text content = tokens(file, buffer, span);
    Text context = node->entity >= 0 ? file->entities.items[node->entity].qualified_name : EMPTY;
    hex_digits(xxh32(content.at, content.length, crc32_of(context)), 8, digest);
    return true;
}

typedef struct {
    bool has_digest;
    char digest[8], hash[8];
    uint32_t counter;
} Member;

static void hash_member(Member *member) {
    memcpy(member->hash, "00000000", 8);
    if (member->has_digest) hex_digits(fnv1a(member->digest, 8), 8, member->hash);
}

/* All members of a group are promoted: by a hash and, where that is not enough, by a counter. */
static void promote_group(File *file, const uint32_t *group, uint32_t count, char *buffer, Text *ids) {
    Member *members = arena_take(file->arena, count * sizeof(Member));
    Map hashes = {0}, digests = {0};
    size_t digits = 4;
    for (uint32_t i = 0; i < count; i++) {
        Member *member = &members[i];
        *member = (Member){0};
        member->has_digest = digest_of(file, &file->nodes.items[group[i]], buffer, member->digest);
        hash_member(member);
        uint64_t digest = 0, hash = 0;
        memcpy(&digest, member->digest, 8);
        memcpy(&hash, member->hash, 4);
        map_at(file->arena, &digests, digest, member->has_digest, 1);
        map_at(file->arena, &hashes, hash, 0, 1);
    }
    if (hashes.count < digests.count) digits = 8;
    Map twins = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = 0;
        memcpy(&hash, members[i].hash, digits);
        members[i].counter = (uint32_t)(*map_at(file->arena, &twins, hash, 0, 0))++;
    }
    for (uint32_t i = 0; i < count; i++) {
        const Node *node = &file->nodes.items[group[i]];
        uint64_t hash = 0;
        memcpy(&hash, members[i].hash, digits);
        char counter[16] = "";
        if (*map_at(file->arena, &twins, hash, 0, 0) > 1) PyOS_snprintf(counter, sizeof counter, "#%u", members[i].counter);
        Text suffix = {counter, (uint32_t)strlen(counter)}, shown = {members[i].hash, (uint32_t)digits};
        ids[group[i]] = JOIN(file->arena, TEXT("->"), NODE_TYPES[node->type], TEXT("->"), node->name, TEXT("[in:"),
                             escape_parent(file, node->named_parent), TEXT(",h:"), shown, TEXT("]"), suffix);
    }
}

void make_semantic_ids(File *file) {
    uint32_t n_nodes = file->nodes.count;
    Text *ids = arena_take(file->arena, (n_nodes + 1) * sizeof(Text));
    uint32_t *next = arena_take(file->arena, (n_nodes + 1) * sizeof(uint32_t));
    memset(ids, 0, (n_nodes + 1) * sizeof(Text));
    char *buffer = arena_take(file->arena, (size_t)file->source.length + 1);
    Names names = {0};
    Map firsts = {0}, lasts = {0};
    for (uint32_t i = 0; i < n_nodes; i++) {
        const Node *node = &file->nodes.items[i];
        next[i] = UINT32_MAX;
        if (node->type >= N_OF_ENTITIES) continue;
        uint64_t name = (uint64_t)number_of(file->arena, &names, node->name) << 8 | node->type;
        uint64_t parent = number_of(file->arena, &names, node->named_parent);
        map_at(file->arena, &firsts, name, parent, (int32_t)i);
        int32_t *last = map_at(file->arena, &lasts, name, parent, -1);
        if (*last >= 0) next[*last] = i;
        *last = (int32_t)i;
    }
    LIST(uint32_t) group = {0};
    for (uint32_t i = 0; i < file->entities.count; i++) {
        Entity *entity = &file->entities.items[i];
        if (entity->node < 0) continue;
        const Node *node = &file->nodes.items[entity->node];
        if (!has_text(ids[entity->node])) {
            int32_t first = 0;
            uint64_t name = (uint64_t)number_of(file->arena, &names, node->name) << 8 | node->type;
            map_get(&firsts, name, number_of(file->arena, &names, node->named_parent), &first);
            if (next[first] == UINT32_MAX) {
                ids[first] = JOIN(file->arena, TEXT("->"), NODE_TYPES[node->type], TEXT("->"), node->name, TEXT("[in:"),
                                  escape_parent(file, node->named_parent), TEXT("]"));
            } else {
                group.count = 0;
                for (uint32_t at = (uint32_t)first; at != UINT32_MAX; at = next[at]) *PUSH(file->arena, group) = at;
                promote_group(file, group.items, group.count, buffer, ids);
            }
        }
        entity->semantic_id = ids[entity->node];
    }
}
