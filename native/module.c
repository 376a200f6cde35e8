/* The module `birthmark._native`: a Language is made once, and extracts one source after the other. */

#include "file.h"
#include "runtime.h"
#include <stdlib.h>

enum { MOST_KNOWN = 1 << 18, LONGEST_SOURCE = 1 << 30, FINGERPRINT_FIELDS = 6 };

typedef struct {
    PyObject ob_base;
    Language language;
} LanguageObject;

/* Making a language */

/* NULL if it is missing, or if there is no mapping. */
static PyObject *find_item(Arena *arena, PyObject *mapping, const char *key) {
    if (mapping == NULL) fail(arena);
    if (!PyDict_Check(mapping)) {
        PyErr_SetString(PyExc_TypeError, "what describes a pattern is no dict");
        fail(arena);
    }
    PyObject *name = PyUnicode_FromString(key);
    PyObject *found = name == NULL ? NULL : PyDict_GetItemWithError(mapping, name);
    Py_XDECREF(name);
    if (found == NULL && PyErr_Occurred()) fail(arena);
    return found;
}

static PyObject *item_of(Arena *arena, PyObject *mapping, const char *key) {
    PyObject *found = find_item(arena, mapping, key);
    if (found == NULL) {
        PyErr_SetString(PyExc_KeyError, key);
        fail(arena);
    }
    return found;
}

static bool flag_of(Arena *arena, PyObject *mapping, const char *key) { return item_of(arena, mapping, key) == Py_True; }

static Text setting_of(Arena *arena, PyObject *settings, const char *key) {
    PyObject *found = find_item(arena, settings, key);
    return found == NULL ? NO_TEXT : copy_str(arena, found);
}

static _Noreturn void not_covered(Arena *arena, const char *reason) {
    PyErr_SetString(PyExc_NotImplementedError, reason);
    fail(arena);
}

typedef struct {
    Text name;
    int number;
} NamedNumber;

static int number_named(const NamedNumber *numbers, size_t count, Text name, int missing) {
    for (size_t i = 0; i < count; i++)
        if (same_text(numbers[i].name, name)) return numbers[i].number;
    return missing;
}

static Capture capture_named(Text name) {
    static const NamedNumber captures[] = {
        {TEXT("name"), C_NAME}, {TEXT("body"), C_BODY}, {TEXT("arguments"), C_ARGUMENTS}, {TEXT("value"), C_VALUE},
        {TEXT("content"), C_CONTENT}, {TEXT("type"), C_TYPE}, {TEXT("source"), C_SOURCE}, {TEXT("alias"), C_ALIAS},
        {TEXT("receiver"), C_RECEIVER}, {TEXT("owner"), C_OWNER}, {TEXT("parent"), C_PARENT}, {TEXT("prefix"), C_PREFIX},
        {TEXT("bound"), C_BOUND}, {TEXT("key"), C_KEY}, {TEXT("documentation"), C_DOCUMENTATION},
    };
    return (Capture)number_named(captures, sizeof captures / sizeof *captures, name, C_NONE);
}

static Binds binds_named(Text name) {
    static const NamedNumber roles[] = {
        {TEXT("block"), B_BLOCK}, {TEXT("narrowed"), B_NARROWED}, {TEXT("field"), B_FIELD}, {TEXT("part"), B_PART},
        {TEXT("base"), B_BASE}, {TEXT("alias"), B_ALIAS}, {TEXT("local"), B_LOCAL}, {TEXT("result"), B_RESULT},
        {TEXT("abstract"), B_ABSTRACT}, {TEXT("extends"), B_EXTENDS}, {TEXT("macro"), B_MACRO}, {TEXT("member"), B_MEMBER},
        {TEXT("declared"), B_DECLARED}, {TEXT("export"), B_EXPORT},
    };
    return (Binds)number_named(roles, sizeof roles / sizeof *roles, name, name.length ? B_OTHER : B_NONE);
}

static int kind_named(Text name) {
    for (int kind = 0; kind < N_KINDS; kind++)
        if (same_text(KIND_NAMES[kind], name)) return kind;
    return -1;
}

static uint32_t find_capture(Language *language, Text name) {
    for (uint32_t i = 0; i < ts_query_capture_count(language->query); i++) {
        uint32_t length;
        const char *at = ts_query_capture_name_for_id(language->query, i, &length);
        if (same_text((Text){at, length}, name)) return i;
    }
    not_covered(&language->arena, "a pattern without a capture of its own");
}

