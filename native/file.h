/* A language with its query, and one file on its way from bytes to an outline.

   The steps are those of the Python path, in modules of the same names: `syntax` reads items and trivia from the tree,
   `sweep` makes entities and nodes of them, `finish` adds spans, signatures and fingerprints, `references` and
   `chunks` the rest. What a text means is read here where it is plain ASCII, else by a callback into Python, once for
   each text. */

#ifndef BIRTHMARK_FILE_H
#define BIRTHMARK_FILE_H

#include "base.h"
#include "tree_sitter/api.h"

/* Languages */

/* In the order of TRIVIA and ROLES in syntax/query.py. */
typedef enum {
    COMMENT, STRING, BLOCK, ATTRIBUTE, WRAP, EXCLUDE, N_TRIVIA,
    ENTITY = N_TRIVIA, FUNCTION, CALL, NEW, IMPORT, EXPORT, INHERITS, IMPLEMENTS, PARAMETER, VARIABLE, CONSTANT, SCOPE,
    PROPERTY, MUTATION, SEGMENT, BIND, MENTION, REGION, N_ROLES,
} Role;

/* In the order of KINDS in model.py, and what frames are besides. */
typedef enum {
    K_MOD, K_NAMESPACE, K_CLASS, K_INTERFACE, K_STRUCT, K_ENUM, K_TRAIT, K_IMPL, K_FN, K_METHOD, K_CONSTRUCTOR, K_FIELD,
    K_CONST, K_VAR, K_TYPEDEF, K_MACRO, K_MEMBER, K_TABLE, K_VIEW, N_KINDS, K_FILE = N_KINDS, K_WRAP, K_LAMBDA,
} Kind;
extern const Text KIND_NAMES[N_KINDS];
static inline bool is_class_like(Kind kind) { return kind >= K_CLASS && kind <= K_IMPL; }
static inline bool is_function_like(Kind kind) { return kind >= K_FN && kind <= K_CONSTRUCTOR; }

/* What a pattern captures besides what it finds. */
typedef enum {
    C_NONE, C_NAME, C_BODY, C_ARGUMENTS, C_VALUE, C_CONTENT, C_TYPE, C_SOURCE, C_ALIAS, C_RECEIVER, C_OWNER, C_PARENT,
    C_PREFIX, C_BOUND, C_KEY, C_DOCUMENTATION, N_CAPTURES,
} Capture;

typedef enum { /* of names, where a role has a rule of its own */
    B_NONE, B_OTHER, B_BLOCK, B_NARROWED, B_FIELD, B_PART, B_BASE, B_ALIAS, B_LOCAL, B_RESULT, B_ABSTRACT, B_EXTENDS,
    B_MACRO, B_MEMBER, B_DECLARED, B_EXPORT,
} Binds;

typedef struct {
    enum { EQUALS, EQUALS_CAPTURE, MATCHES, ANY_OF } kind;
    bool is_positive;
    uint32_t capture, other;
    const Text *values;
    uint32_t n_values;
    PyObject *matcher;
    PyObject *known; /* texts that were matched before */
} Predicate;

typedef struct {
    uint32_t own; /* capture */
    Role role;
    Text kind_name, binds_name;
    int kind; /* -1 where its name is none of KINDS */
    Binds binds;
    Capture content;
    bool is_plain;       /* nothing is captured besides */
    bool is_local_scope; /* code in a class that is not a method */
    bool is_defining;    /* a binding whose name is a variable */
    bool is_local, is_hoisted, is_within_type, is_also, is_word, has_words, has_settings;
    enum { NOT_IMPLIED, IMPLIED, IMPLIED_IN_CONSTRUCTOR } implied;
    Text name, prefix, strip, step, value, join, source, suffix; /* settings, NO_TEXT where there is none */
    Predicate *predicates;
    uint32_t n_predicates;
} Pattern;

