; Where variables hold
[(block) (match_arm) (if_expression) (while_expression) (for_expression)] @bind.block

; Parameters
(parameter pattern: (identifier) @name type: (_) @type) @bind.parameter
(parameter pattern: (reference_pattern (identifier) @name) type: (_) @type) @bind.parameter
(parameter pattern: (tuple_pattern (identifier) @name)) @bind.parameter
(closure_parameters [(identifier) @name (reference_pattern (identifier) @name) (mut_pattern (identifier) @name)] @bind.parameter)
(const_parameter name: (identifier) @name) @bind.local
(self_parameter (self) @name) @bind.parameter
; A type parameter has what its bound has.
(type_parameter name: (type_identifier) @name) @bind.local
(type_parameter name: (type_identifier) @name
  bounds: (trait_bounds . [(type_identifier) (scoped_type_identifier)] @value .)) @bind.local
(type_parameter name: (type_identifier) @name bounds: (trait_bounds . (generic_type type: (_) @value) .)) @bind.local
(where_predicate left: (type_identifier) @name
  bounds: (trait_bounds . [(type_identifier) (scoped_type_identifier)] @value .)) @bind.local

; Variables
(let_declaration pattern: (identifier) @name type: (_) @type) @bind.local
(let_declaration pattern: (identifier) @name !type
  value: [(identifier) (field_expression) (reference_expression) (index_expression) (unary_expression) (self)
    (scoped_identifier) (parenthesized_expression) (type_cast_expression)] @value) @bind.local
(let_declaration pattern: (identifier) @name !type value: (call_expression function: (_) @value) (#set! step "()")) @bind.local
(let_declaration pattern: (identifier) @name !type value: [(try_expression . (_) @value) (await_expression . (_) @value)]) @bind.local
(let_declaration pattern: (identifier) @name !type value: (struct_expression name: (_) @type)) @bind.local
(let_declaration pattern: (identifier) @name !type !value) @bind.local
(let_declaration pattern: (identifier) @name !type
  value: [(integer_literal) (float_literal) (string_literal) (raw_string_literal) (char_literal) (boolean_literal) (macro_invocation)
    (binary_expression) (array_expression) (tuple_expression) (if_expression) (match_expression) (block) (range_expression)
    (unit_expression) (loop_expression) (unsafe_block) (async_block)]) @bind.local
(let_declaration pattern: (tuple_pattern (identifier) @name)) @bind.local
(for_expression pattern: [(identifier) @name (reference_pattern (identifier) @name) (mut_pattern (identifier) @name)]
  value: (_) @value (#set! step "[]")) @bind.local
(let_declaration pattern: (reference_pattern (identifier) @name)) @bind.local
(for_expression pattern: (tuple_pattern (identifier) @name)) @bind.local
[
  (const_item name: (identifier) @name type: (_) @type)
  (static_item name: (identifier) @name type: (_) @type)
] @bind.local

; Patterns: what is in an optional value, and the parts of a variant or a struct.
(let_condition pattern: (tuple_struct_pattern type: (identifier) @_some . (identifier) @name .) value: (_) @value
  (#any-of? @_some "Some" "Ok")) @bind.local
(let_declaration pattern: (tuple_struct_pattern type: (identifier) @_some . (identifier) @name .) value: (_) @value
  (#any-of? @_some "Some" "Ok")) @bind.local
(match_expression value: (_) @value body: (match_block (match_arm
    pattern: (match_pattern . (tuple_struct_pattern type: (identifier) @_some . (identifier) @name .))) @bind.narrowed)
  (#any-of? @_some "Some" "Ok"))
(tuple_struct_pattern type: (scoped_identifier) @value . (identifier) @name (#set! step ".0")) @bind.local
(tuple_struct_pattern type: (scoped_identifier) . (_) . (identifier) @name) @bind.local
(struct_pattern type: (_) @value (field_pattern name: (shorthand_field_identifier) @name @key)) @bind.local
(struct_pattern type: (_) @value (field_pattern name: (field_identifier) @key pattern: (identifier) @name)) @bind.local

; Members of types, and other names of types
(field_declaration name: (field_identifier) @name type: (_) @type) @bind.field
(ordered_field_declaration_list . (visibility_modifier)? . type: (_) @type @bind.field (#set! name "0"))
(type_item name: (type_identifier) @name type: [(type_identifier) (scoped_type_identifier)] @value) @bind.local
(type_item name: (type_identifier) @name type: (generic_type type: (_) @value)) @bind.local

; Results
(function_item return_type: (_) @type) @bind.result
(function_signature_item return_type: (_) @type) @bind.result
(function_signature_item) @bind.abstract
((attribute_item (attribute (identifier) @_mark)) . (function_item) @bind.macro (#eq? @_mark "proc_macro"))
