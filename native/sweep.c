/* The one pass over the items of a source: entities/sweep.py, frames.py, implied_attributes.py and bound_names.py. */

#include "file.h"
#include <stdlib.h>

const Text KIND_NAMES[N_KINDS] = {
    TEXT("mod"), TEXT("namespace"), TEXT("class"), TEXT("interface"), TEXT("struct"), TEXT("enum"), TEXT("trait"),
    TEXT("impl"), TEXT("fn"), TEXT("method"), TEXT("constructor"), TEXT("field"), TEXT("const"), TEXT("var"),
    TEXT("typedef"), TEXT("macro"), TEXT("member"), TEXT("table"), TEXT("view"),
};
const Text NODE_TYPES[N_OF_ENTITIES] = {
    TEXT("MODULE"), TEXT("NAMESPACE"), TEXT("CLASS"), TEXT("INTERFACE"), TEXT("STRUCT"), TEXT("ENUM"), TEXT("TRAIT"),
    TEXT("IMPL"), TEXT("FUNCTION"), TEXT("FIELD"), TEXT("CONSTANT"), TEXT("VARIABLE"), TEXT("TYPE"), TEXT("MACRO"),
    TEXT("MEMBER"), TEXT("TABLE"), TEXT("VIEW"),
};
static const NodeType TYPES_OF_KINDS[N_KINDS] = {
    N_MODULE, N_NAMESPACE, N_CLASS, N_INTERFACE, N_STRUCT, N_ENUM, N_TRAIT, N_IMPL, N_FUNCTION, N_FUNCTION, N_FUNCTION,
    N_FIELD, N_CONSTANT, N_VARIABLE, N_TYPE, N_MACRO, N_MEMBER, N_TABLE, N_VIEW,
};

enum { LOCAL_INSIDE = -1, LONGEST_VALUE = 400, EXPORTS = -2 };

static uint64_t span_key(uint32_t start, uint32_t end) { return (uint64_t)start << 32 | end; }
static uint64_t item_key(const Item *item) { return span_key(item->start, item->end); }
static uint64_t name_key(const Item *item) {
    return has_span(item->name) ? span_key(item->name.start, item->name.end) : UINT64_MAX;
}

static bool is_bound(const File *file, uint32_t start, uint32_t end) {
    int32_t value;
    return map_get(&file->bound, span_key(start, end), 0, &value);
}

static bool has_implied(const Item *item) { return item->pattern->implied != NOT_IMPLIED; }

/* Attributes that no class declares */

typedef struct Owner Owner;
struct Owner {
    Span span;
    Names declared, fields, names; /* `fields` without marks; `names` of what is assigned */
    LIST(const Item *) assigned;
    LIST(bool) in_constructor;
    Owner *next;
};

typedef struct {
    uint32_t end;
    Owner *owner;
    bool is_owner, is_constructor;
} Place;

static bool is_constructor_name(const Language *language, Text name) {
    for (uint32_t i = 0; i < language->n_constructors; i++)
        if (same_text(language->constructors[i], name)) return true;
    return false;
}

static Text without_marks(Text name) { return strip_left(name, TEXT("@:")); }

static void assign(File *file, Owner *owner, Text name, const Item *item, bool is_in_constructor) {
    uint32_t number = number_of(file->arena, &owner->names, name);
    if (number == owner->assigned.count) {
        *PUSH(file->arena, owner->assigned) = item;
        *PUSH(file->arena, owner->in_constructor) = is_in_constructor;
    } else if (is_in_constructor && !owner->in_constructor.items[number]) {
        owner->assigned.items[number] = item;
        owner->in_constructor.items[number] = true;
    }
}

static Owner *add_owner(File *file, Owner **owners, const Item *item) {
    Owner *owner = arena_take(file->arena, sizeof(Owner));
    *owner = (Owner){.span = {item->start, item->end}, .next = *owners};
    return *owners = owner;
}

static Place place_inside(File *file, const Item *item, Text name, Place place, Owner **owners) {
    Kind kind = (Kind)item->pattern->kind;
    const Language *language = file->language;
    if (place.owner != NULL && (place.is_owner || item->pattern->is_hoisted)) {
        number_of(file->arena, &place.owner->declared, name);
        if (!is_function_like(kind)) number_of(file->arena, &place.owner->fields, without_marks(name));
    }
    if (is_class_like(kind)) return (Place){item->end, add_owner(file, owners, item), true, false};
    if (language->has_makers && is_function_like(kind) && !place.is_owner && ask_whether(file, ASK_IS_MAKER, name))
        return (Place){item->end, add_owner(file, owners, item), false, true};
    return (Place){item->end, place.owner, false, place.is_owner && is_constructor_name(language, name)};
}

