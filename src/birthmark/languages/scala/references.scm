; In `f(a)(b) { c }` the innermost call, with the name, is the call.
(call_expression
  function: [(identifier) (field_expression) (operator_identifier) (parenthesized_expression)] @name
  arguments: (_) @arguments) @call
(call_expression function: (generic_function function: (_) @name) arguments: (_) @arguments) @call
(infix_expression operator: (identifier) @name right: (_) @arguments) @call
(extends_clause . type: [(type_identifier) (stable_type_identifier)] @name . arguments: (_) @arguments) @call
(extends_clause . type: (generic_type type: (_) @name) . arguments: (_) @arguments) @call

(instance_expression [(type_identifier) (stable_type_identifier)] @name arguments: (_) @arguments) @new
(instance_expression [(type_identifier) (stable_type_identifier)] @name !arguments) @new
(instance_expression (generic_type type: (_) @name) arguments: (_) @arguments) @new
(instance_expression (generic_type type: (_) @name) !arguments) @new
(instance_expression (compound_type base: [(type_identifier) (stable_type_identifier)] @name)) @new
(instance_expression (compound_type base: (generic_type type: (_) @name))) @new
(instance_expression
  (compound_type
    base: (applied_constructor_type
      . [(type_identifier) (stable_type_identifier)] @name (arguments) @arguments))) @new
(instance_expression
  (compound_type
    base: (applied_constructor_type . (generic_type type: (_) @name) (arguments) @arguments))) @new

; The parts of `a.b.C` stand side by side, and so do the imports of `import a.B, c.d._`: a path is told by how many
; parts it has. A longer one goes from its first part to its last but one, which a comma would lead astray. The capture
; on what stands before the path lets the query go on to the next comma.
(import_declaration
  ["import" ","] @_start . (identifier) @source
  . [(namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
    (namespace_selectors
      [(identifier) @name (namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
        (arrow_renamed_identifier name: (_) @name alias: (_) @alias)])]) @import
(import_declaration
  ["import" ","] @_start . (identifier) @source . (identifier) @source
  . [(namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
    (namespace_selectors
      [(identifier) @name (namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
        (arrow_renamed_identifier name: (_) @name alias: (_) @alias)])]) @import
(import_declaration
  ["import" ","] @_start . (identifier) @source . (identifier) @source . (identifier) @source
  . [(namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
    (namespace_selectors
      [(identifier) @name (namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
        (arrow_renamed_identifier name: (_) @name alias: (_) @alias)])]) @import
((import_declaration
  . (identifier) @source . (identifier) . (identifier) (identifier) @source
  . [(namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
    (namespace_selectors
      [(identifier) @name (namespace_wildcard) @name (as_renamed_identifier name: (_) @name alias: (_) @alias)
        (arrow_renamed_identifier name: (_) @name alias: (_) @alias)])]) @import
  (#not-match? @import "^[^{]*,|[}] *,"))
(import_declaration . (identifier) @name .) @import
(import_declaration ["import" ","] @_start . (identifier) @source . (identifier) @name .) @import
(import_declaration ["import" ","] @_start . (identifier) @source . (identifier) @name . ",") @import
(import_declaration
  ["import" ","] @_start . (identifier) @source . (identifier) @source . (identifier) @name .) @import
(import_declaration
  ["import" ","] @_start . (identifier) @source . (identifier) @source . (identifier) @name . ",") @import
(import_declaration
  ["import" ","] @_start . (identifier) @source . (identifier) @source . (identifier) @source
  . (identifier) @name .) @import
(import_declaration
  ["import" ","] @_start . (identifier) @source . (identifier) @source . (identifier) @source
  . (identifier) @name . ",") @import
((import_declaration
  . (identifier) @source . (identifier) . (identifier) (identifier) @source . (identifier) @name .) @import
  (#not-match? @import ","))

(export_declaration (identifier) @name .) @export
(export_declaration . (identifier) @name (namespace_wildcard) @name .) @export
(export_declaration (as_renamed_identifier alias: (_) @name) .) @export
(export_declaration (namespace_selectors (identifier) @name)) @export
(export_declaration (namespace_selectors (as_renamed_identifier alias: (_) @name))) @export