static Role role_of(Arena *arena, PyObject *number) {
    long role = PyLong_AsLong(number);
    if (PyErr_Occurred()) fail(arena);
    if (role < 0 || role >= N_ROLES) not_covered(arena, "a role of another version");
    return (Role)role;
}

static void read_pattern(Language *language, Pattern *pattern, uint32_t rank, PyObject *given) {
    Arena *arena = &language->arena;
    PyObject *settings = item_of(arena, given, "settings");
    *pattern = (Pattern){
        .own = find_capture(language, copy_str(arena, item_of(arena, given, "capture"))),
        .role = role_of(arena, item_of(arena, given, "role")),
        .kind_name = copy_str(arena, item_of(arena, given, "kind")),
        .binds_name = copy_str(arena, item_of(arena, given, "binds")),
        .content = capture_named(copy_str(arena, item_of(arena, given, "content"))),
        .is_plain = flag_of(arena, given, "is_plain"),
        .is_local_scope = flag_of(arena, given, "is_local_scope"),
        .is_local = find_item(arena, settings, "local") != NULL,
        .is_hoisted = find_item(arena, settings, "hoist") != NULL,
        .is_also = find_item(arena, settings, "also") != NULL,
        .is_word = find_item(arena, settings, "word") != NULL,
        .has_words = find_item(arena, settings, "words") != NULL,
        .has_settings = PyDict_Size(settings) > 0,
        .name = setting_of(arena, settings, "name"),
        .prefix = setting_of(arena, settings, "prefix"),
        .strip = setting_of(arena, settings, "strip"),
        .step = setting_of(arena, settings, "step"),
        .value = setting_of(arena, settings, "value"),
        .join = setting_of(arena, settings, "join"),
        .source = setting_of(arena, settings, "source"),
        .suffix = setting_of(arena, settings, "suffix"),
    };
    Text within = setting_of(arena, settings, "within"), implied = setting_of(arena, settings, "implied");
    pattern->is_within_type = has_text(within) && same_text(within, TEXT("type"));
    if (has_text(implied))
        pattern->implied = same_text(implied, TEXT("constructor")) ? IMPLIED_IN_CONSTRUCTOR : IMPLIED;
    pattern->kind = kind_named(pattern->kind_name);
    pattern->binds = binds_named(pattern->binds_name);
    static const NamedNumber defining[] = {
        {TEXT("parameter"), true}, {TEXT("optional"), true}, {TEXT("rest"), true}, {TEXT("local"), true},
    };
    pattern->is_defining = number_named(defining, sizeof defining / sizeof *defining, pattern->binds_name, false);
    if (pattern->role == ENTITY && pattern->kind < 0) not_covered(arena, "an entity of another kind");
    if (pattern->role == SEGMENT) not_covered(arena, "a container");
    if (!flag_of(arena, given, "is_needed")) ts_query_disable_pattern(language->query, rank);
}

static Text query_string(Language *language, uint32_t id) {
    uint32_t length;
    const char *at = ts_query_string_value_for_id(language->query, id, &length);
    return (Text){at, length};
}

static void read_predicate(Language *language, Predicate *predicate, const TSQueryPredicateStep *steps, uint32_t count, PyObject *compile) {
    Arena *arena = &language->arena;
    Text name = query_string(language, steps[0].value_id);
    *predicate = (Predicate){.is_positive = !starts_with(name, TEXT("not-"))};
    if (!predicate->is_positive) name = (Text){name.at + 4, name.length - 4};
    bool is_capture = count > 2 && steps[2].type == TSQueryPredicateStepTypeCapture;
    if (count < 3 || steps[1].type != TSQueryPredicateStepTypeCapture) not_covered(arena, "a predicate of another form");
    predicate->capture = steps[1].value_id;
    if (same_text(name, TEXT("eq?")) && count == 3) {
        predicate->kind = is_capture ? EQUALS_CAPTURE : EQUALS;
        predicate->other = steps[2].value_id;
    } else if (same_text(name, TEXT("any-of?")) && predicate->is_positive) {
        predicate->kind = ANY_OF;
    } else if (same_text(name, TEXT("match?")) && count == 3 && !is_capture) {
        predicate->kind = MATCHES;
        Text pattern = query_string(language, steps[2].value_id);
        predicate->matcher = PyObject_CallFunction(compile, "s#", pattern.at, (Py_ssize_t)pattern.length);
        predicate->known = PyDict_New();
        if (predicate->matcher == NULL || predicate->known == NULL) fail(arena);
    } else {
        not_covered(arena, "a predicate of another kind");
    }
    Text *values = arena_take(arena, count * sizeof(Text));
    for (uint32_t i = 2; i < count && predicate->kind != EQUALS_CAPTURE; i++) {
        if (steps[i].type != TSQueryPredicateStepTypeString) not_covered(arena, "a predicate of another form");
        values[predicate->n_values++] = query_string(language, steps[i].value_id);
    }
    predicate->values = values;
}

