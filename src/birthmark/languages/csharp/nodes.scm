; Those of a record are its fields.
(_ parameters: (parameter_list (parameter name: (identifier) @name ("=" (_) @value)?) @parameter))
(class_declaration (parameter_list (parameter name: (identifier) @name ("=" (_) @value)?) @parameter))
(struct_declaration (parameter_list (parameter name: (identifier) @name ("=" (_) @value)?) @parameter))
(bracketed_parameter_list (parameter name: (identifier) @name ("=" (_) @value)?) @parameter)
(parameter_list "params" name: (identifier) @parameter)
(lambda_expression parameters: (implicit_parameter) @parameter)

(for_statement
  initializer: (variable_declaration
    (variable_declarator name: (identifier) @name ("=" (_) @value)?) @variable))
(using_statement
  (variable_declaration (variable_declarator name: (identifier) @name ("=" (_) @value)?) @variable))
(fixed_statement
  (variable_declaration (variable_declarator name: (identifier) @name ("=" (_) @value)?) @variable))
(foreach_statement left: (identifier) @name @variable right: (_) @value)
(foreach_statement left: (tuple_pattern name: (identifier) @name @variable) right: (_) @value)
(catch_declaration name: (identifier) @name) @variable
(declaration_pattern name: (identifier) @name) @variable
(recursive_pattern name: (identifier) @name) @variable
(var_pattern name: (identifier) @name) @variable
(declaration_expression name: (identifier) @name) @variable
(parenthesized_variable_designation name: (identifier) @name @variable)
(from_clause name: (identifier) @name @variable)
(let_clause . (identifier) @name . (_) @value) @variable
(join_clause . (identifier) @name @variable)

(if_statement alternative: (_) @scope.else)
(if_statement) @scope.if
(for_statement) @scope.for
(foreach_statement) @scope.foreach
(while_statement) @scope.while
(do_statement) @scope.do
(switch_statement) @scope.switch
(switch_section) @scope.case
(switch_expression) @scope.switch
(switch_expression_arm) @scope.case
(try_statement) @scope.try
(catch_clause) @scope.catch
(finally_clause) @scope.finally
(using_statement) @scope.using
(lock_statement) @scope.lock
(fixed_statement) @scope.fixed
(checked_statement) @scope.checked
(unsafe_statement) @scope.unsafe

(member_access_expression) @property
(conditional_access_expression) @property

(assignment_expression left: (element_access_expression) @name) @mutation.array
(postfix_unary_expression (element_access_expression) @name ["++" "--"]) @mutation.array
(prefix_unary_expression ["++" "--"] (element_access_expression) @name) @mutation.array
(assignment_expression left: (member_access_expression) @name) @mutation.object
(postfix_unary_expression (member_access_expression) @name ["++" "--"]) @mutation.object
(prefix_unary_expression ["++" "--"] (member_access_expression) @name) @mutation.object
