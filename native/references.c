/* What names mean and what is mentioned by name: graph/reading/references.py, graph/reading/references.py and the plain part of
   graph/reading/paths.py. */

#include "file.h"
#include <stdlib.h>

enum { LONGEST_CALLEE = 400, LONGEST_RECEIVER = 120, LONGEST_ARGUMENTS = 240, EXPORTS = -2, NOT_WRITTEN = -2 };

static Text part(Text text, uint32_t start, uint32_t end) { return (Text){text.at + start, end - start}; }

/* Paths */

static bool is_one_of(Text text, const Text *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (same_text(text, words[i])) return true;
    return false;
}

static const Text NO_NAMES[] = { /* values first, then what starts an expression that has no path */
    TEXT("True"), TEXT("False"), TEXT("None"), TEXT("null"), TEXT("nil"), TEXT("undefined"), TEXT("true"), TEXT("false"),
    TEXT("NULL"), TEXT("function"), TEXT("lambda"), TEXT("async"), TEXT("func"), TEXT("fn"), TEXT("fun"), TEXT("if"),
    TEXT("match"), TEXT("switch"), TEXT("not"), TEXT("class"), TEXT("def"), TEXT("do"), TEXT("begin"), TEXT("case"),
};
enum { N_VALUES = 9, N_NO_NAMES = sizeof NO_NAMES / sizeof *NO_NAMES };

/* Where `a.b.c` ends; 0 if it does not start with a name. */
static uint32_t chain_end(Text text) {
    uint32_t at = 0;
    for (;;) {
        uint32_t start = at;
        while (at < text.length && (is_word((unsigned char)text.at[at]) && (at > start || !is_digit((unsigned char)text.at[at])))) at++;
        if (at == start) return start ? start - 1 : 0;
        if (at == text.length || text.at[at] != '.') return at;
        at++;
    }
}

static bool is_plain_chain(Text text) {
    return text.length && chain_end(text) == text.length && !is_one_of(text, NO_NAMES, N_VALUES);
}

static bool is_name_start(unsigned char c) { return is_letter(c) || c == '_' || c == '$' || c == '@'; }

static uint32_t skip_spaces(Text text, uint32_t at) {
    while (at < text.length && is_space((unsigned char)text.at[at])) at++;
    return at;
}

/* Behind the string that starts there; the same place if none does. */
static uint32_t skip_string(Text text, uint32_t at) {
    char quote = text.at[at];
    for (uint32_t end = at + 1; end < text.length; end++) {
        if (text.at[end] == quote) return end + 1;
        if (text.at[end] == '\\') end++;
    }
    return at;
}

/* Behind the bracket that closes the one there, 0 if none does. */
static uint32_t close_bracket(Text text, uint32_t at) {
    int depth = 0;
    while (at < text.length) {
        char c = text.at[at];
        uint32_t behind = c == '"' || c == '\'' || c == '`' ? skip_string(text, at) : at;
        if (behind > at) {
            at = behind;
            continue;
        }
        depth += c == '(' || c == '[' || c == '{';
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at + 1;
        at++;
    }
    return 0;
}

/* A call's only argument, if that is a string; NO_TEXT otherwise. */
static Text only_string(Text arguments) {
    Text text = strip_spaces(arguments);
    char quote = text.length > 1 ? text.at[0] : 0;
    if ((quote != '"' && quote != '\'' && quote != '`') || text.at[text.length - 1] != quote) return NO_TEXT;
    Text inner = part(text, 1, text.length - 1);
    for (uint32_t i = 0; i < inner.length; i++)
        if (inner.at[i] == quote || inner.at[i] == '\\' || (quote == '`' && inner.at[i] == '$')) return NO_TEXT;
    return strip_spaces(inner);
}

/* A key that is a short number or a simple string, without its quotes; NO_TEXT otherwise. */
static Text constant_key(Text bracketed) {
    Text text = strip_spaces(bracketed);
    char quote = text.length > 2 ? text.at[0] : 0;
    bool is_string = (quote == '"' || quote == '\'') && text.at[text.length - 1] == quote;
    Text key = is_string ? part(text, 1, text.length - 1) : text;
    if (!key.length || (!is_string && key.length > 4)) return NO_TEXT;
    for (uint32_t i = 0; i < key.length; i++) {
        unsigned char c = (unsigned char)key.at[i];
        if (!is_digit(c) && (!is_string || !(is_word(c) || c == '$' || c == '-'))) return NO_TEXT;
    }
    return key;
}