static void read_predicates(Language *language, Pattern *pattern, uint32_t rank, PyObject *compile) {
    uint32_t n_steps;
    const TSQueryPredicateStep *steps = ts_query_predicates_for_pattern(language->query, rank, &n_steps);
    pattern->predicates = arena_take(&language->arena, (n_steps + 1) * sizeof(Predicate));
    for (uint32_t start = 0, at = 0; at < n_steps; at++) {
        if (steps[at].type != TSQueryPredicateStepTypeDone) continue;
        if (!same_text(query_string(language, steps[start].value_id), TEXT("set!"))) {
            Predicate *predicate = &pattern->predicates[pattern->n_predicates++];
            *predicate = (Predicate){0}; /* It is released with the language, even if reading it fails. */
            read_predicate(language, predicate, steps + start, at - start, compile);
        }
        start = at + 1;
    }
}

static void read_rules(Language *language, PyObject *rules) {
    Arena *arena = &language->arena;
    language->name = copy_str(arena, item_of(arena, rules, "name"));
    language->has_nodes = flag_of(arena, rules, "has_nodes");
    language->has_constants = flag_of(arena, rules, "has_constants");
    language->has_makers = flag_of(arena, rules, "has_makers");
    language->hides_receivers = flag_of(arena, rules, "hides_receivers");
    language->calls_bare = flag_of(arena, rules, "calls_bare");
    language->keeps_marks = flag_of(arena, rules, "keeps_marks");
    language->has_overloads = flag_of(arena, rules, "has_overloads");
    language->keeps_root = flag_of(arena, rules, "keeps_root");
    language->setter_mark = copy_str(arena, item_of(arena, rules, "setter_mark"));
    language->variable_mark = copy_str(arena, item_of(arena, rules, "variable_mark"));
    PyObject *constructors = item_of(arena, rules, "constructors"), *joins = item_of(arena, rules, "joins");
    Py_ssize_t n_constructors = PyTuple_Size(constructors);
    if (n_constructors < 0) fail(arena);
    Text *names = arena_take(arena, ((size_t)n_constructors + 1) * sizeof(Text));
    for (Py_ssize_t i = 0; i < n_constructors; i++) {
        Text name = copy_str(arena, PyTuple_GetItem(constructors, i));
        names[language->n_constructors++] = name;
        if (same_text(name, TEXT("<parent>"))) language->takes_parent_name = true;
    }
    language->constructors = names;
    char *pairs;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(joins, &pairs, &length) < 0) fail(arena);
    for (Py_ssize_t i = 0; i + 1 < length; i += 2) {
        unsigned char left = (unsigned char)pairs[i], right = (unsigned char)pairs[i + 1];
        language->joins[left][right >> 3] |= (uint8_t)(1 << (right & 7));
    }
}

static void compile_query(Language *language, PyObject *capsule, Text query, Text analysis) {
    Arena *arena = &language->arena;
    Py_INCREF(capsule);
    language->capsule = capsule;
    language->grammar = PyCapsule_GetPointer(capsule, "tree_sitter.Language");
    if (language->grammar == NULL) fail(arena);
    uint32_t version = ts_language_abi_version(language->grammar);
    if (version < TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION || version > TREE_SITTER_LANGUAGE_VERSION)
        not_covered(arena, "a grammar of another version");
    const unsigned char *known = (const unsigned char *)analysis.at;
    language->query = query_new(language->grammar, query.at, query.length, known, analysis.length);
    if (language->query == NULL) not_covered(arena, "a query that is not understood");
    uint32_t n_captures = ts_query_capture_count(language->query);
    language->captures = arena_take(arena, (n_captures + 1) * sizeof(Capture));
    for (uint32_t i = 0; i < n_captures; i++) {
        uint32_t length;
        const char *at = ts_query_capture_name_for_id(language->query, i, &length);
        language->captures[i] = capture_named((Text){at, length});
    }
}