static void find_implied_attributes(File *file) {
    bool has_any = false;
    uint32_t last_start = 0;
    for (uint32_t i = 0; i < file->items.count; i++) {
        const Item *item = &file->items.items[i];
        if (item->pattern->role != ENTITY) continue;
        has_any = has_any || has_implied(item);
        last_start = item->start;
    }
    if (!has_any) return;
    LIST(Place) places = {0};
    *PUSH(file->arena, places) = (Place){last_start + 1, NULL, false, false};
    Map firsts = {0}, lasts = {0}; /* Of equal ones the first pattern wins, in the place of the last. */
    for (uint32_t i = 0; i < file->items.count; i++) {
        const Item *item = &file->items.items[i];
        if (item->pattern->role != ENTITY) continue;
        map_at(file->arena, &firsts, item_key(item), name_key(item), (int32_t)i);
        *map_at(file->arena, &lasts, item_key(item), name_key(item), 0) = (int32_t)i;
    }
    Owner *owners = NULL;
    for (uint32_t i = 0; i < file->items.count; i++) {
        const Item *item = &file->items.items[i];
        int32_t first = 0, last = 0;
        if (item->pattern->role != ENTITY) continue;
        map_get(&firsts, item_key(item), name_key(item), &first);
        map_get(&lasts, item_key(item), name_key(item), &last);
        if ((uint32_t)last != i) continue;
        item = &file->items.items[first];
        while (places.items[places.count - 1].end <= item->start) places.count--;
        Place place = places.items[places.count - 1];
        Text name = has_span(item->name)              ? read_name(file, item->name)
                    : has_text(item->pattern->name) ? item->pattern->name
                                                    : EMPTY;
        if (!has_implied(item)) {
            Place inside = place_inside(file, item, name, place, &owners);
            *PUSH(file->arena, places) = inside;
        } else if (place.owner != NULL &&
                   !(has_span(item->content) && is_bound(file, item->content.start, item->content.end)) &&
                   (place.is_constructor || item->pattern->implied != IMPLIED_IN_CONSTRUCTOR)) {
            assign(file, place.owner, name, item, place.is_constructor);
        }
    }
    for (Owner *owner = owners; owner != NULL; owner = owner->next)
        for (uint32_t i = 0; i < owner->assigned.count; i++) {
            Text name = owner->names.texts.items[i];
            const Item *item = owner->assigned.items[i];
            uint32_t number;
            if (find_number(&owner->declared, name, &number)) continue;
            if (find_number(&owner->fields, without_marks(name), &number)) continue;
            int32_t *span = map_at(file->arena, &file->implied, item_key(item), name_key(item), -1);
            *span = (int32_t)file->owners.count;
            *PUSH(file->arena, file->owners) = owner->span;
        }
}

/* Frames */

static Frame *push_frame(File *file, uint32_t start, uint32_t end, Kind kind, int32_t entity, Text parent, Text named) {
    Frame *frame = arena_take(file->arena, sizeof(Frame));
    *frame = (Frame){.kind = kind, .start = start, .end = end, .entity = entity, .parent = parent, .named_parent = named};
    *PUSH(file->arena, file->frames) = frame;
    if (kind != K_WRAP) file->top = frame;
    return frame;
}

static void push_inside(File *file, const Item *item, Kind kind) {
    Frame *top = file->top;
    push_frame(file, item->start, item->end, kind, top->entity, top->parent, top->named_parent);
}

static Frame *innermost(const File *file) { return file->frames.items[file->frames.count - 1]; }

static void find_top(File *file) {
    uint32_t at = file->frames.count - 1;
    while (file->frames.items[at]->kind == K_WRAP) at--;
    file->top = file->frames.items[at];
}

/* A single definition takes the span of its wrap; several take their documentation from above it. */
static void close_frame(File *file) {
    Frame *frame = file->frames.items[--file->frames.count];
    uint32_t count = frame->inside.count;
    if (!count) return;
    bool has_local = false;
    for (uint32_t i = 0; i < count; i++) has_local = has_local || frame->inside.items[i] == LOCAL_INSIDE;
    for (uint32_t i = 0; i < count && !has_local; i++) {
        Entity *entity = &file->entities.items[frame->inside.items[i]];
        entity->anchor = frame->start;
        if (count == 1) {
            entity->start = frame->start;
            entity->end = frame->end;
        } else if (!has_span(entity->shared)) {
            entity->shared = (Span){frame->start, file->entities.items[frame->inside.items[0]].start};
        }
    }
    if (file->frames.count && innermost(file)->kind == K_WRAP)
        for (uint32_t i = 0; i < count; i++) *PUSH(file->arena, innermost(file)->inside) = frame->inside.items[i];
}

