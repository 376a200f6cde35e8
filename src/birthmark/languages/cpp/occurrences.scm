; Regions: names that are declared, also parameters of types of functions, and attributes.
[
  (declaration declarator: [(identifier) (qualified_identifier)] @mentions.none)
  (parameter_declaration declarator: (identifier) @mentions.none)
  (optional_parameter_declaration declarator: (identifier) @mentions.none)
  (pointer_declarator declarator: (identifier) @mentions.none)
  (array_declarator declarator: (identifier) @mentions.none)
  (function_declarator declarator: [(identifier) (qualified_identifier)] @mentions.none)
  (init_declarator declarator: [(identifier) (qualified_identifier)] @mentions.none)
  (for_range_loop declarator: (identifier) @mentions.none)
]
(reference_declarator (identifier) @mentions.none)
(parenthesized_declarator (identifier) @mentions.none)
(variadic_declarator (identifier) @mentions.none)
(structured_binding_declarator (identifier) @mentions.none)
(lambda_capture_initializer left: (identifier) @mentions.none)
(type_parameter_declaration (type_identifier) @mentions.none)
(variadic_type_parameter_declaration (type_identifier) @mentions.none)
(optional_type_parameter_declaration name: (_) @mentions.none)
(namespace_definition name: (_) @mentions.none)
[
  (using_declaration) (destructor_name) (preproc_params) (attribute_specifier) (attribute_declaration)
  (ms_declspec_modifier)
] @mentions.none

; All names. Of a path such as `a::b::c`, which nests to the right, three parts are read.
[(identifier) (namespace_identifier)] @mention.reads
(type_identifier) @mention.types
(template_type name: (_) @name) @mention.types
(template_function name: (_) @name) @mention.reads
(field_expression argument: (_) @receiver field: [(field_identifier) @name (template_method name: (_) @name)]) @mention.reads
(qualified_identifier scope: (_) @receiver name: [(identifier) @name (template_function name: (_) @name)]) @mention.reads
(qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (_) @name)]) @mention.types
(qualified_identifier scope: (_) @receiver name: (qualified_identifier scope: (namespace_identifier) @mention.reads))
(qualified_identifier
  scope: (_) @receiver
  name: (qualified_identifier scope: (_) @receiver name: [(identifier) @name (template_function name: (_) @name)])) @mention.reads
(qualified_identifier
  scope: (_) @receiver
  name: (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (_) @name)])) @mention.types
; The text of a macro is not parsed.
((preproc_def value: (preproc_arg) @mention.reads) (#set! words ""))
((preproc_function_def parameters: (_) @arguments value: (preproc_arg) @name) @mention.reads (#set! words ""))

; Names that are assigned
[
  (assignment_expression left: (identifier) @mention.writes)
  (update_expression argument: (identifier) @mention.writes)
]
[
  (assignment_expression left: (field_expression argument: (_) @receiver field: (field_identifier) @name) @mention.writes)
  (assignment_expression left: (qualified_identifier scope: (_) @receiver name: (identifier) @name) @mention.writes)
  (update_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @name) @mention.writes)
]
(function_definition
  declarator: (function_declarator declarator: [(identifier) @receiver (qualified_identifier scope: (_) @receiver)])
  (field_initializer_list (field_initializer . (field_identifier) @mention.writes)))

; `.size = 1` in a literal, of the type before the braces. What is no path, as the first `@receiver`, is a type that is not
; known.
(initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes) @receiver
(declaration
  type: [(type_identifier) (qualified_identifier)] @receiver
  declarator: (init_declarator
    value: (initializer_list
      (initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes))))
(compound_literal_expression
  type: [(type_identifier) (qualified_identifier)] @receiver
  value: (initializer_list (initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes)))
