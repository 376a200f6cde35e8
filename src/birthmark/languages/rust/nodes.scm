; A parameter that takes a value apart is called by its pattern; the names in it are variables.
(function_item parameters: (parameters (self_parameter (self) @name) @parameter))
(function_item parameters: (parameters (parameter pattern: [
        (identifier) @name
        (self) @name
        "_" @name
        (reference_pattern (identifier) @name)
        [(tuple_pattern) (tuple_struct_pattern) (struct_pattern) (slice_pattern) (ref_pattern)] @name
      ]) @parameter))
(function_signature_item parameters: (parameters (self_parameter (self) @name) @parameter))
(function_signature_item parameters: (parameters (parameter pattern: [
        (identifier) @name
        (self) @name
        "_" @name
        (reference_pattern (identifier) @name)
        [(tuple_pattern) (tuple_struct_pattern) (struct_pattern) (slice_pattern) (ref_pattern)] @name
      ]) @parameter))
(function_signature_item parameters: (parameters (variadic_parameter !pattern) @parameter) (#set! name "..."))
(function_signature_item parameters: (parameters (variadic_parameter pattern: (_) @name) @parameter))
(closure_parameters
  [
    (identifier) @name
    "_" @name
    (mut_pattern (identifier) @name)
    (reference_pattern (identifier) @name)
    (reference_pattern [(tuple_pattern) (tuple_struct_pattern) (struct_pattern)] @name)
    [(tuple_pattern) (tuple_struct_pattern) (struct_pattern) (slice_pattern) (ref_pattern)] @name
    (parameter pattern: [
        (identifier) @name
        "_" @name
        (reference_pattern (identifier) @name)
        [(tuple_pattern) (tuple_struct_pattern) (struct_pattern) (slice_pattern) (ref_pattern)] @name
      ])
  ] @parameter)

; What a pattern binds, however deep. A capital letter makes a variant or constant of a name.
(for_expression
  pattern: [(identifier) @name (mut_pattern (identifier) @name) (reference_pattern (identifier) @name)] @variable
  value: (_) @value)
(let_declaration pattern: (reference_pattern (identifier) @name) @variable value: (_) @value)
([
  (match_pattern . (identifier) @name @variable !condition)
  (match_pattern . (identifier) @name @variable condition: (_))
  (tuple_pattern (identifier) @name @variable)
  (tuple_struct_pattern type: (_) (identifier) @name @variable)
  (slice_pattern (identifier) @name @variable)
  (or_pattern (identifier) @name @variable)
  (field_pattern pattern: (identifier) @name @variable)
] (#match? @name "^[a-z_]") (#set! bind "local"))
([
  (match_pattern [(mut_pattern (identifier) @name) (reference_pattern (identifier) @name)] @variable)
  (tuple_pattern [(mut_pattern (identifier) @name) (reference_pattern (identifier) @name)] @variable)
  (tuple_struct_pattern [(mut_pattern (identifier) @name) (reference_pattern (identifier) @name)] @variable)
  (slice_pattern [(mut_pattern (identifier) @name) (reference_pattern (identifier) @name)] @variable)
  (field_pattern pattern: [(mut_pattern (identifier) @name) (reference_pattern (identifier) @name)] @variable)
] (#set! bind "local"))
((ref_pattern [(identifier) @name (mut_pattern (identifier) @name)]) @variable (#set! bind "local"))
((captured_pattern . (identifier) @name) @variable (#set! bind "local"))
(field_pattern name: (shorthand_field_identifier) @name) @variable

(if_expression) @scope.if
(else_clause (block)) @scope.else
(let_declaration alternative: (block) @scope.else)
(for_expression) @scope.for
(while_expression) @scope.while
(loop_expression) @scope.loop
(match_expression) @scope.match
(match_arm) @scope.case
(unsafe_block) @scope.unsafe
(async_block) @scope.async
(try_block) @scope.try
(block (block) @scope.block)
(expression_statement (block) @scope.block)

(field_expression) @property

(assignment_expression left: (index_expression) @name) @mutation.array
(compound_assignment_expr left: (index_expression) @name) @mutation.array
(assignment_expression left: (field_expression) @name) @mutation.object
(compound_assignment_expr left: (field_expression) @name) @mutation.object