/* Nodes */

static int32_t add_node(File *file, NodeType type, Text name, const Item *item, Span content, Text named_parent, int32_t entity) {
    if (!file->language->has_nodes) return -1;
    if (!named_parent.length) named_parent = file->top->named_parent;
    *PUSH(file->arena, file->nodes) =
        (Node){type, name, named_parent, NO_TEXT, file->line, item->start, item->end, content, entity};
    return (int32_t)file->nodes.count - 1;
}

static int32_t add_inside(File *file, NodeType type, Text name, const Item *item, Span content) {
    return add_node(file, type, name, item, content, file->top->named_parent, file->top->entity);
}

/* Entities */

static Text entity_name(File *file, const Item *item) {
    const Pattern *pattern = item->pattern;
    Text name = has_text(pattern->name) && pattern->name.length ? pattern->name
                : has_span(item->name)                           ? read_name(file, item->name)
                                                                 : EMPTY;
    if (!pattern->has_settings) return name;
    Text strip = has_text(pattern->strip) ? pattern->strip : EMPTY;
    if (has_more(item, C_PREFIX)) {
        Text prefix = strip_left(read_name(file, item->more[C_PREFIX]), strip);
        name = JOIN(file->arena, prefix, has_text(pattern->join) ? pattern->join : EMPTY, strip_left(name, strip));
    }
    name = strip_left(name, strip);
    return has_text(pattern->prefix) ? JOIN(file->arena, pattern->prefix, name) : name;
}

static Kind entity_kind(File *file, Kind kind, Text name, const Frame *top) {
    const Language *language = file->language;
    if (is_class_like(top->kind)) {
        kind = kind == K_FN ? K_METHOD : kind == K_VAR ? K_FIELD : kind;
    } else if (kind == K_VAR && language->has_constants && ask_whether(file, ASK_IS_CONSTANT, name)) {
        kind = K_CONST;
    }
    if (kind == K_METHOD && (is_constructor_name(language, name) ||
                             (language->takes_parent_name && same_text(name, top->named_parent))))
        kind = K_CONSTRUCTOR;
    return kind;
}

static Text inside_of(File *file, Text parent, Text name) {
    return parent.length ? JOIN(file->arena, parent, TEXT("."), name) : name;
}

static Entity *add_entity(File *file, const Item *item, Kind kind, Text name, Text parent, int32_t container) {
    Entity *entity = PUSH(file->arena, file->entities);
    *entity = (Entity){.item = item, .kind = kind, .name = name, .parent = parent, .container = container,
                       .start = item->start, .end = item->end, .anchor = item->start, .shared = NO_SPAN, .node = -1};
    return entity;
}

static bool is_in_type(const File *file) {
    for (uint32_t i = file->frames.count; i-- > 0;) {
        Kind kind = file->frames.items[i]->kind;
        if (kind != K_WRAP && kind != K_LAMBDA) return is_class_like(kind) || kind == K_MOD || kind == K_NAMESPACE;
    }
    return false;
}

static void sweep_implied(File *file, const Item *item) {
    int32_t at;
    if (!map_get(&file->implied, item_key(item), name_key(item), &at)) return;
    for (uint32_t i = file->frames.count; i-- > 0;) {
        const Frame *frame = file->frames.items[i];
        if (frame->start != file->owners.items[at].start || frame->end != file->owners.items[at].end) continue;
        Kind kind = (Kind)item->pattern->kind;
        Text name = entity_name(file, item);
        int32_t index = (int32_t)file->entities.count;
        int32_t node = add_node(file, TYPES_OF_KINDS[kind], name, item, item->content, frame->named_parent, index);
        add_entity(file, item, kind, name, frame->parent, frame->entity)->node = node;
        return;
    }
}

static Text last_part(Text chain) {
    int dot = find_last(chain, '.');
    return dot < 0 ? chain : (Text){chain.at + dot + 1, chain.length - (uint32_t)dot - 1};
}

