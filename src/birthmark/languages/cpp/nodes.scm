; Parameters of what is named itself; those of a function pointer, whose name stands in parentheses, are its type.
(function_declarator
  declarator: [
    (identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function) (attributed_declarator)
    (parenthesized_declarator (identifier))
  ]
  parameters: (parameter_list
    (_
      declarator: [
        (identifier) @name
        (variadic_declarator (identifier) @name)
        (reference_declarator [(identifier) @name (variadic_declarator (identifier) @name)])
        (_ declarator: [(identifier) @name (_ declarator: (identifier) @name) (reference_declarator (_) @name)])
        (_ declarator: (parenthesized_declarator [(_ declarator: (_) @name) (reference_declarator (_) @name)]))
      ]
      default_value: (_)? @value) @parameter))
; Without a name of its own a parameter goes by its type.
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list
    [
      (parameter_declaration declarator: [(abstract_pointer_declarator) (abstract_reference_declarator)])
      (parameter_declaration declarator: [(abstract_array_declarator) (abstract_function_declarator)])
      (parameter_declaration !declarator type: [(sized_type_specifier) (template_type) (placeholder_type_specifier)])
      (variadic_parameter_declaration !declarator)
      "..."
    ] @parameter))
(function_declarator
  declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list (parameter_declaration !declarator type: (primitive_type) @_type) @parameter)
  (#not-eq? @_type "void"))
(optional_parameter_declaration
  type: (_) @name . [(abstract_pointer_declarator) (abstract_reference_declarator)]? @name
  . "=" default_value: (_) @value) @parameter
; One that is only a name may be the argument of a variable inside a function, unless the function has a body, is a
; member, an operator or a template, or cannot be a variable by its result.
(function_declarator
  declarator: [(field_identifier) (operator_name) (qualified_identifier) (template_function)]
  parameters: (parameter_list
    (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))
(function_definition
  declarator: (function_declarator . (identifier)
    (parameter_list (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
(template_declaration
  (declaration
    declarator: (function_declarator . (identifier)
      (parameter_list
        (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter))))
(declaration
  !type declarator: (function_declarator . (identifier)
    (parameter_list (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
(declaration
  type: [(primitive_type) (sized_type_specifier)] declarator: (function_declarator . (identifier)
    (parameter_list (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)]) @parameter)))
(lambda_expression
  (abstract_function_declarator
    (parameter_list
      [
        (_ !declarator)
        (_ declarator: [(identifier) @name (variadic_declarator (identifier) @name)] default_value: (_)? @value)
        (_ declarator: (_ [(identifier) @name (_ (identifier) @name)]) default_value: (_)? @value)
        (_ declarator: [(abstract_pointer_declarator) (abstract_reference_declarator)])
      ] @parameter)))
(requires_expression (parameter_list (_ declarator: [(identifier) @name (_ (identifier) @name)]) @parameter))
(preproc_params [(identifier) "..."] @parameter)

(for_range_loop
  declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])] @variable
  right: (_) @value)
(catch_clause (parameter_list (_ declarator: [(identifier) @name (_ (identifier) @name)]) @variable))
(lambda_capture_initializer left: (identifier) @name right: (_) @value) @variable

(if_statement) @scope.if
(else_clause) @scope.else
[(for_statement) (for_range_loop)] @scope.for
(while_statement) @scope.while
(do_statement) @scope.do
(switch_statement) @scope.switch
(case_statement) @scope.case
[(try_statement) (seh_try_statement)] @scope.try
(catch_clause) @scope.catch
(seh_except_clause) @scope.except
(seh_finally_clause) @scope.finally

(field_expression) @property
(assignment_expression left: (subscript_expression) @name) @mutation.array
(update_expression argument: (subscript_expression) @name) @mutation.array
(assignment_expression left: (field_expression) @name) @mutation.object
(update_expression argument: (field_expression) @name) @mutation.object