static char *add_text(char *at, Text text) {
    memcpy(at, text.at, text.length);
    return at + text.length;
}

/* The path of names, calls and indices such as `a.b(c)[0].d`; false where more would have to be known. */
static bool read_chain(File *file, Text text, Text *path) {
    char *start = arena_take(file->arena, text.length + 8), *into = start;
    uint32_t at = 0;
    bool is_first = true;
    if (!is_ascii(text)) return false;
    for (uint32_t i = 0; i + 2 < text.length; i++) /* a cast */
        if (is_space((unsigned char)text.at[i]) && text.at[i + 1] == 'a' && text.at[i + 2] == 's') return false;
    for (;;) {
        uint32_t name = at;
        if (at >= text.length || !is_name_start((unsigned char)text.at[at])) return false;
        for (at++; at < text.length && (is_word((unsigned char)text.at[at]) || text.at[at] == '$');) at++;
        Text found = part(text, name, at);
        if (is_first && is_one_of(found, NO_NAMES, N_NO_NAMES)) return false;
        if (!is_first && same_text(found, TEXT("template"))) return false;
        into = add_text(into, found);
        if (at < text.length && (text.at[at] == '!' || text.at[at] == '?')) return false;
        for (;;) {
            uint32_t next = skip_spaces(text, at);
            if (next == text.length) {
                if (is_first && at < next) return false; /* white space at the end is stripped before */
                *path = (Text){start, (uint32_t)(into - start)};
                return true;
            }
            char c = text.at[next];
            if (is_first && next > at && c != '.') return false; /* `await x` */
            if (c == '.') {
                at = skip_spaces(text, next + 1);
                break;
            }
            if (c != '(' && c != '[') return false;
            uint32_t end = close_bracket(text, next);
            if (!end) return false;
            Text string = c == '(' ? only_string(part(text, next + 1, end - 1)) : NO_TEXT;
            Text key = c == '[' ? constant_key(part(text, next + 1, end - 1)) : NO_TEXT;
            if (has_text(key)) {
                bool is_number = is_digit((unsigned char)key.at[0]) && !holds(TEXT("\"'"), key.at[-1]);
                into = add_text(into, is_number ? TEXT("[") : TEXT("[\""));
                into = add_text(into, key);
                into = add_text(into, is_number ? TEXT("]") : TEXT("\"]"));
            } else if (has_text(string)) {
                into = add_text(into, TEXT("(\""));
                into = add_text(into, string);
                into = add_text(into, TEXT("\")"));
            } else {
                into = add_text(into, c == '(' ? TEXT("()") : TEXT("[]"));
            }
            at = end;
            is_first = false;
        }
        into = add_text(into, TEXT("."));
        is_first = false;
    }
}

/* Whether brackets hold only strings and numbers: they are a literal. */
static bool is_literal(Text text) {
    uint32_t start = text.length && text.at[0] == '(' ? skip_spaces(text, 1) : 0;
    if (start >= text.length || !holds(start ? TEXT("\"'0123456789") : TEXT("[{"), text.at[start])) return false;
    for (uint32_t at = 0; at < text.length; at++) {
        unsigned char c = (unsigned char)text.at[at];
        uint32_t behind = c == '"' || c == '\'' ? skip_string(text, at) : at;
        if (behind > at) at = behind - 1;
        else if (is_letter(c) || c == '_' || c >= 0x80 || c == '`' || c == '"' || c == '\'') return false;
    }
    return !start || close_bracket(text, 0) == text.length;
}

static Text read_value(File *file, Text text) {
    Text path;
    if (is_plain_chain(text)) return text;
    if (is_literal(text)) return TEXT("#");
    if (read_chain(file, text, &path)) return path;
    return text_of(file, ask_about_name(file, ASK_VALUE, text));
}

static Text read_type(File *file, Text text) {
    static const Text empty[] = {TEXT("None"), TEXT("NoneType"), TEXT("Void"), TEXT("Unit")};
    bool is_plain = text.length && text.at[0] >= 'A' && text.at[0] <= 'Z';
    for (uint32_t i = 1; is_plain && i < text.length; i++) is_plain = is_word((unsigned char)text.at[i]);
    if (is_plain && !is_one_of(text, empty, 4)) return JOIN(file->arena, text, TEXT("{}"));
    return text_of(file, ask_about_name(file, ASK_TYPE, text));
}