/* Functions of the Python path; each takes what its name says and is asked once for a text. */
typedef enum {
    ASK_NAME, ASK_PATH, ASK_EXPRESSION, ASK_TEXT, ASK_WORDS, ASK_VALUE, ASK_TYPE, ASK_STEPS, ASK_IS_CONSTANT,
    ASK_IS_MAKER, ASK_CALLEE, ASK_UNNAMED_CALLEE, ASK_RECEIVER, ASK_IMPORT, ASK_ARGUMENTS, ASK_COUNT, ASK_IS_UPPER,
    N_QUESTIONS,
} Question;

typedef struct {
    Arena arena; /* of all that lives as long as the language */
    PyObject *capsule;
    const TSLanguage *grammar;
    TSQuery *query;
    Pattern *patterns;
    uint32_t n_patterns;
    Capture *captures; /* by the query's numbers */
    PyObject *questions[N_QUESTIONS], *known[N_QUESTIONS];
    uint32_t n_known;
    uint8_t joins[256][32]; /* pairs of characters that would be read as one token, as bits */
    Text name;
    const Text *constructors;
    uint32_t n_constructors;
    bool has_constants, has_makers, takes_parent_name;
    bool is_ready;
    bool has_nodes; /* else entities alone are wanted */
    bool hides_receivers, calls_bare, keeps_marks, has_overloads, keeps_root;
    Text setter_mark, variable_mark;
} Language;

/* Syntax */

typedef struct {
    uint32_t start, end;
    int32_t rank;
    uint64_t order;
    const Pattern *pattern;
    Span name, content;
    uint32_t present; /* bits of what is in more */
    Span more[N_CAPTURES];
} Item;
static inline bool has_more(const Item *item, Capture capture) { return item->present >> capture & 1; }

typedef LIST(Span) Spans;

/* Sweep */

typedef struct {
    Kind kind;
    uint32_t start, end;
    int32_t entity;
    Text parent, named_parent;
    LIST(int32_t) inside;
} Frame;

typedef struct {
    Text relation, name;
} Base;

typedef struct {
    const Item *item;
    Kind kind;
    Text name, parent;
    int32_t container;
    uint32_t start, end, anchor;
    Span shared;
    LIST(Base) bases;
    int32_t node; /* -1 where there are no nodes */
    /* What `finish` adds */
    Text qualified_name, signature, *decorators;
    uint32_t n_decorators, lead_start;
    Span name_span, body, documentation;
    uint64_t hashes[5]; /* content, interface, body, documentation, text */
    uint32_t weight;
    Text semantic_id;
} Entity;

typedef enum {
    N_MODULE, N_NAMESPACE, N_CLASS, N_INTERFACE, N_STRUCT, N_ENUM, N_TRAIT, N_IMPL, N_FUNCTION, N_FIELD, N_CONSTANT,
    N_VARIABLE, N_TYPE, N_MACRO, N_MEMBER, N_TABLE, N_VIEW, N_OF_ENTITIES, N_CALL = N_OF_ENTITIES, N_IMPORT,
} NodeType;
extern const Text NODE_TYPES[N_OF_ENTITIES];

typedef struct {
    NodeType type;
    Text name, named_parent, alias;
    uint32_t line, start, end;
    Span content;
    int32_t entity;
} Node;

typedef struct {
    Text role, name, text, step;
    bool is_type, is_mention, is_variable;
    int32_t owner, entity;
    uint32_t start, end;
} BoundName;

typedef struct {
    Span name;
    bool is_certain; /* else other captures of the name say more */
    Text role;
    const Item *item;
    int32_t entity;
} Mention;

typedef struct {
    uint32_t end;
    Text role; /* of the names in it */
} Region;

typedef struct {
    Text role, name, receiver;
    int32_t entity;
    uint32_t start;
} Occurrence;

typedef struct {
    uint32_t start;
    Span documentation;
} Trivia;

typedef struct {
    Text edge, name, receiver, alias;
    int32_t entity;
    uint32_t line;
    int32_t n_arguments;
    uint32_t order;
} Reference;