static void open_entity(File *file, const Item *item, Entity *entity, const Frame *top) {
    int32_t index = (int32_t)file->entities.count - 1;
    bool has_owner = has_more(item, C_OWNER);
    Text owner = has_owner ? read_path(file, item->more[C_OWNER]) : entity->name;
    Text named_parent = has_more(item, C_PARENT) ? last_part(entity->parent) : top->named_parent;
    entity->node = add_node(file, TYPES_OF_KINDS[entity->kind], entity->name, item, item->content, named_parent, index);
    Kind kind = entity->kind;
    bool is_unnamed = kind == K_VAR || kind == K_CONST || kind == K_FIELD || kind == K_MEMBER;
    push_frame(file, item->start, item->end, kind, index, inside_of(file, entity->parent, owner),
               is_unnamed && !has_owner ? named_parent : owner);
}

/* The text of an expression; empty if it is too long, but for lists and their like. */
static Text short_text(File *file, Span span) {
    if (span.end - span.start <= LONGEST_VALUE) return read_text(file, span);
    return holds(TEXT("[{"), file->source.at[span.start]) ? TEXT("[]") : EMPTY;
}

static void sweep_bind(File *file, const Item *item);

static void sweep_entity(File *file, const Item *item) {
    const Pattern *pattern = item->pattern;
    if (has_implied(item)) {
        sweep_implied(file, item);
        return;
    }
    if (pattern->is_within_type && !is_in_type(file)) return;
    Frame *top = file->top;
    Kind kind = (Kind)pattern->kind;
    bool is_local = (kind == K_VAR || kind == K_CONST) &&
                    (is_function_like(top->kind) || top->kind == K_LAMBDA || pattern->is_local);
    if (is_local && innermost(file)->kind == K_WRAP) *PUSH(file->arena, innermost(file)->inside) = LOCAL_INSIDE;
    int32_t known;
    if (map_get(&file->seen, item_key(item), name_key(item), &known)) return; /* An earlier pattern found it. */
    if (!has_more(item, C_BOUND) && is_bound(file, item->start, item->end)) return;
    map_at(file->arena, &file->seen, item_key(item), name_key(item), 1);
    if (is_local && !file->language->has_nodes) return;
    Text name = entity_name(file, item);
    if (!name.length) return; /* The parser inserted it to recover from an error. */
    if (is_local) {
        Item plain = *item;
        plain.content = NO_SPAN;
        if (pattern->binds != B_NONE) sweep_bind(file, &plain);
        add_inside(file, kind == K_VAR ? N_VARIABLE : N_CONSTANT, name, item, item->content);
        return;
    }
    if (top->start == item->start && top->end == item->end && top->kind != K_FILE && top->kind != K_LAMBDA) {
        uint32_t at = 0; /* One node defines several names: they are siblings. */
        while (file->frames.items[at] != top) at++;
        file->frames.count--;
        memmove(file->frames.items + at, file->frames.items + at + 1, (file->frames.count - at) * sizeof(Frame *));
        find_top(file);
        top = file->top;
    }
    if (pattern->is_hoisted)
        for (uint32_t i = file->frames.count; i-- > 0;)
            if (is_class_like(file->frames.items[i]->kind)) {
                top = file->frames.items[i];
                break;
            }
    kind = entity_kind(file, kind, name, top);
    Text parent = top->parent;
    if (has_more(item, C_PARENT)) parent = inside_of(file, top->parent, read_path(file, item->more[C_PARENT]));
    if (innermost(file)->kind == K_WRAP) *PUSH(file->arena, innermost(file)->inside) = (int32_t)file->entities.count;
    Entity *entity = add_entity(file, item, kind, name, parent, top->entity);
    open_entity(file, item, entity, top);
}

static void sweep_base(File *file, const Item *item) {
    if (file->top->entity < 0) return;
    Text relation = item->pattern->role == INHERITS ? TEXT("inherits") : TEXT("implements");
    Text name = read_path(file, (Span){item->start, item->end});
    Entity *entity = &file->entities.items[file->top->entity];
    *PUSH(file->arena, entity->bases) = (Base){relation, name};
}

static void sweep_call(File *file, const Item *item) {
    const Frame *top = file->top;
    if (!has_span(item->name) || (item->start == top->start && item->end == top->end && top->entity >= 0)) return;
    Text name = read_expression(file, item->name);
    if (has_more(item, C_RECEIVER)) name = JOIN(file->arena, read_expression(file, item->more[C_RECEIVER]), TEXT("."), name);
    add_inside(file, N_CALL, name, item, item->content);
}

static void sweep_new(File *file, const Item *item) {
    if (!has_span(item->name)) return;
    add_inside(file, N_CALL, JOIN(file->arena, TEXT("new:"), read_expression(file, item->name)), item, item->content);
}

