; Regions: names of parameters, also of those that belong to no function, and of type parameters.
(parameter_declaration name: (identifier) @mentions.none)
(variadic_parameter_declaration name: (identifier) @mentions.none)
(type_parameter_declaration name: (identifier) @mentions.none)
(call_expression function: (parenthesized_expression (unary_expression "*")) @mentions.types)

; All names
(identifier) @mention.reads
(type_identifier) @mention.types
(qualified_type package: (_) @receiver name: (_) @name) @mention.types
(selector_expression operand: (_) @receiver field: (_) @name) @mention.reads

; Names that are assigned
[
  (assignment_statement left: (expression_list (identifier) @mention.writes))
  (inc_statement (identifier) @mention.writes)
  (dec_statement (identifier) @mention.writes)
  (range_clause left: (expression_list (identifier) @mention.writes) "=")
]
[
  (assignment_statement left: (expression_list (selector_expression operand: (_) @receiver field: (_) @name) @mention.writes))
  (inc_statement (selector_expression operand: (_) @receiver field: (_) @name) @mention.writes)
  (dec_statement (selector_expression operand: (_) @receiver field: (_) @name) @mention.writes)
]

; Keys of literals are fields of the type before the braces, or of the type of elements that have none themselves.
; What is no path, as the first `@receiver`, is a type that is not known.
[
  (literal_element (literal_value (keyed_element key: (literal_element (identifier) @name) @mention.writes) @receiver))
  (composite_literal
    type: (struct_type)
    body: (literal_value (keyed_element key: (literal_element (identifier) @name) @mention.writes) @receiver))
]
(composite_literal
  type: [(type_identifier) @receiver (qualified_type) @receiver (generic_type type: (_) @receiver)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @name) @mention.writes)))
(composite_literal
  type: (slice_type element: [(type_identifier) (qualified_type) (pointer_type)] @receiver)
  body: (literal_value
    (literal_element (literal_value (keyed_element key: (literal_element (identifier) @name) @mention.writes)))))
(composite_literal
  type: (map_type value: [(type_identifier) (qualified_type) (pointer_type)] @receiver)
  body: (literal_value
    (keyed_element
      value: (literal_element (literal_value (keyed_element key: (literal_element (identifier) @name) @mention.writes))))))
