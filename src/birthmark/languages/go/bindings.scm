; Where variables hold
[(if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (select_statement) (expression_case)
  (type_case) (communication_case) (default_case)] @bind.block
(statement_list (block) @bind.block)

; Parameters; those without a name count as well. The receiver and results with names are variables.
[
  (function_declaration parameters: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type) @bind.parameter))
  (method_declaration parameters: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type) @bind.parameter))
  (method_elem parameters: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type) @bind.parameter))
  (func_literal parameters: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type) @bind.parameter))
]
([
  (function_declaration parameters: (parameter_list (parameter_declaration !name type: (_) @type) @bind.parameter))
  (method_declaration parameters: (parameter_list (parameter_declaration !name type: (_) @type) @bind.parameter))
  (method_elem parameters: (parameter_list (parameter_declaration !name type: (_) @type) @bind.parameter))
] (#set! name "_"))
(variadic_parameter_declaration name: (identifier)? @name type: (_) @type (#set! step "*")) @bind.rest
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type) @bind.local))
(_ result: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type) @bind.local))
; A type parameter has what its constraint has.
(type_parameter_declaration name: (identifier) @name type: (type_constraint) @value) @bind.local

; Variables. Of several results the first is known.
(var_spec name: (identifier) @name type: (_) @type) @bind.local
(var_spec . name: (identifier) @name !type
  value: (expression_list . [(identifier) (selector_expression) (index_expression) (unary_expression) (type_assertion_expression)] @value)) @bind.local
(var_spec . name: (identifier) @name !type
  value: (expression_list . (call_expression function: (_) @value)) (#set! step "()")) @bind.local
(var_spec name: (identifier) @_first name: (identifier) @name !type value: (expression_list . (call_expression) .)) @bind.local
(var_spec . name: (identifier) @name !type value: (expression_list . (composite_literal type: (_) @type))) @bind.local
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . [(identifier) (selector_expression) (index_expression) (unary_expression) (type_assertion_expression)] @value)) @bind.local
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . (call_expression function: (_) @value)) (#set! step "()")) @bind.local
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . (composite_literal type: (_) @type))) @bind.local
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . [(int_literal) (float_literal) (rune_literal) (interpreted_string_literal) (raw_string_literal) (true)
    (false) (nil) (binary_expression) (slice_expression) (parenthesized_expression) (type_conversion_expression)])) @bind.local
; `&T{}`, `new(T)` and `make([]T, n)`.
(var_spec . name: (identifier) @name !type
  value: (expression_list . (unary_expression operand: (composite_literal type: (_) @type)))) @bind.local
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . (unary_expression operand: (composite_literal type: (_) @type)))) @bind.local
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . (call_expression function: (identifier) @_make
    arguments: (argument_list . [(type_identifier) (qualified_type) (slice_type) (map_type) (generic_type)] @type)))
  (#any-of? @_make "new" "make")) @bind.local
; Further names.
(short_var_declaration left: (expression_list (_) @_first . (identifier) @name) right: (expression_list . (_) .)) @bind.local
(short_var_declaration left: (expression_list . (_) . (identifier) @name)
  right: (expression_list . (_) . (_) @value)) @bind.local
(short_var_declaration left: (expression_list . (_) . (_) (identifier) @name) right: (expression_list . (_) . (_))) @bind.local
(statement_list (const_declaration (const_spec (identifier) @name)) @bind.local)
(statement_list [
  (var_declaration (var_spec name: (identifier) @name !type value: (expression_list . [
    (int_literal) (float_literal) (rune_literal) (interpreted_string_literal) (raw_string_literal) (true) (false) (nil) (binary_expression)
    (slice_expression) (parenthesized_expression) (type_conversion_expression)])))
  (var_declaration (var_spec_list (var_spec name: (identifier) @name !type value: (expression_list . [
    (int_literal) (float_literal) (rune_literal) (interpreted_string_literal) (raw_string_literal) (true) (false) (nil) (binary_expression)
    (slice_expression) (parenthesized_expression) (type_conversion_expression)]))))
] @bind.local)
(range_clause left: (expression_list . (identifier) @name)) @bind.local
(range_clause left: (expression_list (_) . (identifier) @name) ":="
  right: [(identifier) (selector_expression) (call_expression) (index_expression)] @value (#set! step "[]")) @bind.local
(range_clause left: (expression_list (_) . (identifier) @name) ":="
  right: (composite_literal type: (_) @type) (#set! step "[]")) @bind.local
(receive_statement left: (expression_list (identifier) @name)) @bind.local
(type_switch_statement alias: (expression_list (identifier) @name) value: (_) @value) @bind.local
(type_switch_statement alias: (expression_list (identifier) @name) (type_case . type: (_) @type . (statement_list)) @bind.narrowed)

; Members of types, and other names of types.
(field_declaration name: (field_identifier) @name type: (_) @type) @bind.field
(type_alias name: (type_identifier) @name type: [(type_identifier) (qualified_type)] @value) @bind.local
(type_alias name: (type_identifier) @name type: (generic_type type: (_) @value)) @bind.local
(type_spec type: [(slice_type element: (_) @type) (array_type element: (_) @type) (map_type value: (_) @type)] @bind.field
  (#set! name "[]"))

; Results
(function_declaration result: [(type_identifier) (pointer_type) (qualified_type) (slice_type) (map_type) (generic_type)] @type) @bind.result
(function_declaration result: (parameter_list . (parameter_declaration type: (_) @type))) @bind.result
(method_declaration result: [(type_identifier) (pointer_type) (qualified_type) (slice_type) (map_type) (generic_type)] @type) @bind.result
(method_declaration result: (parameter_list . (parameter_declaration type: (_) @type))) @bind.result
(method_elem result: [(type_identifier) (pointer_type) (qualified_type) (slice_type) (map_type) (generic_type)] @type) @bind.result
(method_elem result: (parameter_list . (parameter_declaration type: (_) @type))) @bind.result
(method_elem) @bind.abstract
