; Regions: names that are declared, also parameters of types of functions, and attributes.
[
  (declaration declarator: (identifier) @mentions.none)
  (parameter_declaration declarator: (identifier) @mentions.none)
  (pointer_declarator declarator: (identifier) @mentions.none)
  (array_declarator declarator: (identifier) @mentions.none)
  (function_declarator declarator: (identifier) @mentions.none)
  (init_declarator declarator: (identifier) @mentions.none)
  (parenthesized_declarator (identifier) @mentions.none)
]
[(preproc_params) (attribute_specifier) (ms_declspec_modifier)] @mentions.none
(parameter_list (identifier) @mentions.none)

; All names
(identifier) @mention.reads
(type_identifier) @mention.types
(field_expression argument: (_) @receiver field: (_) @name) @mention.reads
; The text of a macro is not parsed.
((preproc_def value: (preproc_arg) @mention.reads) (#set! words ""))
((preproc_function_def parameters: (_) @arguments value: (preproc_arg) @name) @mention.reads (#set! words ""))

; Names that are assigned
[
  (assignment_expression left: (identifier) @mention.writes)
  (update_expression argument: (identifier) @mention.writes)
]
[
  (assignment_expression left: (field_expression argument: (_) @receiver field: (_) @name) @mention.writes)
  (update_expression argument: (field_expression argument: (_) @receiver field: (_) @name) @mention.writes)
]

; `.size = 1` in a literal, of the type before the braces. What is no path, as the first `@receiver`, is a type that is not
; known.
(initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes) @receiver
(declaration
  type: [(type_identifier) @receiver (struct_specifier name: (_) @receiver)]
  declarator: (init_declarator
    value: (initializer_list
      (initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes))))
(declaration
  type: [(type_identifier) @receiver (struct_specifier name: (_) @receiver)]
  declarator: (init_declarator
    declarator: (array_declarator)
    value: (initializer_list
      [
        (initializer_list (initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes))
        (initializer_pair
          (initializer_list (initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes)))
      ])))
(compound_literal_expression
  type: (type_descriptor type: [(type_identifier) @receiver (struct_specifier name: (_) @receiver)])
  value: (initializer_list (initializer_pair designator: (field_designator (field_identifier) @name) @mention.writes)))
(offsetof_expression type: (type_descriptor type: (_) @receiver) member: (_) @name) @mention.reads