void read_bindings(File *file) {
    for (uint32_t i = 0; i < file->bound_names.count; i++) {
        const BoundName *bound = &file->bound_names.items[i];
        Text value = bound->is_type ? read_type(file, bound->text) : bound->text.length ? read_value(file, bound->text) : EMPTY;
        if (bound->step.length && value.length) value = JOIN(file->arena, value, bound->step);
        uint32_t until = bound->end ? line_of(file, bound->end) : 0;
        *PUSH(file->arena, file->bindings) = (Binding){bound->role, bound->name, value, bound->is_mention, bound->owner,
                                                       bound->entity, line_of(file, bound->start), until};
    }
}

/* References */

static void add_reference(File *file, Text edge, Text name, Text receiver, Text alias, int32_t entity, uint32_t line, int32_t n_arguments) {
    *PUSH(file->arena, file->references) =
        (Reference){edge, name, receiver, alias, entity, line, n_arguments, file->references.count};
}

static Text receiver_of(Text path) {
    int dot = find_last(path, '.');
    return dot < 0 ? NO_TEXT : part(path, 0, (uint32_t)dot);
}

static Text last_name(Text path) {
    if (path.length && path.at[path.length - 1] == '^') return TEXT("^");
    int dot = find_last(path, '.');
    return part(path, (uint32_t)(dot + 1), path.length);
}

static bool ends_in_name(Text path) { return path.length && !holds(TEXT(")]}#*^"), path.at[path.length - 1]); }

typedef struct {
    Text receiver, name;
} Callee;

static bool callee_from(File *file, PyObject *found, Callee *callee) {
    if (found == Py_None) return false;
    *callee = (Callee){text_part(file, found, 0), text_part(file, found, 1)};
    return true;
}

/* The text that a call without a plain name is read from: up to its arguments, or to a block. */
static Text text_before_arguments(const File *file, const Node *node) {
    bool has_arguments = has_span(node->content);
    uint32_t end = has_arguments ? node->content.start : node->end;
    if (end < node->start || end - node->start > LONGEST_CALLEE) return EMPTY;
    Text text = source_text(file, node->start, end);
    for (uint32_t i = 0; !has_arguments && i < text.length; i++) {
        uint32_t at = i;
        while (at < text.length && is_blank((unsigned char)text.at[at])) at++;
        bool is_do = at > i && at + 2 <= text.length && memcmp(text.at + at, "do", 2) == 0 &&
                     (at + 2 == text.length || !is_word((unsigned char)text.at[at + 2]));
        if (is_do || (at < text.length && text.at[at] == '{')) return part(text, 0, i);
    }
    return text;
}

static bool callee_of(File *file, const Node *node, Callee *callee) {
    if (starts_with(node->name, TEXT("()"))) {
        Text text = text_before_arguments(file, node), path;
        bool is_whole = has_span(node->content);
        if (text.length && read_chain(file, text, &path) && ends_in_name(path) &&
            (is_whole || same_text(last_name(path), last_name(node->name)))) {
            *callee = (Callee){receiver_of(path), last_name(path)};
            return true;
        }
        leave_pool(); /* A new tuple may have Python collect garbage, and run finalizers. */
        PyObject *key = Py_BuildValue("(y#s#O)", text.at, (Py_ssize_t)text.length, node->name.at, (Py_ssize_t)node->name.length,
                                      is_whole ? Py_True : Py_False);
        enter_pool(file->pool);
        return callee_from(file, ask(file, ASK_UNNAMED_CALLEE, key), callee);
    }
    Text name = starts_with(node->name, TEXT("new:")) ? part(node->name, 4, node->name.length) : node->name;
    if (is_plain_chain(name)) {
        *callee = (Callee){receiver_of(name), last_name(name)};
        return true;
    }
    return callee_from(file, ask_about_name(file, ASK_CALLEE, node->name), callee);
}

/* What a name is taken from, read from the text before it. */
static Text hidden_receiver(File *file, uint32_t at) {
    Text before = source_text(file, at > LONGEST_RECEIVER ? at - LONGEST_RECEIVER : 0, at);
    uint32_t end = before.length;
    while (end && is_space((unsigned char)before.at[end - 1])) end--;
    bool is_plain = !end || (unsigned char)before.at[end - 1] < 0x80;
    if (is_plain && !(end && (before.at[end - 1] == '.' || (end > 1 && before.at[end - 1] == ':' && before.at[end - 2] == ':'))))
        return NO_TEXT;
    return text_of(file, ask_about(file, ASK_RECEIVER, before));
}