static void sweep_import(File *file, const Item *item) {
    const Pattern *pattern = item->pattern;
    Text source = has_more(item, C_SOURCE)    ? read_name(file, item->more[C_SOURCE])
                  : has_text(pattern->source) ? pattern->source
                                              : EMPTY;
    if (has_more(item, C_PREFIX))
        source = JOIN(file->arena, read_name(file, item->more[C_PREFIX]), has_text(pattern->join) ? pattern->join : EMPTY, source);
    Text name = has_text(pattern->name) && pattern->name.length ? pattern->name
                : has_span(item->name)                           ? read_name(file, item->name)
                                                                 : EMPTY;
    if (has_text(pattern->strip)) {
        source = strip_right(strip_left(source, pattern->strip), pattern->strip);
        name = strip_right(strip_left(name, pattern->strip), pattern->strip);
    }
    uint64_t number = number_of(file->arena, &file->import_names, name);
    int32_t *known = map_at(file->arena, &file->imports, (uint64_t)item->start << 32 | number, name_key(item), -1);
    if (*known != -1) return; /* An earlier pattern found it, with its alias. */
    *known = 0;
    Text imported = source.length && name.length ? JOIN(file->arena, source, TEXT(":"), name)
                    : source.length              ? source
                                                 : name;
    int32_t node = add_inside(file, N_IMPORT, imported, item, NO_SPAN);
    if (node >= 0 && has_more(item, C_ALIAS)) file->nodes.items[node].alias = read_name(file, item->more[C_ALIAS]);
}

/* Names and what they mean */

static bool is_no_scope(Kind kind) {
    return kind == K_WRAP || kind == K_VAR || kind == K_CONST || kind == K_FIELD || kind == K_MEMBER || kind == K_TYPEDEF;
}

static bool is_holder(Kind kind) {
    return is_class_like(kind) || (is_no_scope(kind) && kind != K_WRAP) || kind == K_MOD || kind == K_NAMESPACE;
}

static bool is_wanted_role(Binds binds) { return binds == B_FIELD || binds == B_ALIAS || binds == B_PART || binds == B_BASE; }

static const Frame *last_frame(const File *file, const Item *without, bool (*is_wanted)(Kind)) {
    for (uint32_t i = file->frames.count; i-- > 0;) {
        const Frame *frame = file->frames.items[i];
        bool is_left_out = without != NULL && frame->start == without->start && frame->end == without->end;
        if (!is_left_out && is_wanted(frame->kind)) return frame;
    }
    return NULL;
}

static bool is_any(Kind kind) { return (void)kind, true; }
static bool is_scope(Kind kind) { return !is_no_scope(kind); }
static bool is_no_wrap(Kind kind) { return kind != K_WRAP; }
static bool is_class(Kind kind) { return is_class_like(kind); }
static bool is_function(Kind kind) { return is_function_like(kind); }

/* Where a name belongs; `scope` where it simply holds in the scope around it. */
static const Frame *frame_of(const File *file, const Item *without, Binds binds, const Frame *scope) {
    const Frame *frame;
    switch (binds) {
    case B_FIELD:
    case B_PART:
    case B_BASE:
        frame = last_frame(file, without, is_no_wrap);
        return frame != NULL && is_holder(frame->kind) ? frame : NULL;
    case B_ALIAS:
    case B_DECLARED:
        return last_frame(file, without, is_no_wrap);
    case B_MEMBER:
        frame = last_frame(file, without, is_class);
        return frame != NULL ? frame : last_frame(file, without, is_function);
    case B_EXPORT:
        return file->frames.items[0];
    default:
        return scope;
    }
}

static Text steps_of_key(File *file, Text keys) {
    if (!is_ascii(keys)) return text_of(file, ask_about_name(file, ASK_STEPS, keys));
    Text first = NO_TEXT, last = NO_TEXT;
    uint32_t n_words = 0;
    for (uint32_t i = 0; i < keys.length;) {
        uint32_t start = i;
        while (i < keys.length && (is_word((unsigned char)keys.at[i]) || keys.at[i] == '$')) i++;
        if (i == start) {
            i++;
            continue;
        }
        last = (Text){keys.at + start, i - start};
        if (!n_words++) first = last;
    }
    return n_words > 1 ? JOIN(file->arena, TEXT("."), first, TEXT("."), last) : JOIN(file->arena, TEXT("."), keys);
}

