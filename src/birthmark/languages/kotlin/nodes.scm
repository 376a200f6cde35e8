; A default stands beside its parameter, not in it.
(function_value_parameters (parameter . (identifier) @name) @parameter . "=" . (_) @value)
(function_value_parameters
  (parameter . (identifier) @name) @parameter . ["," ")" (line_comment) (block_comment)])
; In the head of a class; with `val` or `var` it is a property.
((class_parameter (identifier) @name . (_)) @parameter (#not-match? @parameter "(^|[ )\\n])va[lr][ \\n]"))
(lambda_parameters (variable_declaration . (identifier) @name) @parameter)
(lambda_parameters (multi_variable_declaration (variable_declaration . (identifier) @name) @parameter))
(setter "(" . (identifier) @name @parameter)

; Local properties. One that holds a function is an entity.
(block
  (property_declaration
    (variable_declaration . (identifier) @name)
    "=" . [
      (annotated_expression) (as_expression) (binary_expression) (call_expression) (callable_reference)
      (character_literal) (collection_literal) (float_literal) (identifier) (if_expression) (in_expression)
      (index_expression) (infix_expression) (is_expression) (labeled_expression) (multiline_string_literal)
      (navigation_expression) (number_literal) (object_literal) (parenthesized_expression) (range_expression)
      (return_expression) (spread_expression) (string_literal) (super_expression) (this_expression)
      (throw_expression) (try_expression) (unary_expression) (when_expression)
    ] @value) @variable)
(block
  (property_declaration (variable_declaration . (identifier) @name) (property_delegate (_) @value)) @variable)
(block (property_declaration (variable_declaration . (identifier) @name) .) @variable)
(block
  (property_declaration
    (multi_variable_declaration (variable_declaration . (identifier) @name @variable)) "=" . (_) @value))
(lambda_literal
  (property_declaration
    (variable_declaration . (identifier) @name)
    "=" . [
      (annotated_expression) (as_expression) (binary_expression) (call_expression) (callable_reference)
      (character_literal) (collection_literal) (float_literal) (identifier) (if_expression) (in_expression)
      (index_expression) (infix_expression) (is_expression) (labeled_expression) (multiline_string_literal)
      (navigation_expression) (number_literal) (object_literal) (parenthesized_expression) (range_expression)
      (return_expression) (spread_expression) (string_literal) (super_expression) (this_expression)
      (throw_expression) (try_expression) (unary_expression) (when_expression)
    ] @value) @variable)
(lambda_literal
  (property_declaration (variable_declaration . (identifier) @name) (property_delegate (_) @value)) @variable)
(lambda_literal (property_declaration (variable_declaration . (identifier) @name) .) @variable)
(lambda_literal
  (property_declaration
    (multi_variable_declaration (variable_declaration . (identifier) @name @variable)) "=" . (_) @value))
(for_statement (variable_declaration . (identifier) @name) @variable "in" . (_) @value)
(for_statement (multi_variable_declaration (variable_declaration . (identifier) @name) @variable) "in" . (_) @value)
(catch_block . (identifier) @name @variable . (_) @value)
(when_subject (variable_declaration . (identifier) @name) @variable "=" . (_) @value)

(if_expression) @scope.if
; An `else if` is the `if` it holds.
(if_expression "else" . (block) @scope.else)
(for_statement) @scope.for
(while_statement) @scope.while
(do_while_statement) @scope.do
(when_expression) @scope.when
(when_entry) @scope.case
(try_expression) @scope.try
(catch_block) @scope.catch
(finally_block) @scope.finally

(navigation_expression) @property
(callable_reference) @property

(assignment left: (index_expression) @name) @mutation.array
(unary_expression argument: (index_expression) @name operator: ["++" "--"]) @mutation.array
; The grammar reads `--a[1]` as `(--a)[1]`.
(index_expression
  (unary_expression operator: ["++" "--"] argument: (_) @name) "]" @name) @mutation.array
(assignment left: (navigation_expression) @name) @mutation.object
(unary_expression argument: (navigation_expression) @name operator: ["++" "--"]) @mutation.object
(navigation_expression
  . (unary_expression operator: ["++" "--"] argument: (_) @name) (identifier) @name) @mutation.object