static bool is_assigned(const File *file, const Node *node) {
    if (has_span(node->content)) return false;
    uint32_t at = node->end;
    while (at < file->source.length && is_blank((unsigned char)file->source.at[at])) at++;
    if (at >= file->source.length || file->source.at[at] != '=') return false;
    char next = at + 1 < file->source.length ? file->source.at[at + 1] : 0;
    return next != '=' && next != '~' && next != '>';
}

static bool is_all_space(Text text) { return strip_spaces(text).length == 0; }

/* Behind the string or comment that starts there; the same place if none does. */
static uint32_t skip_opaque(Text text, uint32_t at) {
    char c = text.at[at], next = at + 1 < text.length ? text.at[at + 1] : 0;
    if (c == '"' || c == '\'') {
        return skip_string(text, at);
    } else if (c == '/' && next == '/') {
        while (at < text.length && text.at[at] != '\n') at++;
    } else if (c == '/' && next == '*') {
        for (uint32_t end = at + 2; end + 1 < text.length; end++)
            if (text.at[end] == '*' && text.at[end + 1] == '/') return end + 2;
    }
    return at;
}

/* The parts between commas in brackets, of ASCII. */
static uint32_t split_parts(File *file, Text bracketed, Text **parts) {
    LIST(Text) found = {0};
    bracketed = strip_spaces(bracketed);
    Text inner = bracketed.length > 1 ? part(bracketed, 1, bracketed.length - 1) : EMPTY;
    int depth = 0;
    uint32_t start = 0;
    for (uint32_t at = 0; at < inner.length;) {
        char c = inner.at[at];
        uint32_t behind = skip_opaque(inner, at);
        if (behind > at) {
            at = behind;
            continue;
        }
        if (c == '(' || c == '[' || c == '{') depth++;
        else if (c == ')' || c == ']' || c == '}') depth--;
        else if (c == ',' && depth == 0) {
            *PUSH(file->arena, found) = part(inner, start, at);
            start = at + 1;
        }
        at++;
    }
    Text last = part(inner, start, inner.length);
    if (!is_all_space(last)) *PUSH(file->arena, found) = last;
    *parts = found.items;
    return found.count;
}

static int32_t count_arguments(File *file, const Node *node) {
    if (!has_span(node->content) || !file->source.length) return -1;
    Text arguments = text_at(file, node->content);
    uint32_t at = node->content.end, end = at + 2 < file->source.length ? at + 2 : file->source.length;
    while (at < end && is_blank((unsigned char)file->source.at[at])) at++;
    char after = at < end ? file->source.at[at] : 0;
    if (!arguments.length || arguments.at[0] != '(' || after == '(') return -1;
    Text *parts;
    int32_t count = is_ascii(arguments) ? (int32_t)split_parts(file, arguments, &parts)
                                        : count_of(file, ask_about(file, ASK_COUNT, arguments));
    return count + (after == '{');
}

/* Arguments */

typedef struct {
    Text label, head, tail;
} Argument;

static bool read_path_argument(Text text, uint32_t at, Argument *argument) {
    uint32_t start = at;
    while (at < text.length && (is_word((unsigned char)text.at[at]) || text.at[at] == '$') &&
           (at > start || !is_digit((unsigned char)text.at[at])))
        at++;
    if (at == start) return false;
    argument->head = part(text, start, at);
    uint32_t tail = at;
    while (at + 1 < text.length && text.at[at] == '.' && (is_word((unsigned char)text.at[at + 1]) || text.at[at + 1] == '$')) {
        at++;
        while (at < text.length && (is_word((unsigned char)text.at[at]) || text.at[at] == '$')) at++;
    }
    argument->tail = part(text, tail, at);
    return skip_spaces(text, at) == text.length;
}

/* A name with dots, perhaps after the name of a parameter. */
static bool read_argument(Text text, Argument *argument) {
    uint32_t start = skip_spaces(text, 0), at = start;
    while (at < text.length && is_word((unsigned char)text.at[at])) at++;
    if (at > start) {
        uint32_t sign = skip_spaces(text, at);
        bool is_sign = sign < text.length && (text.at[sign] == '=' || text.at[sign] == ':') &&
                       !(sign + 1 < text.length && (text.at[sign + 1] == '=' || text.at[sign + 1] == ':'));
        argument->label = part(text, start, at);
        if (is_sign && read_path_argument(text, skip_spaces(text, sign + 1), argument)) return true;
    }
    argument->label = NO_TEXT;
    return read_path_argument(text, start, argument);
}