static int language_init(PyObject *self, PyObject *args, PyObject *keywords) {
    Language *language = &((LanguageObject *)self)->language;
    PyObject *capsule;
    const char *query, *analysis = NULL;
    Py_ssize_t length, analysis_length = 0;
    if (keywords != NULL && PyDict_Size(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Language takes no keywords");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "Os#|z#", &capsule, &query, &length, &analysis, &analysis_length)) return -1;
    if (language->capsule != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a Language is made once");
        return -1;
    }
    if (setjmp(language->arena.failure)) return -1;
    compile_query(language, capsule, (Text){query, (uint32_t)length}, (Text){analysis, (uint32_t)analysis_length});
    return 0;
}

static void prepare(Language *language, PyObject *patterns, PyObject *rules, PyObject *questions, PyObject *compile) {
    Arena *arena = &language->arena;
    uint32_t n_patterns = ts_query_pattern_count(language->query);
    if (PyList_Size(patterns) != (Py_ssize_t)n_patterns) not_covered(arena, "patterns that are counted differently");
    language->patterns = arena_take(arena, (n_patterns + 1) * sizeof(Pattern));
    memset(language->patterns, 0, (n_patterns + 1) * sizeof(Pattern));
    language->n_patterns = n_patterns;
    for (uint32_t rank = 0; rank < n_patterns; rank++) {
        read_pattern(language, &language->patterns[rank], rank, PyList_GetItem(patterns, rank));
        read_predicates(language, &language->patterns[rank], rank, compile);
    }
    read_rules(language, rules);
    for (int i = 0; i < N_QUESTIONS; i++) {
        PyObject *question = PyTuple_GetItem(questions, i);
        language->known[i] = PyDict_New();
        if (question == NULL || language->known[i] == NULL) fail(arena);
        Py_INCREF(question);
        language->questions[i] = question;
    }
    language->is_ready = true;
}

static PyObject *language_prepare(PyObject *self, PyObject *args) {
    Language *language = &((LanguageObject *)self)->language;
    PyObject *patterns, *rules, *questions, *compile;
    if (!PyArg_ParseTuple(args, "O!O!O!O", &PyList_Type, &patterns, &PyDict_Type, &rules, &PyTuple_Type, &questions, &compile))
        return NULL;
    if (language->query == NULL || language->patterns != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a Language is prepared once");
        return NULL;
    }
    if (setjmp(language->arena.failure)) return NULL;
    prepare(language, patterns, rules, questions, compile);
    Py_RETURN_NONE;
}

/* What the patterns say of themselves, by their ranks */

static bool rank_of(const Language *language, PyObject *number, uint32_t *rank) {
    unsigned long given = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred()) return false;
    bool is_there = language->query != NULL && given < ts_query_pattern_count(language->query);
    if (!is_there) PyErr_SetString(PyExc_IndexError, "no such pattern");
    *rank = (uint32_t)given;
    return is_there;
}

static PyObject *language_pattern_count(PyObject *self, PyObject *unused) {
    const Language *language = &((LanguageObject *)self)->language;
    (void)unused;
    return PyLong_FromUnsignedLong(language->query == NULL ? 0 : ts_query_pattern_count(language->query));
}

static PyObject *language_analysis(PyObject *self, PyObject *unused) {
    const Language *language = &((LanguageObject *)self)->language;
    (void)unused;
    if (language->query == NULL) return PyBytes_FromStringAndSize(NULL, 0);
    PyObject *found = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)query_analysis(language->query, NULL));
    if (found != NULL) query_analysis(language->query, (unsigned char *)PyBytes_AsString(found));
    return found;
}

static PyObject *language_start_byte(PyObject *self, PyObject *number) {
    const Language *language = &((LanguageObject *)self)->language;
    uint32_t rank;
    return rank_of(language, number, &rank) ? PyLong_FromUnsignedLong(ts_query_start_byte_for_pattern(language->query, rank)) : NULL;
}

static PyObject *language_end_byte(PyObject *self, PyObject *number) {
    const Language *language = &((LanguageObject *)self)->language;
    uint32_t rank;
    return rank_of(language, number, &rank) ? PyLong_FromUnsignedLong(ts_query_end_byte_for_pattern(language->query, rank)) : NULL;
}

