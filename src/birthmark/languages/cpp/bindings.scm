; Parameters of what is named itself; those of a function pointer are its type. Those without a name count as well.
(function_declarator
  declarator: [
    (identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function) (template_method)
  ]
  parameters: (parameter_list
    (parameter_declaration
      type: (_) @type
      declarator: [
        (identifier) @name
        (reference_declarator [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
        (pointer_declarator
          declarator: [
            (identifier) @name
            (pointer_declarator declarator: (identifier) @name)
            (reference_declarator (identifier) @name)
          ])
      ]) @bind.parameter))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list
    (parameter_declaration
      declarator: [
        (array_declarator declarator: (identifier) @name)
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (reference_declarator (function_declarator (parenthesized_declarator (_ (identifier) @name))))
      ]) @bind.parameter))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list
    (parameter_declaration
      type: (_) @type
      declarator: [
        (abstract_pointer_declarator) (abstract_reference_declarator) (abstract_array_declarator)
        (abstract_function_declarator)
      ]) @bind.parameter) (#set! name "_"))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list
    (parameter_declaration
      !declarator
      type: [
        (type_identifier) (qualified_identifier) (template_type) (struct_specifier) (enum_specifier) (class_specifier)
        (sized_type_specifier) (placeholder_type_specifier) (dependent_type) (decltype)
      ] @type) @bind.parameter) (#set! name "_"))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list (parameter_declaration !declarator type: (primitive_type) @type) @bind.parameter)
  (#not-eq? @type "void") (#set! name "_"))
(parameter_list
  (optional_parameter_declaration
    type: (_) @type
    declarator: [
      (identifier) @name
      (reference_declarator (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
    ]) @bind.optional)
(parameter_list (optional_parameter_declaration !declarator) @bind.optional (#set! name "_"))
(parameter_list [(variadic_parameter_declaration) "..."] @bind.rest (#set! name "_"))
(lambda_expression
  (abstract_function_declarator
    (parameter_list
      (parameter_declaration
        type: (_) @type
        declarator: [
          (identifier) @name
          (reference_declarator (identifier) @name)
          (pointer_declarator declarator: (identifier) @name)
        ]) @bind.parameter)))

; Variables and fields of a type that may have members. A name in an array is that of an element.
(declaration
  type: [
    (type_identifier) (qualified_identifier) (template_type) (dependent_type)
    (struct_specifier name: (_) !body) (class_specifier name: (_) !body)
  ] @type
  declarator: [
    (identifier) @name
    (reference_declarator (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator
      declarator: [
        (identifier) @name
        (reference_declarator (identifier) @name)
        (pointer_declarator declarator: (identifier) @name)
      ])
  ]) @bind.local
; `Shop shop(name);` reads like a prototype.
(compound_statement
  (declaration
    type: [(type_identifier) (qualified_identifier) (template_type)] @type
    declarator: (function_declarator declarator: (identifier) @name)) @bind.local)
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: [
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))
  ] (#set! step "*")) @bind.local
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (reference_declarator (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
    ]
    value: (_) @value)) @bind.local
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (structured_binding_declarator (identifier) @name)
      (reference_declarator (structured_binding_declarator (identifier) @name))
    ])) @bind.local
(condition_clause
  value: (declaration
    type: (placeholder_type_specifier)
    declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]
    value: (_) @value) @bind.local)
(condition_clause
  value: (declaration
    type: [(type_identifier) (qualified_identifier) (template_type)] @type
    declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]
    value: (_)) @bind.local)
(for_range_loop
  type: (placeholder_type_specifier)
  declarator: [
    (identifier) @name
    (reference_declarator (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
  ]
  right: (_) @value (#set! step "[]")) @bind.local
(for_range_loop
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: [
    (identifier) @name
    (reference_declarator (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
  ]) @bind.local
(for_range_loop
  type: [(primitive_type) (sized_type_specifier)]
  declarator: [(identifier) @name (reference_declarator (identifier) @name) (pointer_declarator declarator: (identifier) @name)]
  ) @bind.local
(for_range_loop
  declarator: [
    (structured_binding_declarator (identifier) @name)
    (reference_declarator (structured_binding_declarator (identifier) @name))
  ]) @bind.local
(catch_clause
  (parameter_list
    (parameter_declaration
      type: (_) @type
      declarator: [(identifier) @name (reference_declarator (identifier) @name)]) @bind.local))
(lambda_capture_initializer left: (identifier) @name right: (_) @value) @bind.local
(field_declaration
  type: [
    (type_identifier) (qualified_identifier) (template_type) (dependent_type)
    (struct_specifier name: (_) !body) (class_specifier name: (_) !body)
  ] @type
  declarator: [
    (field_identifier) @name
    (reference_declarator (field_identifier) @name)
    (pointer_declarator declarator: (field_identifier) @name)
  ]) @bind.field
(field_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: (array_declarator declarator: (field_identifier) @name) (#set! step "*")) @bind.field

; A local variable that holds a function, unless another one is assigned to it.
(compound_statement
  (declaration
    declarator: (init_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      value: [(identifier) (qualified_identifier) (pointer_expression)] @value)) @bind.local)
(expression_statement (assignment_expression left: (identifier) @name right: (identifier)) @bind.assigned)

; A table of functions: `{.open = f}`.
(initializer_pair
  designator: (field_designator (field_identifier) @name)
  value: [(identifier) (qualified_identifier) (pointer_expression)] @value) @bind.field

; Another name of a type or namespace
(alias_declaration
  name: (type_identifier) @name
  type: (type_descriptor type: [
    (type_identifier) (qualified_identifier) (template_type)
    (dependent_type [(qualified_identifier) (template_type)])
  ] @value)) @bind.local
(type_definition
  type: [
    (type_identifier) @value (qualified_identifier) @value (template_type) @value
    (struct_specifier name: (_) @value) (class_specifier name: (_) @value) (union_specifier name: (_) @value)
  ]
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @bind.local
(namespace_alias_definition
  name: (namespace_identifier) @name
  [(namespace_identifier) (nested_namespace_specifier)] @value .) @bind.local

; Results
(function_definition
  type: [(type_identifier) (qualified_identifier) (template_type) (dependent_type) (struct_specifier name: (_))] @type
  declarator: [
    (function_declarator parameters: (_) @bind.result)
    (_ (function_declarator parameters: (_) @bind.result))
  ])
(field_declaration
  type: [(type_identifier) (qualified_identifier) (template_type) (dependent_type) (struct_specifier name: (_))] @type
  declarator: [
    (function_declarator declarator: (_) @_name parameters: (_) @bind.result)
    (_ (function_declarator declarator: [(field_identifier) (operator_name)] parameters: (_) @bind.result))
  ])
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type) (dependent_type) (struct_specifier name: (_))] @type
  declarator: [
    (function_declarator declarator: [(identifier) (qualified_identifier)] parameters: (_) @bind.result)
    (_ (function_declarator declarator: [(identifier) (qualified_identifier)] parameters: (_) @bind.result))
  ])
(function_declarator
  parameters: (parameter_list)
  (trailing_return_type (type_descriptor) @type) @bind.result)

; What is only declared
(declaration
  declarator: [
    (function_declarator parameters: (_) @bind.declared)
    (_ (function_declarator parameters: (_) @bind.declared))
    (_ (_ (function_declarator parameters: (_) @bind.declared)))
  ])
(field_declaration
  declarator: [
    (function_declarator parameters: (_) @bind.declared)
    (_ (function_declarator parameters: (_) @bind.declared))
    (_ (_ (function_declarator parameters: (_) @bind.declared)))
  ])