typedef struct {
    Text role, name, value;
    bool is_mention;
    int32_t owner, entity;
    uint32_t line, until;
} Binding;

typedef struct {
    uint32_t start, end;
    Text kind, name;
    int32_t entity;
} Piece;

typedef struct Pool Pool;

typedef struct {
    Arena *arena;
    Pool *pool;
    Language *language;
    Text source;
    bool is_ascii;
    TSParser *parser;
    TSTree *tree;
    char *mask;
    Spans trivia[N_TRIVIA];
    LIST(Item) items;
    LIST(uint32_t) errors;
    uint32_t *feeds, n_lines;
    uint32_t line; /* of the item that is read */
    Map leading;   /* offset -> trivia */
    LIST(Trivia) leading_trivia;
    LIST(Frame *) frames;
    Frame *top;
    LIST(Entity) entities;
    LIST(Node) nodes;
    LIST(BoundName) bound_names;
    LIST(Mention) mentions;
    LIST(Region) regions; /* those that are open */
    LIST(Occurrence) occurrences;
    Spans blocks; /* those that are open, in which local names hold */
    Spans owners; /* of attributes, by the numbers in `implied` */
    Map seen, bound, implied, imports;
    Names import_names;
    LIST(Reference) references;
    LIST(Binding) bindings;
    LIST(Piece) pieces;
} File;

static inline Text text_at(const File *file, Span span) {
    return (Text){file->source.at + span.start, span.end - span.start};
}
static inline Text source_text(const File *file, uint32_t start, uint32_t end) {
    return (Text){file->source.at + start, end > start ? end - start : 0};
}
/* A byte that is no UTF-8 counts as a character. */
uint32_t character_length(const File *file, uint32_t at, uint32_t end);
uint32_t count_characters(const File *file, uint32_t start, uint32_t end);
uint32_t line_of(const File *file, uint32_t offset);
uint32_t line_start(const File *file, uint32_t offset); /* of the line that an offset is in */
uint32_t last_line_of(const File *file, uint32_t start, uint32_t end);
uint32_t trim_end(const File *file, uint32_t start, uint32_t end);

/* Call a Python function; NULL if it raises. Other sources may be extracted meanwhile. */
PyObject *call_python(File *file, PyObject *function, PyObject *argument);

/* Ask the Python path about a text; the answer is kept. */
PyObject *ask(File *file, Question question, PyObject *key);
PyObject *ask_about(File *file, Question question, Text text); /* given as bytes */
PyObject *ask_about_name(File *file, Question question, Text text); /* given as str */
Text ask_text(File *file, Question question, Text text);
bool ask_whether(File *file, Question question, Text name);
/* Parts of answers. What has another form than expected is an error, as functions of other versions may answer. */
Py_ssize_t count_parts(File *file, PyObject *tuple);
PyObject *part_of(File *file, PyObject *tuple, Py_ssize_t number);
Text text_of(File *file, PyObject *text); /* NO_TEXT for None */
Text text_part(File *file, PyObject *tuple, Py_ssize_t number);
int32_t count_of(File *file, PyObject *number);

Text read_name(File *file, Span span);
Text read_path(File *file, Span span);
Text read_expression(File *file, Span span);
Text read_text(File *file, Span span);
Text read_words(File *file, Text text);

/* The memory of the runtime. What it takes from a pool is given back as a whole when that is closed. */
void use_pool(void);
Pool *open_pool(void);      /* and use it; NULL with an error if another one is in use */
void enter_pool(Pool *own); /* use it again */
void leave_pool(void);      /* use none, until it is entered again */
void close_pool(Pool *own);

void read_syntax(File *file);
void sweep(File *file);
void finish_entities(File *file);
void make_fingerprints(File *file);
void make_semantic_ids(File *file);
void read_bindings(File *file);
void read_references(File *file);
void tile_source(File *file, uint32_t longest, uint32_t shortest);
void pack_chunks(File *file, Packer *packer, Packer *metrics);

#endif