static PyObject *language_settings(PyObject *self, PyObject *number) {
    Language *language = &((LanguageObject *)self)->language;
    uint32_t rank, n_steps;
    if (!rank_of(language, number, &rank)) return NULL;
    PyObject *settings = PyDict_New();
    const TSQueryPredicateStep *steps = ts_query_predicates_for_pattern(language->query, rank, &n_steps);
    for (uint32_t start = 0, at = 0; settings != NULL && at < n_steps; at++) {
        if (steps[at].type != TSQueryPredicateStepTypeDone) continue;
        uint32_t count = at - start;
        if (count > 1 && steps[start + 1].type == TSQueryPredicateStepTypeString &&
            same_text(query_string(language, steps[start].value_id), TEXT("set!"))) {
            Text key = query_string(language, steps[start + 1].value_id);
            Text value = count > 2 ? query_string(language, steps[start + 2].value_id) : EMPTY;
            PyObject *name = PyUnicode_DecodeUTF8(key.at, key.length, NULL);
            PyObject *text = PyUnicode_DecodeUTF8(value.at, value.length, NULL);
            if (name == NULL || text == NULL || PyDict_SetItem(settings, name, text) < 0) Py_CLEAR(settings);
            Py_XDECREF(name);
            Py_XDECREF(text);
        }
        start = at + 1;
    }
    return settings;
}