static void sweep_bind(File *file, const Item *item) {
    const Pattern *pattern = item->pattern;
    Spans *blocks = &file->blocks;
    while (blocks->count && blocks->items[blocks->count - 1].end <= item->start) blocks->count--;
    Binds binds = pattern->binds;
    if (binds == B_BLOCK) {
        *PUSH(file->arena, *blocks) = (Span){item->start, item->end};
        return;
    }
    const Item *without = is_wanted_role(binds) ? item : NULL;
    const Frame *scope = last_frame(file, without, is_any);
    if (scope == NULL) return;
    if (is_no_scope(scope->kind)) scope = last_frame(file, without, is_scope);
    const Frame *frame = frame_of(file, without, binds, scope);
    bool is_type = pattern->content == C_TYPE;
    Span span = item->content;
    if (!has_span(span) && has_more(item, C_TYPE)) span = item->more[C_TYPE], is_type = true;
    Text name = has_span(item->name) ? read_name(file, item->name) : EMPTY;
    Text text = has_span(span) ? short_text(file, span) : EMPTY;
    Text strip = has_text(pattern->strip) ? pattern->strip : EMPTY, step = EMPTY;
    if (pattern->has_settings) {
        if (has_text(pattern->step)) step = pattern->step;
        name = has_text(pattern->name) && pattern->name.length
                   ? pattern->name
                   : JOIN(file->arena, has_text(pattern->prefix) ? pattern->prefix : EMPTY, strip_left(name, strip));
        text = has_text(pattern->value) && pattern->value.length ? pattern->value : strip_left(text, strip);
    } else {
        strip = EMPTY;
    }
    if (has_more(item, C_KEY)) step = steps_of_key(file, strip_left(read_name(file, item->more[C_KEY]), strip));
    if (has_more(item, C_PREFIX))
        name = JOIN(file->arena, strip_left(read_name(file, item->more[C_PREFIX]), strip),
                    has_text(pattern->join) ? pattern->join : EMPTY, name);
    if (has_more(item, C_OWNER) && (frame == NULL || binds != B_FIELD)) {
        name = JOIN(file->arena, read_name(file, item->more[C_OWNER]), TEXT("."), name);
        if (frame == NULL) frame = scope;
    } else if (binds == B_PART) {
        name = JOIN(file->arena, TEXT("."), name);
        frame = frame != NULL ? NULL : scope;
    }
    bool is_of_function = binds == B_RESULT || binds == B_ABSTRACT || binds == B_EXTENDS || binds == B_MACRO;
    if (frame == NULL || (is_of_function && !is_function_like(frame->kind))) return;
    uint32_t first = item->start, until = 0;
    Span block = blocks->count ? blocks->items[blocks->count - 1] : NO_SPAN;
    if (binds == B_NARROWED) {
        until = item->end;
    } else if (binds == B_LOCAL && has_span(block) && (frame->start < block.start || block.end < frame->end)) {
        until = block.end;
    } else if (frame->kind == K_LAMBDA) {
        bool is_from_here = binds == B_FIELD || binds == B_PART;
        first = is_from_here ? first : frame->start;
        until = frame->end;
    }
    int32_t owner = binds == B_EXPORT ? EXPORTS : frame->entity;
    *PUSH(file->arena, file->bound_names) = (BoundName){
        pattern->binds_name, name, text, step, is_type && has_span(span), false, pattern->is_defining, owner, scope->entity, first, until};
}

/* The role of the names in the innermost region around; empty outside of all. */
static Text region_role(File *file, uint32_t start) {
    while (file->regions.count && file->regions.items[file->regions.count - 1].end <= start) file->regions.count--;
    return file->regions.count ? file->regions.items[file->regions.count - 1].role : EMPTY;
}

static void sweep_region(File *file, const Item *item) {
    if (same_text(region_role(file, item->start), TEXT("none"))) return;
    *PUSH(file->arena, file->regions) = (Region){item->end, item->pattern->kind_name};
}

/* A name in a text that is not parsed, or nothing at its end; strings and comments are passed over. */
static Span next_word(Text text, uint32_t *at, bool *is_member) {
    const char *s = text.at;
    uint32_t i = *at, n = text.length;
    *is_member = false;
    while (i < n) {
        char c = s[i], after = i + 1 < n ? s[i + 1] : 0;
        if (c == '"' || c == '\'') {
            for (i++; i < n && s[i] != c; i++)
                if (s[i] == '\\') i++;
            i++;
        } else if (c == '/' && after == '/') {
            while (i < n && s[i] != '\n') i++;
        } else if (c == '/' && after == '*') {
            for (i += 2; i < n && !(s[i] == '*' && i + 1 < n && s[i + 1] == '/'); i++) {}
            i += 2;
        } else if (is_word((unsigned char)c)) {
            uint32_t start = i;
            while (i < n && is_word((unsigned char)s[i])) i++;
            *at = i;
            return (Span){start, i};
        } else {
            if (c == '.' || (c == '>' && i && s[i - 1] == '-')) *is_member = true;
            else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') *is_member = false;
            i++;
            continue;
        }
        *is_member = false;
    }
    *at = n;
    return NO_SPAN;
}

