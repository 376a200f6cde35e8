; `collect::<Vec<_>>()` calls `collect`.
(call_expression
  function: [
    (identifier) (scoped_identifier) (field_expression) (call_expression) (parenthesized_expression)
    (index_expression) (try_expression) (await_expression) (macro_invocation) (self)
  ] @name
  arguments: (_) @arguments) @call
(call_expression function: (generic_function function: (_) @name) arguments: (_) @arguments) @call
(struct_expression name: [(type_identifier) (scoped_type_identifier)] @name body: (_) @arguments) @new
(struct_expression name: (generic_type_with_turbofish type: (_) @name) body: (_) @arguments) @new

(macro_invocation macro: (_) @name "!" @name (token_tree) @arguments) @call
; What a macro is given are bare tokens. A name before a bracket is a call there too; that a `!` stands between the
; two is beyond a query, so only well-known macros are told from functions. `not` and `derive` come from attributes.
([
  (token_tree (identifier) @name @call . (token_tree . "(") @arguments)
  (token_repetition (identifier) @name @call . (token_tree . "(") @arguments)
]
  (#not-match? @name "^(e?print(ln)?|(debug_)?assert(_eq|_ne)?|write(ln)?|format|panic|vec|matches|dbg|cfg|env)$")
  (#not-match? @name "^(concat|include_(str|bytes)|stringify|todo|unimplemented|unreachable|not|derive)$"))
(token_tree
  (identifier) @name @call
  .
  "!" @name
  .
  (token_tree) @arguments
  (#any-of? @name
    "!" "assert" "assert_eq" "assert_ne" "cfg" "concat" "dbg" "debug_assert" "debug_assert_eq" "debug_assert_ne" "env"
    "eprint" "eprintln" "format" "include_bytes" "include_str" "matches" "panic" "print" "println" "stringify" "todo"
    "unimplemented" "unreachable" "vec" "write" "writeln"))

(use_declaration argument: [(identifier) (crate)] @source) @import
(use_declaration argument: (scoped_identifier path: (_) @source name: (_) @name)) @import
(use_declaration argument: (use_as_clause path: (identifier) @source alias: (_) @alias)) @import
(use_declaration
  argument: (use_as_clause path: (scoped_identifier path: (_) @source name: (_) @name) alias: (_) @alias)) @import
(use_declaration argument: (use_wildcard (_) @source) (#set! name "*")) @import
; In a list the source is the path before it, in a list in that one it has two parts.
(scoped_use_list
  path: (_) @prefix
  list: (use_list
    (scoped_use_list
      path: (_) @source list: (use_list [(identifier) (self) (scoped_identifier) (use_wildcard)] @name @import)))
  (#set! join "::"))
(scoped_use_list
  path: (_) @prefix
  list: (use_list
    (scoped_use_list path: (_) @source list: (use_list (use_as_clause path: (_) @name alias: (_) @alias) @import)))
  (#set! join "::"))
(scoped_use_list
  path: (_) @source
  list: (use_list [(identifier) (self) (scoped_identifier) (use_wildcard)] @name @import))
(scoped_use_list path: (_) @source list: (use_list (use_list [(identifier) (scoped_identifier)] @name @import)))
(scoped_use_list path: (_) @source list: (use_list (use_as_clause path: (_) @name alias: (_) @alias) @import))
(use_declaration argument: (use_list [(identifier) (crate)] @source @import))
(use_declaration argument: (use_list (scoped_identifier path: (_) @source name: (_) @name) @import))
(use_declaration
  argument: (use_list
    (use_as_clause path: (scoped_identifier path: (_) @source name: (_) @name) alias: (_) @alias) @import))
(use_declaration argument: (use_list (use_wildcard (_) @source) @import) (#set! name "*"))
(extern_crate_declaration name: (identifier) @source alias: (_)? @alias) @import

; `pub use` gives away what it imports.
(use_declaration (visibility_modifier) argument: (identifier) @name) @export
(use_declaration (visibility_modifier) argument: (scoped_identifier name: (_) @name)) @export
(use_declaration (visibility_modifier) argument: (use_as_clause alias: (_) @name)) @export
(use_declaration (visibility_modifier) argument: (use_wildcard) @name) @export
(use_declaration
  (visibility_modifier)
  argument: (scoped_use_list
    list: (use_list
      [
        (identifier) @name
        (scoped_identifier name: (_) @name)
        (use_as_clause alias: (_) @name)
        (use_wildcard) @name
      ] @export)))
