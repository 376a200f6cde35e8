; Parameters of what is named itself; those of a function pointer, whose name stands in parentheses, are its type.
(function_declarator
  declarator: [
    (identifier)
    (field_identifier)
    (operator_name)
    (qualified_identifier)
    (template_function)
    (attributed_declarator)
    (parenthesized_declarator (identifier))
  ]
  parameters: (parameter_list
    [
      (parameter_declaration
        declarator: [
          (identifier) @name
          (reference_declarator (identifier) @name)
          (_ declarator: (identifier) @name)
          (_ declarator: (_ declarator: (identifier) @name))
          (_ declarator: (reference_declarator (identifier) @name))
          (_
            declarator: (parenthesized_declarator
              [(_ declarator: (identifier) @name) (reference_declarator (identifier) @name)]))
        ])
      (variadic_parameter_declaration
        declarator: [
          (variadic_declarator (identifier) @name)
          (_ (variadic_declarator (identifier) @name))
        ])
    ] @parameter))
(function_declarator
  declarator: [
    (identifier)
    (field_identifier)
    (operator_name)
    (qualified_identifier)
    (template_function)
    (attributed_declarator)
    (parenthesized_declarator (identifier))
  ]
  parameters: (parameter_list
    (optional_parameter_declaration
      declarator: [
        (identifier) @name
        (reference_declarator (identifier) @name)
        (_ declarator: (identifier) @name)
        (_ declarator: (_ declarator: (identifier) @name))
        (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
      ]
      default_value: (_) @value) @parameter))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list "..." @parameter))
(lambda_expression
  declarator: (abstract_function_declarator
    parameters: (parameter_list
      [
        (parameter_declaration
          declarator: [
            (identifier) @name
            (reference_declarator (identifier) @name)
            (_ declarator: (identifier) @name)
            (_ declarator: (reference_declarator (identifier) @name))
          ])
        (variadic_parameter_declaration
          declarator: [
            (variadic_declarator (identifier) @name)
            (_ (variadic_declarator (identifier) @name))
          ])
      ] @parameter)))
(lambda_expression
  declarator: (abstract_function_declarator
    parameters: (parameter_list
      (optional_parameter_declaration
        declarator: [
          (identifier) @name
          (reference_declarator (identifier) @name)
          (_ declarator: (identifier) @name)
        ]
        default_value: (_) @value) @parameter)))
(requires_expression
  parameters: (parameter_list
    (parameter_declaration
      declarator: [
        (identifier) @name
        (reference_declarator (identifier) @name)
        (_ declarator: (identifier) @name)
      ]) @parameter))
(preproc_params [(identifier) "..."] @parameter)

; Parameters without a name go by their type.
(function_declarator
  declarator: [
    (identifier)
    (field_identifier)
    (operator_name)
    (qualified_identifier)
    (template_function)
  ]
  parameters: (parameter_list
    [
      (parameter_declaration
        declarator: [
          (abstract_pointer_declarator)
          (abstract_reference_declarator)
          (abstract_array_declarator)
          (abstract_function_declarator)
          (abstract_parenthesized_declarator)
        ])
      (parameter_declaration !declarator type: [(sized_type_specifier) (template_type) (placeholder_type_specifier)])
      (variadic_parameter_declaration !declarator)
    ] @parameter))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list
    (parameter_declaration !declarator type: (primitive_type) @_type) @parameter)
  (#not-eq? @_type "void"))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list
    (optional_parameter_declaration !declarator type: (_) @name default_value: (_) @value) @parameter))
(lambda_expression
  declarator: (abstract_function_declarator
    parameters: (parameter_list
      [
        (parameter_declaration !declarator)
        (parameter_declaration declarator: [(abstract_pointer_declarator) (abstract_reference_declarator)])
        (variadic_parameter_declaration !declarator)
      ] @parameter)))
; One that is only a name may be the argument of a variable inside a function, but hardly here.
(function_definition
  declarator: [
    (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
      parameters: (parameter_list
        (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
    (_
      declarator: (function_declarator
        declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    (reference_declarator
      (function_declarator
        declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
  ])
(field_declaration
  declarator: [
    (function_declarator
      declarator: [(field_identifier) (operator_name)]
      parameters: (parameter_list
        (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
    (_
      declarator: (function_declarator
        declarator: [(field_identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    (reference_declarator
      (function_declarator
        declarator: [(field_identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
  ])
(field_declaration_list
  (declaration
    declarator: (function_declarator
      declarator: (identifier)
      parameters: (parameter_list
        (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))))
(translation_unit
  (declaration
    declarator: [
      (function_declarator
        declarator: [(identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
      (_
        (function_declarator
          declarator: [(identifier) (operator_name)]
          parameters: (parameter_list
            (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    ]))
(declaration_list
  (declaration
    declarator: [
      (function_declarator
        declarator: [(identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
      (_
        (function_declarator
          declarator: [(identifier) (operator_name)]
          parameters: (parameter_list
            (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    ]))
(template_declaration
  (declaration
    declarator: [
      (function_declarator
        declarator: [(identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
      (_
        (function_declarator
          declarator: [(identifier) (operator_name)]
          parameters: (parameter_list
            (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    ]))
(preproc_if
  (declaration
    declarator: [
      (function_declarator
        declarator: [(identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
      (_
        (function_declarator
          declarator: [(identifier) (operator_name)]
          parameters: (parameter_list
            (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    ]))
(preproc_ifdef
  (declaration
    declarator: [
      (function_declarator
        declarator: [(identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
      (_
        (function_declarator
          declarator: [(identifier) (operator_name)]
          parameters: (parameter_list
            (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    ]))
(preproc_else
  (declaration
    declarator: [
      (function_declarator
        declarator: [(identifier) (operator_name)]
        parameters: (parameter_list
          (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
      (_
        (function_declarator
          declarator: [(identifier) (operator_name)]
          parameters: (parameter_list
            (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
    ]))

(for_range_loop
  declarator: [
    (identifier) @name
    (structured_binding_declarator (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator [(identifier) @name (structured_binding_declarator (identifier) @name)])
  ] @variable
  right: (_) @value)
(catch_clause
  parameters: (parameter_list
    (parameter_declaration
      declarator: [
        (identifier) @name
        (reference_declarator (identifier) @name)
        (_ declarator: (identifier) @name)
      ]) @variable))
(lambda_capture_initializer left: (identifier) @name right: (_) @value) @variable

(if_statement) @scope.if
(else_clause) @scope.else
(for_statement) @scope.for
(for_range_loop) @scope.for
(while_statement) @scope.while
(do_statement) @scope.do
(switch_statement) @scope.switch
(case_statement) @scope.case
(try_statement) @scope.try
(catch_clause) @scope.catch
(seh_try_statement) @scope.try
(seh_except_clause) @scope.except
(seh_finally_clause) @scope.finally

(field_expression) @property

(assignment_expression left: (subscript_expression) @name) @mutation.array
(update_expression argument: (subscript_expression) @name) @mutation.array
(assignment_expression left: (field_expression) @name) @mutation.object
(update_expression argument: (field_expression) @name) @mutation.object
