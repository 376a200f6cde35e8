/* tree-sitter's runtime, with a way to analyse a query once and not in every process.

   The analysis takes up to half a second, nearly all of what it takes to compile a query. What it gives is a few flags
   of each step and pattern, and some symbols. None of them addresses memory, so bytes from anywhere do no harm.

   This file and walk.h rely on the runtime in py-tree-sitter 0.25.2. Some of its functions get other names where query.c
   uses them, by macros. Two of these need to know that query.c has
   - `ts_query__analyze_patterns` defined once, with `TSQuery *self` as its first parameter, and called once with `self`;
   - `ts_tree_cursor_current_status` called once, as a statement, with the cursor of a TSQueryCursor `self` as its first
     argument, where a variable `symbol` is the symbol of the node.
   native/build.py refuses other sources. To take others, compare these places, then change both versions and the digest. */

#if BIRTHMARK_RUNTIME != 2502
#error "runtime.c and walk.h are for the runtime in py-tree-sitter 0.25.2; native/build.py says which one is compiled"
#endif

#include "runtime.h"

enum { PARENT_GUARANTEED = 1, ROOT_GUARANTEED = 2, CONTAINS_CAPTURES = 4 };

static bool take_or_analyse(TSQuery *self, unsigned *error_offset);

/* The definition of the analysis becomes `analyse`, the call of it one of `take_or_analyse`: the first word of the first
   argument, `TSQuery` or `self`, says which of them it is. */
#define ts_query__analyze_patterns(first, second) FIRST_OF(ANALYSIS_BY_##first)(first, second)
#define ANALYSIS_BY_TSQuery analyse,
#define ANALYSIS_BY_self take_or_analyse,
#define FIRST_OF(...) FIRST_OF_LIST(__VA_ARGS__)
#define FIRST_OF_LIST(name, ...) name

/* The files of lib.c, the queries last: they walk as walk.h says. */
#include "alloc.c"
#include "get_changed_ranges.c"
#include "language.c"
#include "lexer.c"
#include "node.c"
#include "parser.c"
#include "stack.c"
#include "subtree.c"
#include "tree_cursor.c"
#include "tree.c"
#include "wasm_store.c"

#include "walk.h"
#define ts_tree_cursor_goto_first_child_internal walk_to_first_child
#define ts_tree_cursor_goto_next_sibling_internal walk_to_next_sibling
#define ts_tree_cursor_goto_parent walk_to_parent
#define ts_tree_cursor_current_node walked_node
#define ts_tree_cursor_parent_node walked_parent
#define ts_tree_cursor_current_status(...) \
    (may_match(self, symbol) ? (ts_tree_cursor_current_status)(__VA_ARGS__) : (void)0)
static inline bool may_match(const TSQueryCursor *self, TSSymbol symbol);
#include "query.c"

/* Whether a pattern starts at a node with this symbol, or has come so far that this may be its next one. */
static inline bool may_match(const TSQueryCursor *self, TSSymbol symbol) {
    uint32_t found;
    if (self->query->wildcard_root_pattern_count || ts_query__pattern_map_search(self->query, symbol, &found)) return true;
    for (uint32_t i = 0; i < self->states.size; i++) {
        const QueryState *state = array_get(&self->states, i);
        const QueryStep *step = array_get(&self->query->steps, state->step_index);
        if ((uint32_t)state->start_depth + (uint32_t)step->depth == self->depth) return true;
    }
    return false;
}

static const unsigned char *known_analysis; /* while a query is made */
static size_t known_length;

static bool take(TSQuery *self) {
    const unsigned char *at = known_analysis;
    size_t n_flags = (size_t)self->steps.size + self->patterns.size;
    if (at == NULL || known_length < n_flags || (known_length - n_flags) % 2) return false;
    for (uint32_t i = 0; i < self->steps.size; i++, at++) {
        QueryStep *step = array_get(&self->steps, i);
        step->parent_pattern_guaranteed = *at & PARENT_GUARANTEED;
        step->root_pattern_guaranteed = (*at & ROOT_GUARANTEED) != 0;
        step->contains_captures = (*at & CONTAINS_CAPTURES) != 0;
    }
    for (uint32_t i = 0; i < self->patterns.size; i++) array_get(&self->patterns, i)->is_non_local = *at++ != 0;
    for (; at < known_analysis + known_length; at += 2)
        array_push(&self->repeat_symbols_with_rootless_patterns, (TSSymbol)(at[0] | at[1] << 8));
    return true;
}

static bool take_or_analyse(TSQuery *self, unsigned *error_offset) { return take(self) || analyse(self, error_offset); }

TSQuery *query_new(const TSLanguage *grammar, const char *text, uint32_t length, const unsigned char *known, size_t n_known) {
    uint32_t offset;
    TSQueryError error;
    known_analysis = known;
    known_length = n_known;
    TSQuery *query = ts_query_new(grammar, text, length, &offset, &error);
    known_analysis = NULL;
    return query;
}

size_t query_analysis(const TSQuery *query, unsigned char *into) {
    uint32_t n_steps = query->steps.size, n_patterns = query->patterns.size;
    uint32_t n_symbols = query->repeat_symbols_with_rootless_patterns.size;
    if (into == NULL) return (size_t)n_steps + n_patterns + 2 * (size_t)n_symbols;
    unsigned char *at = into;
    for (uint32_t i = 0; i < n_steps; i++) {
        const QueryStep *step = array_get(&query->steps, i);
        *at++ = (unsigned char)((step->parent_pattern_guaranteed ? PARENT_GUARANTEED : 0) |
                                (step->root_pattern_guaranteed ? ROOT_GUARANTEED : 0) |
                                (step->contains_captures ? CONTAINS_CAPTURES : 0));
    }
    for (uint32_t i = 0; i < n_patterns; i++) *at++ = array_get(&query->patterns, i)->is_non_local;
    for (uint32_t i = 0; i < n_symbols; i++) {
        TSSymbol symbol = *array_get(&query->repeat_symbols_with_rootless_patterns, i);
        *at++ = (unsigned char)(symbol & 0xFF);
        *at++ = (unsigned char)(symbol >> 8);
    }
    return (size_t)(at - into);
}