static void language_dealloc(PyObject *self) {
    Language *language = &((LanguageObject *)self)->language;
    PyTypeObject *type = Py_TYPE(self);
    for (uint32_t rank = 0; rank < language->n_patterns && language->patterns != NULL; rank++)
        for (uint32_t i = 0; i < language->patterns[rank].n_predicates; i++) {
            Py_XDECREF(language->patterns[rank].predicates[i].matcher);
            Py_XDECREF(language->patterns[rank].predicates[i].known);
        }
    for (int i = 0; i < N_QUESTIONS; i++) {
        Py_XDECREF(language->questions[i]);
        Py_XDECREF(language->known[i]);
    }
    if (language->query != NULL) ts_query_delete(language->query);
    Py_XDECREF(language->capsule);
    arena_free(&language->arena);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* Extraction */

static void pack_hash(Packer *packer, uint64_t hash, bool is_there) {
    char digits[16];
    if (is_there) hex_digits(hash, 16, digits);
    pack_text(packer, is_there ? (Text){digits, 16} : NO_TEXT);
}

static void pack_entity(const File *file, Packer *packer, const Entity *entity) {
    pack_array(packer, 20);
    pack_text(packer, KIND_NAMES[entity->kind]);
    pack_text(packer, entity->name);
    pack_text(packer, entity->qualified_name);
    pack_text(packer, entity->parent.length ? entity->parent : NO_TEXT);
    pack_text(packer, file->language->name);
    pack_text(packer, EMPTY); /* the path, which is put in later */
    pack_text(packer, EMPTY);
    pack_int(packer, line_of(file, entity->start));
    pack_int(packer, last_line_of(file, entity->start, entity->end));
    pack_int(packer, entity->start);
    pack_int(packer, entity->end);
    pack_span(packer, entity->name_span);
    pack_span(packer, entity->body);
    pack_span(packer, entity->documentation);
    pack_text(packer, entity->signature);
    pack_array(packer, entity->n_decorators);
    for (uint32_t i = 0; i < entity->n_decorators; i++) pack_text(packer, entity->decorators[i]);
    pack_array(packer, entity->bases.count);
    for (uint32_t i = 0; i < entity->bases.count; i++) {
        pack_array(packer, 2);
        pack_text(packer, entity->bases.items[i].relation);
        pack_text(packer, entity->bases.items[i].name);
    }
    pack_int(packer, entity->lead_start);
    pack_span(packer, entity->shared);
    pack_int(packer, entity->container);
}

static void pack_entities(const File *file, Packer *packer, uint32_t version) {
    uint32_t count = file->entities.count;
    const Entity *entities = file->entities.items;
    pack_array(packer, count);
    for (uint32_t i = 0; i < count; i++) pack_entity(file, packer, &entities[i]);
    pack_array(packer, count);
    for (uint32_t i = 0; i < count; i++) {
        pack_array(packer, FINGERPRINT_FIELDS);
        pack_hash(packer, entities[i].hashes[0], true);
        pack_hash(packer, entities[i].hashes[1], true);
        pack_hash(packer, entities[i].hashes[2], has_span(entities[i].body));
        pack_hash(packer, entities[i].hashes[3], has_span(entities[i].documentation));
        pack_hash(packer, entities[i].hashes[4], true);
        pack_int(packer, version);
    }
    pack_array(packer, count);
    for (uint32_t i = 0; i < count; i++) pack_int(packer, entities[i].weight);
    pack_array(packer, count);
    for (uint32_t i = 0; i < count; i++)
        pack_text(packer, has_text(entities[i].semantic_id) ? entities[i].semantic_id : EMPTY);
}

static void pack_reference(Packer *packer, const Reference *reference) {
    pack_array(packer, 7);
    pack_text(packer, reference->edge);
    pack_text(packer, reference->name);
    pack_text(packer, reference->receiver);
    pack_text(packer, reference->alias);
    pack_int(packer, reference->entity);
    pack_int(packer, reference->line);
    pack_int(packer, reference->n_arguments);
}

static uint32_t pack_references(const File *file, Packer *packer) {
    uint32_t n_edges = 0, n_bindings = 0;
    pack_array(packer, file->references.count);
    for (uint32_t i = 0; i < file->references.count; i++) {
        const Reference *reference = &file->references.items[i];
        pack_reference(packer, reference);
        n_edges += !same_text(reference->edge, TEXT("binds")) && !same_text(reference->edge, TEXT("passes"));
    }
    for (uint32_t i = 0; i < file->bindings.count; i++) n_bindings += !file->bindings.items[i].is_mention;
    pack_array(packer, n_bindings);
    for (uint32_t i = 0; i < file->bindings.count; i++) {
        const Binding *binding = &file->bindings.items[i];
        if (binding->is_mention) continue;
        pack_array(packer, 7);
        pack_text(packer, binding->role);
        pack_text(packer, binding->name);
        pack_text(packer, binding->value);
        pack_int(packer, binding->owner);
        pack_int(packer, binding->entity);
        pack_int(packer, binding->line);
        pack_int(packer, binding->until);
    }
    return n_edges;
}

static void pack_problems(const File *file, Packer *packer) {
    uint32_t first = UINT32_MAX, n_errors = 0;
    for (uint32_t i = 0; i < file->errors.count; i++) {
        bool is_new = true;
        for (uint32_t j = 0; j < i && is_new; j++) is_new = file->errors.items[j] != file->errors.items[i];
        n_errors += is_new;
        if (file->errors.items[i] < first) first = file->errors.items[i];
    }
    pack_array(packer, n_errors ? 1 : 0);
    if (!n_errors) return;
    char problem[120];
    uint32_t line = line_of(file, first);
    if (n_errors == 1) PyOS_snprintf(problem, sizeof problem, "a syntax error on line %u; the rest is indexed", line);
    else PyOS_snprintf(problem, sizeof problem, "%u syntax errors, the first on line %u; the rest is indexed", n_errors, line);
    pack_array(packer, 3);
    pack_text(packer, EMPTY);
    pack_text(packer, (Text){problem, (uint32_t)strlen(problem)});
    pack_int(packer, line);
}

/* What snapshots show: extraction/codec.py */

static Text encode_name(const File *file, Text name) {
    uint32_t n_encoded = 0;
#define BREAKS(c) ((unsigned char)(c) < 0x20 || (c) == '%' || (c) == ':' || (c) == 0x7F)
    for (uint32_t i = 0; i < name.length; i++) n_encoded += BREAKS(name.at[i]);
    if (!n_encoded) return name;
    char *encoded = arena_take(file->arena, name.length + 2 * n_encoded + 1), *at = encoded;
    for (uint32_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)name.at[i];
        *at++ = BREAKS(c) ? '%' : (char)c;
        if (!BREAKS(c)) continue;
        *at++ = "0123456789ABCDEF"[c >> 4];
        *at++ = "0123456789ABCDEF"[c & 15];
    }
#undef BREAKS
    return (Text){encoded, (uint32_t)(at - encoded)};
}

static void pack_shown_entity(const File *file, Packer *packer, const Entity *entity, uint32_t heavy) {
    Text parent = entity->parent.length ? encode_name(file, entity->parent) : EMPTY;
    pack_array(packer, 8);
    pack_text(packer, JOIN(file->arena, file->language->name, TEXT(":"), KIND_NAMES[entity->kind], TEXT(":"),
                           encode_name(file, entity->name), parent.length ? TEXT(":") : EMPTY, parent, TEXT(":")));
    pack_text(packer, KIND_NAMES[entity->kind]);
    pack_text(packer, entity->name);
    pack_text(packer, entity->qualified_name);
    pack_hash(packer, entity->hashes[0], true);
    pack_int(packer, line_of(file, entity->start));
    pack_int(packer, last_line_of(file, entity->start, entity->end));
    pack_hash(packer, entity->hashes[2], has_span(entity->body) && entity->weight >= heavy);
}

