(parameter name: (_) @name default_value: (_) @value) @parameter
(parameter name: (_) @name !default_value) @parameter
(binding name: (_) @name) @parameter
(lambda_expression parameters: (identifier) @name @parameter)
(colon_argument lambda_start: (identifier) @name @parameter)

; Local values and variables. A value that holds a lambda is an entity.
(block
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name)]
    value: [
      (ascription_expression) (assignment_expression) (block) (boolean_literal) (call_expression) (case_block)
      (character_literal) (field_expression) (floating_point_literal) (for_expression) (generic_function) (identifier)
      (if_expression) (indented_block) (infix_expression) (instance_expression) (integer_literal)
      (interpolated_string_expression) (macro_body) (match_expression) (method_value) (null_literal)
      (operator_identifier) (parenthesized_expression) (postfix_expression) (prefix_expression) (quote_expression)
      (return_expression) (splice_expression) (string) (throw_expression) (try_expression) (tuple_expression) (unit)
      (while_expression) (wildcard) (xml_expression)
    ] @value) @variable)
(indented_block
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name)]
    value: [
      (ascription_expression) (assignment_expression) (block) (boolean_literal) (call_expression) (case_block)
      (character_literal) (field_expression) (floating_point_literal) (for_expression) (generic_function) (identifier)
      (if_expression) (indented_block) (infix_expression) (instance_expression) (integer_literal)
      (interpolated_string_expression) (macro_body) (match_expression) (method_value) (null_literal)
      (operator_identifier) (parenthesized_expression) (postfix_expression) (prefix_expression) (quote_expression)
      (return_expression) (splice_expression) (string) (throw_expression) (try_expression) (tuple_expression) (unit)
      (while_expression) (wildcard) (xml_expression)
    ] @value) @variable)
(case_clause
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name)]
    value: [
      (ascription_expression) (assignment_expression) (block) (boolean_literal) (call_expression) (case_block)
      (character_literal) (field_expression) (floating_point_literal) (for_expression) (generic_function) (identifier)
      (if_expression) (indented_block) (infix_expression) (instance_expression) (integer_literal)
      (interpolated_string_expression) (macro_body) (match_expression) (method_value) (null_literal)
      (operator_identifier) (parenthesized_expression) (postfix_expression) (prefix_expression) (quote_expression)
      (return_expression) (splice_expression) (string) (throw_expression) (try_expression) (tuple_expression) (unit)
      (while_expression) (wildcard) (xml_expression)
    ] @value) @variable)
(lambda_expression
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name)]
    value: [
      (ascription_expression) (assignment_expression) (block) (boolean_literal) (call_expression) (case_block)
      (character_literal) (field_expression) (floating_point_literal) (for_expression) (generic_function) (identifier)
      (if_expression) (indented_block) (infix_expression) (instance_expression) (integer_literal)
      (interpolated_string_expression) (macro_body) (match_expression) (method_value) (null_literal)
      (operator_identifier) (parenthesized_expression) (postfix_expression) (prefix_expression) (quote_expression)
      (return_expression) (splice_expression) (string) (throw_expression) (try_expression) (tuple_expression) (unit)
      (while_expression) (wildcard) (xml_expression)
    ] @value) @variable)
(block
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)]
    value: (_) @value) @variable)
(indented_block
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)]
    value: (_) @value) @variable)
(case_clause
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)]
    value: (_) @value) @variable)
(lambda_expression
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)]
    value: (_) @value) @variable)
(enumerator . (identifier) @name @variable . (_) @value)
(enumerator . (tuple_pattern (identifier) @name @variable) . (_) @value)
(enumerator . (case_class_pattern (identifier) @name @variable) . (_) @value)

; What a pattern binds starts with a small letter; anything else is a value to compare with.
((case_clause pattern: (identifier) @name @variable) (#match? @name "^[a-z]"))
((case_clause
  pattern: [(tuple_pattern (identifier) @name @variable) (case_class_pattern (identifier) @name @variable)
    (infix_pattern left: (identifier) @name @variable) (infix_pattern right: (identifier) @name @variable)])
  (#match? @name "^[a-z]"))
((case_class_pattern
  [(tuple_pattern (identifier) @name @variable) (case_class_pattern (identifier) @name @variable)
    (infix_pattern left: (identifier) @name @variable) (infix_pattern right: (identifier) @name @variable)])
  (#match? @name "^[a-z]"))
((tuple_pattern
  [(tuple_pattern (identifier) @name @variable) (case_class_pattern (identifier) @name @variable)
    (infix_pattern left: (identifier) @name @variable) (infix_pattern right: (identifier) @name @variable)])
  (#match? @name "^[a-z]"))
((infix_pattern
  [(tuple_pattern (identifier) @name @variable) (case_class_pattern (identifier) @name @variable)
    (infix_pattern left: (identifier) @name @variable) (infix_pattern right: (identifier) @name @variable)])
  (#match? @name "^[a-z]"))
((capture_pattern
  pattern: [(tuple_pattern (identifier) @name @variable) (case_class_pattern (identifier) @name @variable)
    (infix_pattern left: (identifier) @name @variable) (infix_pattern right: (identifier) @name @variable)])
  (#match? @name "^[a-z]"))
(typed_pattern pattern: (identifier) @name @variable type: (_) @value)
(capture_pattern name: (identifier) @name @variable pattern: (_) @value)

(if_expression) @scope.if
; An `else if` is the `if` it holds.
(if_expression alternative: [(block) (indented_block)] @scope.else)
(for_expression) @scope.for
(while_expression) @scope.while
(do_while_expression) @scope.do
(match_expression) @scope.match
(case_clause) @scope.case
(try_expression) @scope.try
(catch_clause) @scope.catch
(finally_clause) @scope.finally

(field_expression) @property

; `xs(0) = 1` updates `xs`.
(assignment_expression left: (call_expression function: (_) @name)) @mutation.array
(assignment_expression left: (field_expression) @name) @mutation.object
((infix_expression left: (field_expression) @name operator: (operator_identifier) @_operator) @mutation.object
  (#match? @_operator "^[-+*/%&|^]+=$"))