static bool has_known_word(const Names *known, Text text) {
    uint32_t number;
    for (uint32_t at = 0; at < text.length;) {
        unsigned char c = (unsigned char)text.at[at];
        uint32_t start = at;
        if (is_letter(c) || c == '_' || c == '$') {
            while (at < text.length && (is_word((unsigned char)text.at[at]) || text.at[at] == '$')) at++;
            if (find_number(known, part(text, start, at), &number)) return true;
        } else {
            at++;
        }
    }
    return false;
}

static void add_passed(File *file, const Node *node, Argument argument, uint32_t position, Text callee, const Names *known) {
    uint32_t number;
    bool is_self = same_text(argument.head, TEXT("self")) || same_text(argument.head, TEXT("this")) || same_text(argument.head, TEXT("cls"));
    bool is_own = is_self && argument.tail.length && find_number(known, last_name(argument.tail), &number);
    if (!is_own && !find_number(known, argument.head, &number)) return;
    char digits[16];
    PyOS_snprintf(digits, sizeof digits, "%u", position);
    Text label = has_text(argument.label) ? argument.label : (Text){digits, (uint32_t)strlen(digits)};
    Text path = argument.tail.length ? JOIN(file->arena, argument.head, argument.tail) : argument.head;
    add_reference(file, TEXT("passes"), last_name(path), receiver_of(path), JOIN(file->arena, callee, TEXT("#"), label),
                  node->entity, node->line, -1);
}

static void add_all_passed(File *file, const Node *node, Text callee, const Names *known) {
    if (!has_span(node->content)) return;
    Text text = text_at(file, node->content);
    if (text.length <= 2 || text.length > LONGEST_ARGUMENTS || !holds(TEXT("([{"), text.at[0])) return;
    if (!has_known_word(known, text)) return;
    Argument argument;
    if (is_ascii(text)) {
        Text *parts;
        uint32_t count = split_parts(file, text, &parts);
        for (uint32_t i = 0; i < count; i++)
            if (read_argument(parts[i], &argument)) add_passed(file, node, argument, i, callee, known);
        return;
    }
    PyObject *found = ask_about(file, ASK_ARGUMENTS, text);
    Py_ssize_t count = count_parts(file, found);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *parts = part_of(file, found, i);
        int32_t position = count_of(file, part_of(file, parts, 0));
        argument = (Argument){text_part(file, parts, 1), text_part(file, parts, 2), text_part(file, parts, 3)};
        add_passed(file, node, argument, (uint32_t)position, callee, known);
    }
}

/* Calls and imports */

static void add_import(File *file, const Node *node) {
    PyObject *found = ask_about_name(file, ASK_IMPORT, node->name);
    Text module = text_part(file, found, 1), name = text_part(file, found, 2);
    Text alias = has_text(node->alias) && !same_text(node->alias, name) ? node->alias : NO_TEXT;
    add_reference(file, TEXT("imports"), name, module, alias, node->entity, node->line, -1);
}

static Names known_names(File *file) {
    Names known = {0};
    for (uint32_t i = 0; i < file->entities.count; i++) {
        const Entity *entity = &file->entities.items[i];
        if (is_function_like(entity->kind) || is_class_like(entity->kind)) number_of(file->arena, &known, entity->name);
    }
    for (uint32_t i = 0; i < file->nodes.count; i++) {
        const Node *node = &file->nodes.items[i];
        if (node->type != N_IMPORT) continue;
        bool has_alias = has_text(node->alias) && node->alias.length;
        Text name = has_alias ? node->alias : text_part(file, ask_about_name(file, ASK_IMPORT, node->name), 0);
        number_of(file->arena, &known, name);
    }
    return known;
}

/* Variables that hold a function or type of which the name is known, with its name, or with "" parts of their own. */
typedef struct {
    Names names;
    LIST(Text) values;
} Held;

static Text head_of(Text path) {
    uint32_t end = 0;
    while (end < path.length && !holds(TEXT(".([{*^"), path.at[end])) end++;
    return part(path, 0, end);
}

static bool is_holding(const Binding *one) { return same_text(one->role, TEXT("local")) || same_text(one->role, TEXT("assigned")); }

