/* Read names out of a source, as entities/names.py does, and ask it where a text is not plain. */

#include "file.h"

enum { LONGEST_EXPRESSION = 120, EXPRESSION_TAIL = 80 };

PyObject *call_python(File *file, PyObject *function, PyObject *argument) {
    leave_pool();
    PyObject *found = PyObject_CallFunctionObjArgs(function, argument, NULL);
    enter_pool(file->pool);
    return found;
}

PyObject *ask(File *file, Question question, PyObject *key) {
    Language *language = file->language;
    if (key == NULL) fail(file->arena);
    PyObject *known = PyDict_GetItemWithError(language->known[question], key);
    if (known == NULL && !PyErr_Occurred()) {
        PyObject *found = call_python(file, language->questions[question], key);
        if (found != NULL && PyDict_SetItem(language->known[question], key, found) == 0) {
            known = found; /* The dictionary holds it. */
            language->n_known++;
        }
        Py_XDECREF(found);
    }
    Py_DECREF(key);
    if (known == NULL) fail(file->arena);
    return known;
}

PyObject *ask_about(File *file, Question question, Text text) {
    return ask(file, question, PyBytes_FromStringAndSize(text.at, text.length));
}

PyObject *ask_about_name(File *file, Question question, Text text) {
    return ask(file, question, PyUnicode_DecodeUTF8(text.at, text.length, NULL));
}

Py_ssize_t count_parts(File *file, PyObject *tuple) {
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "an answer is no tuple");
        fail(file->arena);
    }
    return PyTuple_Size(tuple);
}

PyObject *part_of(File *file, PyObject *tuple, Py_ssize_t number) {
    PyObject *part = number < count_parts(file, tuple) ? PyTuple_GetItem(tuple, number) : NULL;
    if (part == NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "an answer lacks a part");
    if (part == NULL) fail(file->arena);
    return part;
}

Text text_of(File *file, PyObject *text) { return text == Py_None ? NO_TEXT : copy_str(file->arena, text); }

Text text_part(File *file, PyObject *tuple, Py_ssize_t number) { return text_of(file, part_of(file, tuple, number)); }

int32_t count_of(File *file, PyObject *number) {
    long count = PyLong_AsLong(number);
    if (!PyErr_Occurred() && (count < 0 || count >= INT32_MAX))
        PyErr_SetString(PyExc_ValueError, "an answer is no count");
    if (PyErr_Occurred()) fail(file->arena);
    return (int32_t)count;
}

Text ask_text(File *file, Question question, Text text) { return text_of(file, ask_about(file, question, text)); }

bool ask_whether(File *file, Question question, Text name) { return ask_about_name(file, question, name) == Py_True; }

static bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

static Text clean_ascii(Arena *arena, Text name) {
    name = strip_spaces(name);
    if (name.length > 1 && is_quote(name.at[0]) && name.at[0] == name.at[name.length - 1])
        name = (Text){name.at + 1, name.length - 2};
    for (uint32_t i = 0; i < name.length; i++)
        if (is_space((unsigned char)name.at[i])) {
            Text collapsed = collapse_spaces(arena, name);
            return collapsed.length ? collapsed : name;
        }
    return name;
}

Text read_name(File *file, Span span) {
    Text text = text_at(file, span);
    return is_ascii(text) ? clean_ascii(file->arena, text) : ask_text(file, ASK_NAME, text);
}

/* Names with dots between them. */
static bool is_chain(Text text) {
    bool is_start = true;
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c == '.' ? is_start : !is_word(c) && c != '$') return false;
        is_start = c == '.';
    }
    return !is_start;
}

Text read_path(File *file, Span span) {
    Text text = text_at(file, span);
    return is_chain(text) ? text : ask_text(file, ASK_PATH, text);
}

static bool is_simple(unsigned char c) { return is_word(c) || holds(TEXT(".$#@:?!\\<>,&*[]~'\"-"), (char)c); }

/* The separator and name at its end, if there is one. */
static Text tail_of(Text text) {
    uint32_t at = text.length;
    if (at && (text.at[at - 1] == '!' || text.at[at - 1] == '?')) at--;
    uint32_t end = at;
    while (at && (is_word((unsigned char)text.at[at - 1]) || holds(TEXT("$#@"), text.at[at - 1]))) at--;
    if (at == end || !at) return NO_TEXT;
    char last = text.at[at - 1], before = at > 1 ? text.at[at - 2] : 0;
    uint32_t width = last == '.' ? (before == '?' || before == '!' ? 2 : 1)
                     : (last == ':' && before == ':') || (last == '>' && before == '-') ? 2
                                                                                        : 0;
    return width ? (Text){text.at + at - width, text.length - at + width} : NO_TEXT;
}

static Text name_expression(File *file, Text text) {
    char *packed = arena_take(file->arena, text.length + 1);
    uint32_t length = 0;
    bool all_simple = true;
    for (uint32_t i = 0; i < text.length; i++)
        if (!is_blank((unsigned char)text.at[i])) {
            packed[length++] = text.at[i];
            all_simple = all_simple && is_simple((unsigned char)text.at[i]);
        }
    Text name = {packed, length};
    if (all_simple && length) {
        if (!is_quote(packed[0])) return name;
        return ask_text(file, ASK_EXPRESSION, text);
    }
    Text tail = tail_of(name);
    return has_text(tail) ? JOIN(file->arena, TEXT("()"), tail) : TEXT("()");
}

Text read_expression(File *file, Span span) {
    Text text = text_at(file, span);
    if (text.length > LONGEST_EXPRESSION)
        text = JOIN(file->arena, TEXT("("), ((Text){text.at + text.length - EXPRESSION_TAIL, EXPRESSION_TAIL}));
    if (!is_ascii(text)) return ask_text(file, ASK_EXPRESSION, text);
    for (uint32_t i = 0; i < text.length; i++)
        if (!is_word((unsigned char)text.at[i]) && text.at[i] != '.') return name_expression(file, text);
    return text.length ? text : TEXT("()");
}

Text read_text(File *file, Span span) {
    Text text = text_at(file, span);
    return is_ascii(text) ? text : ask_text(file, ASK_TEXT, text);
}

Text read_words(File *file, Text text) {
    return is_ascii(text) ? collapse_spaces(file->arena, text) : ask_text(file, ASK_WORDS, text);
}
