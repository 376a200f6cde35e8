; A default value stands behind its parameter.
[
  (function_declaration (parameter name: (simple_identifier) @name) @parameter . ["," ")"])
  (protocol_function_declaration (parameter name: (simple_identifier) @name) @parameter . ["," ")"])
  (init_declaration (parameter name: (simple_identifier) @name) @parameter . ["," ")"])
  (subscript_declaration (parameter name: (simple_identifier) @name) @parameter . ["," ")"])
  (macro_declaration (parameter name: (simple_identifier) @name) @parameter . ["," ")"])
]
[
  (function_declaration (parameter name: (simple_identifier) @name) @parameter . "=" . (_) @value)
  (protocol_function_declaration (parameter name: (simple_identifier) @name) @parameter . "=" . (_) @value)
  (init_declaration (parameter name: (simple_identifier) @name) @parameter . "=" . (_) @value)
  (subscript_declaration (parameter name: (simple_identifier) @name) @parameter . "=" . (_) @value)
  (macro_declaration (parameter name: (simple_identifier) @name) @parameter . "=" . (_) @value)
]
(lambda_parameter name: (simple_identifier) @name) @parameter
(computed_setter (simple_identifier) @name @parameter)
(willset_clause (simple_identifier) @name @parameter)
(didset_clause (simple_identifier) @name @parameter)

(for_statement item: (pattern bound_identifier: (_) @name) @variable collection: (_) @value)
(for_statement item: (pattern . "(" (pattern (simple_identifier) @name) @variable) collection: (_) @value)
[
  (if_statement (value_binding_pattern mutability: "let") . bound_identifier: (_) @name @constant)
  (guard_statement (value_binding_pattern mutability: "let") . bound_identifier: (_) @name @constant)
  (while_statement (value_binding_pattern mutability: "let") . bound_identifier: (_) @name @constant)
]
[
  (if_statement (value_binding_pattern mutability: "var") . bound_identifier: (_) @name @variable)
  (guard_statement (value_binding_pattern mutability: "var") . bound_identifier: (_) @name @variable)
  (while_statement (value_binding_pattern mutability: "var") . bound_identifier: (_) @name @variable)
]

; What a pattern binds: `.a(let x)`, and `let .a(x, y)`. The parts of a condition have no node around them.
[
  (pattern (pattern (value_binding_pattern) bound_identifier: (_) @name) @constant)
  (switch_pattern (pattern (value_binding_pattern) bound_identifier: (_) @name) @constant)
  (catch_block (pattern (value_binding_pattern) bound_identifier: (_) @name) @constant)
  (if_statement (pattern (value_binding_pattern) bound_identifier: (_) @name) @constant)
  (guard_statement (pattern (value_binding_pattern) bound_identifier: (_) @name) @constant)
  (while_statement (pattern (value_binding_pattern) bound_identifier: (_) @name) @constant)
  (pattern (value_binding_pattern) (pattern (simple_identifier) @name) @constant)
  (if_statement "case" . (value_binding_pattern) (pattern (simple_identifier) @name) @constant)
  (guard_statement "case" . (value_binding_pattern) (pattern (simple_identifier) @name) @constant)
  (while_statement "case" . (value_binding_pattern) (pattern (simple_identifier) @name) @constant)
]

(if_statement) @scope.if
(guard_statement) @scope.guard
(for_statement) @scope.for
(while_statement) @scope.while
(repeat_while_statement) @scope.repeat
(switch_statement) @scope.switch
(switch_entry) @scope.case
(do_statement) @scope.do
(catch_block) @scope.catch

(navigation_expression) @property

(assignment target: (directly_assignable_expression (call_expression) @name)) @mutation.array
(assignment target: (directly_assignable_expression (navigation_expression) @name)) @mutation.object