typedef struct {
    Text name;
    uint32_t n_references, n_calls;
    LIST(uint32_t) numbers; /* of the references */
} NamedReferences;

static int compare_names(const void *a, const void *b) {
    Text one = ((const NamedReferences *)a)->name, other = ((const NamedReferences *)b)->name;
    int order = memcmp(one.at, other.at, one.length < other.length ? one.length : other.length);
    return order ? order : (one.length > other.length) - (one.length < other.length);
}

static void pack_named(File *file, Packer *packer, const NamedReferences *named) {
    Packer packed = {.arena = file->arena};
    pack_array(&packed, named->numbers.count);
    for (uint32_t i = 0; i < named->numbers.count; i++) {
        uint32_t number = named->numbers.items[i];
        pack_array(&packed, 2);
        pack_int(&packed, number);
        pack_reference(&packed, &file->references.items[number]);
    }
    pack_array(packer, 4);
    pack_text(packer, named->name);
    pack_int(packer, named->n_references);
    pack_int(packer, named->n_calls);
    pack_bytes(packer, &packed);
}

static void pack_shown(File *file, Packer *packer, uint32_t heavy) {
    Names names = {0};
    LIST(NamedReferences) all = {0};
    for (uint32_t i = 0; i < file->references.count; i++) {
        const Reference *reference = &file->references.items[i];
        bool has_alias = has_text(reference->alias) && !same_text(reference->alias, reference->name);
        for (int is_alias = 0; is_alias <= has_alias; is_alias++) {
            Text name = is_alias ? reference->alias : reference->name;
            uint32_t number = number_of(file->arena, &names, name);
            if (number == all.count) *PUSH(file->arena, all) = (NamedReferences){.name = name};
            NamedReferences *named = &all.items[number];
            *PUSH(file->arena, named->numbers) = i;
            named->n_references += !is_alias;
            named->n_calls += !is_alias && same_text(reference->edge, TEXT("calls"));
        }
    }
    if (all.count > 1) qsort(all.items, all.count, sizeof(NamedReferences), compare_names);
    pack_array(packer, 2);
    pack_array(packer, file->entities.count);
    for (uint32_t i = 0; i < file->entities.count; i++)
        pack_shown_entity(file, packer, &file->entities.items[i], heavy);
    pack_array(packer, all.count);
    for (uint32_t i = 0; i < all.count; i++) pack_named(file, packer, &all.items[i]);
}

typedef struct {
    uint32_t longest, shortest, version, heavy;
} Options;

/* The outline, its counts and its notes, as the codec packs them. */
static PyObject *extract_file(File *file, const Options *options) {
    const Language *language = file->language;
    Packer outline = {.arena = file->arena}, notes = {.arena = file->arena};
    read_syntax(file);
    sweep(file);
    finish_entities(file);
    make_fingerprints(file);
    uint32_t n_edges = 0;
    pack_array(&notes, 2);
    pack_array(&notes, 4);
    for (int i = 0; i < 3; i++) pack_nil(&notes); /* Nodes that collide are counted when that is asked for. */
    if (language->has_nodes) {
        make_semantic_ids(file);
        read_bindings(file);
        read_references(file);
        tile_source(file, options->longest, options->shortest);
    }
    pack_array(&outline, 12);
    pack_text(&outline, language->name);
    pack_entities(file, &outline, options->version);
    pack_array(&outline, 0); /* no segments */
    pack_chunks(file, &outline, &notes);
    n_edges = pack_references(file, &outline);
    pack_problems(file, &notes);
    append_packed(&outline, &notes, 1);
    Packer shown = {.arena = file->arena};
    if (language->has_nodes) pack_shown(file, &shown, options->heavy);
    leave_pool(); /* Nothing is parsed any more, and a new tuple may have Python collect garbage. */
    return Py_BuildValue("(y#IIIy#y#)", outline.bytes.items, (Py_ssize_t)outline.bytes.count, file->entities.count,
                         file->pieces.count, n_edges, notes.bytes.items, (Py_ssize_t)notes.bytes.count,
                         shown.bytes.count ? shown.bytes.items : "", (Py_ssize_t)shown.bytes.count);
}