/* Names that are known, and variables with a value that starts with one. */
static Names made_names(File *file, const Names *known) {
    Names made = {0};
    uint32_t number;
    for (uint32_t i = 0; i < known->texts.count; i++) number_of(file->arena, &made, known->texts.items[i]);
    for (uint32_t i = 0; i < file->bindings.count; i++) {
        const Binding *one = &file->bindings.items[i];
        if (is_holding(one) && find_number(known, head_of(one->value), &number)) number_of(file->arena, &made, one->name);
    }
    return made;
}

/* They become known as well. */
static Held held_names(File *file, Names *known) {
    Held held = {0};
    uint32_t number;
    for (uint32_t i = 0; i < file->bindings.count; i++) {
        const Binding *one = &file->bindings.items[i];
        if (!is_holding(one) || !one->value.length || find_last(one->name, '.') >= 0) continue;
        bool is_display = one->value.at[0] == '<';
        if (!is_display && !(ends_in_name(one->value) && find_number(known, head_of(one->value), &number))) continue;
        number = number_of(file->arena, &held.names, one->name);
        if (number == held.values.count) (void)PUSH(file->arena, held.values);
        held.values.items[number] = is_display ? EMPTY : last_name(one->value);
    }
    for (uint32_t i = 0; i < held.names.texts.count; i++) number_of(file->arena, known, held.names.texts.items[i]);
    return held;
}

/* Whether a variable holds the type of which an instance is made; it is mentioned, not called. */
static bool makes_variable(File *file, const Node *node, Callee callee) {
    if (!file->language->calls_bare || has_text(callee.receiver) || !starts_with(node->name, TEXT("new:"))) return false;
    return !(callee.name.length && ask_whether(file, ASK_IS_UPPER, callee.name));
}

static void add_call(File *file, const Node *node, const Names *known, const Held *held) {
    const Language *language = file->language;
    Callee callee;
    if (!callee_of(file, node, &callee)) return;
    if (!has_text(callee.receiver) && language->hides_receivers) callee.receiver = hidden_receiver(file, node->start);
    if (makes_variable(file, node, callee)) return;
    uint32_t number;
    bool is_held = !has_text(callee.receiver) && find_number(&held->names, callee.name, &number) && held->values.items[number].length;
    add_all_passed(file, node, is_held ? held->values.items[number] : callee.name, known);
    Text name = language->keeps_marks ? callee.name : strip_right(callee.name, TEXT("!?"));
    if (language->setter_mark.length && is_assigned(file, node)) name = JOIN(file->arena, name, language->setter_mark);
    int32_t n_arguments = language->has_overloads ? count_arguments(file, node) : -1;
    add_reference(file, TEXT("calls"), name, callee.receiver, NO_TEXT, node->entity, node->line, n_arguments);
}

/* Names that mean what has another name: to use them is to use that. */
static void add_aliases(File *file) {
    for (uint32_t i = 0; i < file->bindings.count; i++) {
        const Binding *binding = &file->bindings.items[i];
        if (file->language->calls_bare && !same_text(binding->role, TEXT("alias"))) continue;
        if (binding->is_mention || !ends_in_name(binding->value)) continue;
        Text name = last_name(binding->value);
        if (same_text(name, binding->name) && binding->owner != EXPORTS) continue;
        add_reference(file, TEXT("binds"), name, receiver_of(binding->value), binding->name, binding->entity, binding->line, -1);
    }
}

static bool is_variable_kind(Kind kind) { return kind == K_VAR || kind == K_CONST || kind == K_FIELD; }

/* Functions see the variables of functions around them, but not those of types or of the file. */
static bool holds_variable(const File *file, const Binding *variable, const Binding *mention) {
    if (variable->until) return variable->line <= mention->line && mention->line <= variable->until;
    if (same_text(variable->role, TEXT("field")) || same_text(variable->role, TEXT("member"))) return false;
    if (variable->line > mention->line) return false;
    int32_t place = mention->entity;
    while (place >= 0 && is_variable_kind(file->entities.items[place].kind)) place = file->entities.items[place].container;
    if (variable->owner == place || variable->owner < 0) return variable->owner == place;
    const Entity *owner = &file->entities.items[variable->owner];
    return is_function_like(owner->kind) && line_of(file, owner->start) <= mention->line &&
           mention->line <= last_line_of(file, owner->start, owner->end);
}

