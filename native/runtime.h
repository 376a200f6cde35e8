/* What runtime.c adds to tree-sitter's runtime. */

#ifndef BIRTHMARK_RUNTIME_H
#define BIRTHMARK_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <tree_sitter/api.h>

/* A query whose analysis is taken from bytes that query_analysis() gave, if they fit; from NULL or others it is made. */
TSQuery *query_new(const TSLanguage *grammar, const char *text, uint32_t length, const unsigned char *known, size_t n_known);

/* Writes the analysis of a query to where there is room for it, unless that is NULL; returns how many bytes it has. */
size_t query_analysis(const TSQuery *query, unsigned char *into);

#endif
