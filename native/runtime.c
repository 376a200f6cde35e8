/* tree-sitter's runtime, with a way to analyse a query once and not in every process.

   The analysis takes up to half a second, nearly all of what it takes to compile a query. What it gives is a few flags
   of each step and pattern, and some symbols. None of them addresses memory, so bytes from anywhere do no harm. */

#include "runtime.h"

enum { PARENT_GUARANTEED = 1, ROOT_GUARANTEED = 2, CONTAINS_CAPTURES = 4 };

static bool take_or_analyse(TSQuery *self, unsigned *error_offset);

/* The runtime has one definition of the analysis and one call; they differ in their first arguments. */
#define ts_query__analyze_patterns(first, second) ANALYSIS_OF_##first, second)
#define ANALYSIS_OF_TSQuery analyse(TSQuery
#define ANALYSIS_OF_self take_or_analyse(self

#include "lib.c"

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