/* Without the call at its end, `()` or `("x")`. */
static Text without_call(Text path) {
    if (!path.length || path.at[path.length - 1] != ')') return path;
    uint32_t at = path.length - 1;
    if (at && path.at[at - 1] == '(') return part(path, 0, at - 1);
    if (!at || path.at[at - 1] != '"') return path;
    uint32_t quote = at - 1;
    while (quote && path.at[quote - 1] != '"') quote--;
    return quote > 1 && path.at[quote - 2] == '(' ? part(path, 0, quote - 2) : path;
}

/* What is called without parentheses, once a line; a bare name may be a variable, which is not called like this. */
static void add_mentions(File *file, const Names *known) {
    Names made = made_names(file, known); /* only these may have methods of ours */
    uint32_t made_number;
    Names names = {0};
    Map found = {0};
    uint32_t n_calls = file->references.count;
    bool has_any = false;
    for (uint32_t i = 0; i < file->bindings.count; i++) has_any = has_any || file->bindings.items[i].is_mention;
    if (!has_any) return;
    Names variables = {0}; /* with the bindings of each in their order */
    uint32_t *next = arena_take(file->arena, (file->bindings.count + 1) * sizeof(uint32_t));
    LIST(uint32_t) firsts = {0};
    for (uint32_t i = file->language->calls_bare ? file->bindings.count : 0; i-- > 0;) {
        uint32_t number = number_of(file->arena, &variables, file->bindings.items[i].name);
        next[i] = number < firsts.count ? firsts.items[number] : UINT32_MAX;
        if (number == firsts.count) (void)PUSH(file->arena, firsts);
        firsts.items[number] = i;
    }
#define NUMBER(text) (has_text(text) ? (uint64_t)number_of(file->arena, &names, text) + 1 : 0)
    for (uint32_t i = 0; i < n_calls; i++) {
        const Reference *call = &file->references.items[i];
        if (!same_text(call->edge, TEXT("calls"))) continue;
        map_at(file->arena, &found, (uint64_t)call->line << 32 | NUMBER(call->name), NUMBER(call->receiver), 1);
    }
    for (uint32_t i = 0; i < file->bindings.count; i++) {
        const Binding *mention = &file->bindings.items[i];
        if (!mention->is_mention) continue;
        if (mention->until && !find_number(&made, head_of(mention->value), &made_number)) continue;
        Text path = without_call(mention->value);
        if (!path.length || holds(TEXT(")]}#*"), path.at[path.length - 1])) continue;
        Text receiver = receiver_of(path), name = last_name(path);
        bool is_local = false, is_variable = false;
        uint32_t number;
        if (!has_text(receiver) && find_number(&variables, name, &number))
            for (uint32_t j = firsts.items[number]; j != UINT32_MAX && !is_local; j = next[j]) {
                const Binding *variable = &file->bindings.items[j];
                if (!holds_variable(file, variable, mention)) continue;
                is_variable = true;
                is_local = variable->until || (variable->owner >= 0 && is_function_like(file->entities.items[variable->owner].kind));
            }
        if (is_local) continue;
        int32_t *known = map_at(file->arena, &found, (uint64_t)mention->line << 32 | NUMBER(name), NUMBER(receiver), -1);
        if (*known != -1) continue;
        *known = 1;
        Text role = is_variable ? TEXT("reads") : mention->role;
        add_reference(file, role, name, receiver, NO_TEXT, mention->entity, mention->line, mention->until ? NOT_WRITTEN : -1);
        if (mention->name.length)
            add_reference(file, TEXT("passes"), mention->name, NO_TEXT, JOIN(file->arena, name, TEXT("#0")), mention->entity, mention->line, -1);
    }
#undef NUMBER
}

/* Names that bindings make local: with the functions that they hold in, and where they hold in a part of one. */
typedef struct {
    Names names;
    Map owners; /* function and name -> 1 */
    LIST(uint32_t) firsts; /* by name: the first of its bindings that hold in a part, UINT32_MAX for none */
    uint32_t *next;
} Locals;

