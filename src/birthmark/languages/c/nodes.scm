; Parameters of what is named itself; those of a function pointer, whose name stands in parentheses, are its type.
(function_declarator
  declarator: [(identifier) (function_declarator) (parenthesized_declarator (identifier))]
  parameters: (parameter_list
    (parameter_declaration
      declarator: [
        (identifier) @name
        (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])])
        (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
        (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
      ]) @parameter))
(function_declarator
  declarator: [(identifier) (function_declarator)]
  parameters: (parameter_list [(variadic_parameter) (identifier)] @parameter))
; Without a name of its own a parameter goes by its type.
(function_declarator
  declarator: [(identifier) (function_declarator)]
  parameters: (parameter_list
    (parameter_declaration
      declarator: [
        (abstract_pointer_declarator)
        (abstract_array_declarator)
        (abstract_function_declarator)
        (abstract_parenthesized_declarator)
      ]) @parameter))
(function_definition
  declarator: (function_declarator
    declarator: (identifier)
    parameters: (parameter_list (parameter_declaration !declarator type: (_) @_type) @parameter))
  (#not-eq? @_type "void"))
(declaration
  declarator: (function_declarator
    declarator: (identifier)
    parameters: (parameter_list (parameter_declaration !declarator type: (_) @_type) @parameter))
  (#not-eq? @_type "void"))
(pointer_declarator
  declarator: (function_declarator
    declarator: (identifier)
    parameters: (parameter_list (parameter_declaration !declarator type: (_) @_type) @parameter))
  (#not-eq? @_type "void"))
(preproc_params [(identifier) "..."] @parameter)

(if_statement) @scope.if
(else_clause) @scope.else
(for_statement) @scope.for
(while_statement) @scope.while
(do_statement) @scope.do
(switch_statement) @scope.switch
(case_statement) @scope.case
(seh_try_statement) @scope.try
(seh_except_clause) @scope.except
(seh_finally_clause) @scope.finally

(field_expression) @property

(assignment_expression left: (subscript_expression) @name) @mutation.array
(update_expression argument: (subscript_expression) @name) @mutation.array
(assignment_expression left: (field_expression) @name) @mutation.object
(update_expression argument: (field_expression) @name) @mutation.object