static bool has_word(Text text, Text word) {
    bool is_member;
    Span found;
    for (uint32_t at = 0; has_span(found = next_word(text, &at, &is_member));)
        if (same_text((Text){text.at + found.start, found.end - found.start}, word)) return true;
    return false;
}

/* Each name in a text that is not parsed, unless it is one of the arguments. */
static void sweep_words(File *file, const Item *item) {
    Span span = has_span(item->name) ? item->name : (Span){item->start, item->end}, found;
    Text text = source_text(file, span.start, span.end);
    Text arguments = has_span(item->content) ? source_text(file, item->content.start, item->content.end) : EMPTY;
    bool is_member;
    for (uint32_t at = 0; has_span(found = next_word(text, &at, &is_member));) {
        Text name = {text.at + found.start, found.end - found.start};
        if (is_digit((unsigned char)name.at[0]) || has_word(arguments, name)) continue;
        Item *word = arena_take(file->arena, sizeof(Item));
        *word = *item;
        word->start = span.start + found.start, word->end = span.start + found.end;
        word->name = word->content = NO_SPAN;
        word->present = is_member ? 1u << C_RECEIVER : 0;
        word->more[C_RECEIVER] = (Span){word->start, word->start}; /* a member of what is not known */
        Span own = {word->start, word->end};
        *PUSH(file->arena, file->mentions) = (Mention){own, false, item->pattern->kind_name, word, file->top->entity};
    }
}

static void sweep_mention(File *file, const Item *item) {
    Text role = item->pattern->kind_name;
    int32_t entity = file->top->entity;
    Span own = {item->start, item->end};
    if (same_text(role, TEXT("calls"))) {
        Span span = has_span(item->content) ? item->content : own;
        Text text = short_text(file, span);
        Text name = has_span(item->name) ? read_text(file, item->name) : EMPTY;
        bool is_implied = has_text(item->pattern->step); /* the call of a member that is not written there */
        Text step = is_implied ? item->pattern->step : EMPTY;
        *PUSH(file->arena, file->bound_names) =
            (BoundName){role, name, text, step, false, true, false, entity, entity, item->start, is_implied ? item->end : 0};
        return;
    }
    if (item->pattern->has_words) {
        sweep_words(file, item);
        return;
    }
    Text around = region_role(file, item->start);
    if (same_text(around, TEXT("none"))) return;
    if (around.length && same_text(role, TEXT("reads"))) role = around;
    bool is_certain = !same_text(role, TEXT("reads")) && !same_text(role, TEXT("types"));
    *PUSH(file->arena, file->mentions) = (Mention){has_span(item->name) ? item->name : own, is_certain, role, item, entity};
}

/* Uses that are no calls */

static bool is_also(const Mention *mention) {
    return mention->item->pattern->is_also;
}

static int compare_mentions(const void *a, const void *b) {
    const Mention *one = a, *other = b;
    if (one->name.start != other->name.start) return one->name.start < other->name.start ? -1 : 1;
    if (one->name.end != other->name.end) return one->name.end < other->name.end ? -1 : 1;
    if (is_also(one) != is_also(other)) return is_also(one) ? 1 : -1;
    if (one->is_certain != other->is_certain) return one->is_certain ? 1 : -1;
    if (one->item->rank != other->item->rank) return one->item->rank < other->item->rank ? -1 : 1;
    return one->item->order < other->item->order ? -1 : one->item->order > other->item->order;
}

static void take(File *file, Map *taken, Span span) {
    if (has_span(span)) map_at(file->arena, taken, span_key(span.start, span.end), 0, 1);
}

static bool is_taken(const Map *taken, Span span) {
    int32_t value;
    return map_get(taken, span_key(span.start, span.end), 0, &value);
}

/* The names of what other captures have found. */
static Map taken_spans(File *file) {
    Map taken = {0};
    for (uint32_t i = 0; i < file->items.count; i++) {
        const Item *item = &file->items.items[i];
        const Pattern *pattern = item->pattern;
        Role role = pattern->role;
        Span own = {item->start, item->end};
        bool is_taking = role == ENTITY || role == CALL || role == NEW || role == VARIABLE || role == CONSTANT;
        if (is_taking || pattern->is_defining) take(file, &taken, item->name);
        else if (role == INHERITS || role == IMPLEMENTS) take(file, &taken, own);
        else if (same_text(pattern->kind_name, TEXT("calls")) && !has_text(pattern->step)) take(file, &taken, has_span(item->content) ? item->content : own);
    }
    return taken;
}