static Locals find_locals(File *file) {
    Locals locals = {.next = arena_take(file->arena, (file->bound_names.count + 1) * sizeof(uint32_t))};
    Map defined = {0}; /* A type that is defined in a function is no variable. */
    for (uint32_t i = 0; i < file->entities.count; i++) {
        const Entity *entity = &file->entities.items[i];
        if (entity->container < 0 || !is_function_like(file->entities.items[entity->container].kind)) continue;
        uint32_t number = number_of(file->arena, &locals.names, entity->name);
        if (number == locals.firsts.count) *PUSH(file->arena, locals.firsts) = UINT32_MAX;
        map_at(file->arena, &defined, (uint64_t)entity->container, number, 1);
    }
    for (uint32_t i = 0; i < file->bound_names.count; i++) {
        const BoundName *bound = &file->bound_names.items[i];
        if (!bound->is_variable) continue;
        uint32_t number = number_of(file->arena, &locals.names, bound->name);
        if (number == locals.firsts.count) *PUSH(file->arena, locals.firsts) = UINT32_MAX;
        int32_t known;
        if (bound->owner >= 0 && map_get(&defined, (uint64_t)bound->owner, number, &known)) continue;
        if (bound->end) {
            locals.next[i] = locals.firsts.items[number];
            locals.firsts.items[number] = i;
        } else if (bound->owner >= 0 && is_function_like(file->entities.items[bound->owner].kind)) {
            map_at(file->arena, &locals.owners, (uint64_t)bound->owner, number, 1);
        }
    }
    return locals;
}

static bool is_local(const File *file, const Locals *locals, const Occurrence *one) {
    uint32_t number;
    int32_t known;
    Text mark = file->language->variable_mark;
    if (mark.length && starts_with(one->name, mark))
        for (int32_t entity = one->entity; entity >= 0; entity = file->entities.items[entity].container)
            if (is_function_like(file->entities.items[entity].kind)) return true;
    if (!find_number(&locals->names, one->name, &number)) return false;
    for (int32_t entity = one->entity; entity >= 0; entity = file->entities.items[entity].container)
        if (map_get(&locals->owners, (uint64_t)entity, number, &known)) return true;
    for (uint32_t i = locals->firsts.items[number]; i != UINT32_MAX; i = locals->next[i]) {
        const BoundName *bound = &file->bound_names.items[i];
        if (bound->start <= one->start && one->start < bound->end) return true;
    }
    return false;
}

/* Names that no function around binds. */
static void add_occurrences(File *file) {
    if (!file->occurrences.count) return;
    const Language *language = file->language;
    Locals locals = find_locals(file);
    for (uint32_t i = 0; i < file->occurrences.count; i++) {
        const Occurrence *one = &file->occurrences.items[i];
        Text receiver = one->receiver;
        while (has_text(receiver) && !file->language->keeps_marks && receiver.length && receiver.at[receiver.length - 1] == '!')
            receiver.length--; /* `a!.b` only says that there is an `a`. */
        if (has_text(receiver)) receiver = receiver.length ? read_value(file, receiver) : EMPTY;
        else if (language->hides_receivers) receiver = hidden_receiver(file, one->start);
        if (has_text(receiver) && !language->keeps_root && starts_with(receiver, TEXT("::.")))
            receiver = part(receiver, 3, receiver.length);
        if (!has_text(receiver) && is_local(file, &locals, one)) continue;
        add_reference(file, one->role, one->name, receiver, NO_TEXT, one->entity, line_of(file, one->start), -1);
    }
}

static int compare_references(const void *a, const void *b) {
    const Reference *one = a, *other = b;
    if (one->line != other->line) return one->line < other->line ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

void read_references(File *file) {
    Names known = known_names(file);
    Names plain = known_names(file); /* without what variables hold */
    Held held = held_names(file, &known);
    for (uint32_t i = 0; i < file->nodes.count; i++) {
        const Node *node = &file->nodes.items[i];
        if (node->type == N_CALL) add_call(file, node, &known, &held);
        else if (node->type == N_IMPORT) add_import(file, node);
    }
    for (uint32_t i = 0; i < file->entities.count; i++) {
        const Entity *entity = &file->entities.items[i];
        for (uint32_t j = 0; j < entity->bases.count; j++) {
            Base base = entity->bases.items[j];
            Text receiver = receiver_of(base.name);
            if (has_text(receiver) && !receiver.length) receiver = NO_TEXT;
            add_reference(file, base.relation, last_name(base.name), receiver, NO_TEXT, (int32_t)i, line_of(file, entity->start), -1);
        }
    }
    add_aliases(file);
    add_mentions(file, &plain);
    add_occurrences(file);
    if (file->references.count > 1)
        qsort(file->references.items, file->references.count, sizeof(Reference), compare_references);
}
