; Parameters of what is named itself; those of a function pointer are its type. Those without a name count as well.
(function_declarator
  declarator: [(identifier) (parenthesized_declarator (identifier))]
  parameters: (parameter_list
    (parameter_declaration
      type: (_) @type
      declarator: [
        (identifier) @name
        (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
      ]) @bind.parameter))
(function_declarator
  declarator: [(identifier) (parenthesized_declarator (identifier))]
  parameters: (parameter_list
    (parameter_declaration
      declarator: [
        (array_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      ]) @bind.parameter))
(function_declarator
  declarator: (identifier)
  parameters: (parameter_list
    (parameter_declaration
      type: (_) @type
      declarator: [(abstract_pointer_declarator) (abstract_array_declarator) (abstract_function_declarator)]
      ) @bind.parameter) (#set! name "_"))
(function_declarator
  declarator: (identifier)
  parameters: (parameter_list
    (parameter_declaration
      !declarator type: [(type_identifier) (struct_specifier) (enum_specifier) (sized_type_specifier)] @type
      ) @bind.parameter) (#set! name "_"))
(function_declarator
  declarator: (identifier)
  parameters: (parameter_list (parameter_declaration !declarator type: (primitive_type) @type) @bind.parameter)
  (#not-eq? @type "void") (#set! name "_"))
(parameter_list (variadic_parameter) @bind.rest (#set! name "..."))

; Variables and fields of a type that may have members. A name in an array is that of an element.
(declaration
  type: [(type_identifier) (struct_specifier name: (_) !body) (union_specifier name: (_) !body)] @type
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
  ]) @bind.local
(declaration
  type: [(type_identifier) (struct_specifier name: (_) !body)] @type
  declarator: [
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))
  ] (#set! step "*")) @bind.local
(field_declaration
  type: [(type_identifier) (struct_specifier name: (_) !body) (union_specifier name: (_) !body)] @type
  declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)]) @bind.field
(field_declaration
  type: [(type_identifier) (struct_specifier name: (_) !body)] @type
  declarator: (array_declarator declarator: (field_identifier) @name) (#set! step "*")) @bind.field

; A local variable that holds a function, unless another one is assigned to it.
(compound_statement
  (declaration
    declarator: (init_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      value: [(identifier) (pointer_expression)] @value)) @bind.local)
(compound_statement
  (declaration
    declarator: (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))) @bind.local)
(expression_statement (assignment_expression left: (identifier) @name right: (identifier)) @bind.assigned)

; A table of functions: `{.open = f}`.
(initializer_pair
  designator: (field_designator (field_identifier) @name)
  value: [(identifier) (pointer_expression)] @value) @bind.field

; Another name of a type
(type_definition
  type: [(type_identifier) @value (struct_specifier name: (_) @value !body) (union_specifier name: (_) @value !body)]
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @bind.local
(type_definition
  type: [(struct_specifier name: (_) @value body: (_)) (union_specifier name: (_) @value body: (_))]
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @bind.local

; Results
(function_definition
  type: [(type_identifier) (struct_specifier name: (_))] @type
  declarator: [
    (function_declarator parameters: (_) @bind.result)
    (pointer_declarator declarator: (function_declarator parameters: (_) @bind.result))
  ])
(declaration
  type: [(type_identifier) (struct_specifier name: (_))] @type
  declarator: [
    (function_declarator declarator: (identifier) parameters: (_) @bind.result)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) parameters: (_) @bind.result))
  ])

; What is only declared
(declaration
  declarator: [
    (function_declarator declarator: (identifier) parameters: (_) @bind.declared)
    (_ (function_declarator declarator: (identifier) parameters: (_) @bind.declared))
    (_ (_ (function_declarator declarator: (identifier) parameters: (_) @bind.declared)))
  ])
(field_declaration
  declarator: [
    (function_declarator declarator: (field_identifier) parameters: (_) @bind.declared)
    (_ (function_declarator declarator: (field_identifier) parameters: (_) @bind.declared))
  ])