static Text first_word(Text text) {
    uint32_t length = 0;
    while (length < text.length) {
        char c = text.at[length];
        bool is_letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && !(length && c >= '0' && c <= '9')) break;
        length++;
    }
    return (Text){text.at, length};
}

static Text used_name(File *file, const Mention *mention) {
    const Pattern *pattern = mention->item->pattern;
    Text name = read_name(file, mention->name);
    if (has_text(pattern->strip)) name = strip_left(name, pattern->strip);
    if (pattern->is_word) name = first_word(name);
    return name.length && has_text(pattern->suffix) ? JOIN(file->arena, name, pattern->suffix) : name;
}

static void find_occurrences(File *file) {
    if (!file->mentions.count) return;
    Map defined = {0}, taken = taken_spans(file);
    for (uint32_t i = 0; i < file->entities.count; i++) take(file, &defined, file->entities.items[i].item->name);
    qsort(file->mentions.items, file->mentions.count, sizeof(Mention), compare_mentions);
    for (uint32_t i = 0; i < file->mentions.count; i++) {
        const Mention *mention = &file->mentions.items[i];
        const Item *item = mention->item;
        bool is_followed = i + 1 < file->mentions.count && same_span(mention[1].name, mention->name);
        if (is_followed && is_also(mention) == is_also(mention + 1)) continue; /* The last says more. */
        if (is_taken(&defined, mention->name) && !is_also(mention)) continue;
        if (!mention->is_certain && !is_also(mention) && (is_taken(&taken, mention->name) || is_taken(&taken, (Span){item->start, item->end})))
            continue;
        Text name = used_name(file, mention), receiver = NO_TEXT;
        if (!name.length) continue;
        if (has_more(item, C_RECEIVER)) {
            Span span = item->more[C_RECEIVER];
            receiver = short_text(file, span);
        }
        *PUSH(file->arena, file->occurrences) = (Occurrence){mention->role, name, receiver, mention->entity, mention->name.start};
    }
}

/* The pass */

static void sweep_item(File *file, const Item *item) {
    switch (item->pattern->role) {
    case ENTITY:
        sweep_entity(file, item);
        break;
    case WRAP:
        push_inside(file, item, K_WRAP);
        break;
    case FUNCTION:
        if (is_bound(file, item->start, item->end)) break; /* It has its name from a definition. */
        add_inside(file, N_FUNCTION, TEXT("anonymous"), item, item->content);
        push_inside(file, item, K_LAMBDA);
        break;
    case CALL:
        sweep_call(file, item);
        break;
    case NEW:
        sweep_new(file, item);
        break;
    case IMPORT:
        sweep_import(file, item);
        break;
    case INHERITS:
    case IMPLEMENTS:
        sweep_base(file, item);
        break;
    case PARAMETER:
        if (item->pattern->binds != B_NONE) sweep_bind(file, item);
        break;
    case VARIABLE:
    case CONSTANT:
        if (item->pattern->binds != B_NONE) sweep_bind(file, item);
        if (has_span(item->name))
            add_inside(file, item->pattern->role == VARIABLE ? N_VARIABLE : N_CONSTANT, read_name(file, item->name), item, item->content);
        break;
    case SCOPE:
        if (item->pattern->is_local_scope) push_inside(file, item, K_LAMBDA);
        break;
    case BIND:
        sweep_bind(file, item);
        break;
    case MENTION:
        sweep_mention(file, item);
        break;
    case REGION:
        sweep_region(file, item);
        break;
    default: /* Nodes that only their ids would have use for. */
        break;
    }
}

void sweep(File *file) {
    for (uint32_t i = 0; i < file->items.count; i++) {
        const Item *item = &file->items.items[i];
        if (has_more(item, C_BOUND))
            map_at(file->arena, &file->bound, span_key(item->more[C_BOUND].start, item->more[C_BOUND].end), 0, 1);
    }
    find_implied_attributes(file);
    push_frame(file, 0, file->source.length + 1, K_FILE, -1, EMPTY, TEXT("global"));
    file->line = 1;
    for (uint32_t i = 0; i < file->items.count; i++) {
        const Item *item = &file->items.items[i];
        if (innermost(file)->end <= item->start) {
            while (innermost(file)->end <= item->start) close_frame(file);
            find_top(file);
        }
        while (file->feeds[file->line - 1] < item->start) file->line++;
        sweep_item(file, item);
    }
    while (file->frames.count) close_frame(file);
    find_occurrences(file);
}