static PyObject *language_extract(PyObject *self, PyObject *args) {
    Language *language = &((LanguageObject *)self)->language;
    const char *source;
    Py_ssize_t length;
    Options options;
    if (!PyArg_ParseTuple(args, "y#IIII", &source, &length, &options.longest, &options.shortest, &options.version,
                          &options.heavy))
        return NULL;
    if (!language->is_ready || length > LONGEST_SOURCE) Py_RETURN_NONE;
    if (language->n_known > MOST_KNOWN) {
        for (int i = 0; i < N_QUESTIONS; i++) PyDict_Clear(language->known[i]);
        language->n_known = 0;
    }
    Pool *pool = open_pool();
    if (pool == NULL) return NULL;
    Arena arena = {0};
    File *volatile file = NULL;
    PyObject *volatile result = NULL;
    if (!setjmp(arena.failure)) {
        file = arena_take(&arena, sizeof(File));
        memset(file, 0, sizeof(File));
        file->arena = &arena;
        file->pool = pool;
        file->language = language;
        file->source = (Text){source, (uint32_t)length};
        file->is_ascii = is_ascii(file->source);
        result = extract_file(file, &options);
    }
    if (file != NULL && file->parser != NULL) ts_parser_delete(file->parser); /* for the scanner of the grammar */
    close_pool(pool); /* The tree goes with it. */
    arena_free(&arena);
    return result;
}

static PyMethodDef language_methods[] = {
    {"pattern_count", language_pattern_count, METH_NOARGS, "How many patterns the query has."},
    {"analysis", language_analysis, METH_NOARGS, "What was found out about the query, as bytes for another Language."},
    {"start_byte_for_pattern", language_start_byte, METH_O, "Where a pattern starts in the query."},
    {"end_byte_for_pattern", language_end_byte, METH_O, "Where a pattern ends in the query."},
    {"pattern_settings", language_settings, METH_O, "What a pattern sets."},
    {"prepare", language_prepare, METH_VARARGS, "prepare(patterns, rules, questions, compile): what patterns mean."},
    {"extract", language_extract, METH_VARARGS, "extract(source, longest, shortest, version, heavy): see extraction/native_outline.py"},
    {NULL, NULL, 0, NULL},
};

/* Marks: identity/keys.py */

static PyObject *mark_of(PyObject *key) {
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
    enum { N_DIGITS = 12, BITS = 5 };
    char mark[3 + N_DIGITS] = {'b', 'm', '-'};
    Py_ssize_t length;
    const char *at = PyUnicode_AsUTF8AndSize(key, &length);
    if (at == NULL) return NULL;
    Sha256 sha;
    sha256_start(&sha);
    sha256_add(&sha, at, (size_t)length);
    uint64_t number = sha256_first8(&sha);
    for (int i = 0; i < N_DIGITS; i++) mark[3 + i] = digits[number >> (64 - BITS * (i + 1)) & 31];
    return PyUnicode_FromStringAndSize(mark, sizeof mark);
}

static PyObject *derive_marks(PyObject *module, PyObject *keys) {
    (void)module;
    Py_ssize_t count = PyList_Size(keys);
    PyObject *marks = count < 0 ? NULL : PyList_New(count);
    for (Py_ssize_t i = 0; marks != NULL && i < count; i++) {
        PyObject *key = PyList_GetItem(keys, i), *mark = key == NULL ? NULL : mark_of(key);
        if (mark == NULL || PyList_SetItem(marks, i, mark) < 0) Py_CLEAR(marks); /* It takes the mark in any case. */
    }
    return marks;
}

static PyMethodDef functions[] = {
    {"derive_marks", derive_marks, METH_O, "derive_marks(keys): the mark of each key of a list."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot language_slots[] = {
    {Py_tp_init, language_init},
    {Py_tp_dealloc, language_dealloc},
    {Py_tp_methods, language_methods},
    {Py_tp_doc, "Language(capsule, query, analysis=None): a grammar with its query."},
    {0, NULL},
};

static PyType_Spec language_spec = {
    .name = "birthmark._native.Language",
    .basicsize = sizeof(LanguageObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = language_slots,
};

/* BIRTHMARK_DIGEST is the hash of the sources, see syntax/native.py; a binary without it is not used. */
static int add_members(PyObject *module) {
    use_pool();
    PyObject *type = PyType_FromSpec(&language_spec);
    if (type == NULL || PyModule_AddObjectRef(module, "Language", type) < 0) return -1;
    Py_DECREF(type);
    return PyModule_AddStringConstant(module, "DIGEST", BIRTHMARK_DIGEST);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_members},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "birthmark._native",
    .m_doc = "Extraction in C.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
