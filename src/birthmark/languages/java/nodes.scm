; Parameters, but not the components of a record, which are fields.
(method_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @parameter))
(method_declaration
  parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @name)) @parameter))
(method_declaration parameters: (formal_parameters (receiver_parameter (this) @name) @parameter))
(constructor_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @parameter))
(constructor_declaration
  parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @name)) @parameter))
(constructor_declaration parameters: (formal_parameters (receiver_parameter (this) @name) @parameter))
(lambda_expression parameters: (identifier) @name @parameter)
(lambda_expression parameters: (inferred_parameters (identifier) @name @parameter))
(lambda_expression parameters: (formal_parameters (formal_parameter name: (_) @name) @parameter))
(lambda_expression
  parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @name)) @parameter))

; Local variables, but not those at the top of a compact source file, which are fields.
(block
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name value: (_) @value) @variable))
(block
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name !value) @variable))
(constructor_body
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name value: (_) @value) @variable))
(constructor_body
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name !value) @variable))
(switch_block_statement_group
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name value: (_) @value) @variable))
(switch_block_statement_group
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name !value) @variable))
(for_statement
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name value: (_) @value) @variable))
(for_statement
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name !value) @variable))
(enhanced_for_statement name: (identifier) @name @variable value: (_) @value)
(catch_formal_parameter (catch_type) @value name: (identifier) @name) @variable
(resource name: (identifier) @name value: (_) @value) @variable
(instanceof_expression left: (_) @value name: (identifier) @name) @variable
(type_pattern (identifier) @name .) @variable
(record_pattern_component (identifier) @name .) @variable

(if_statement) @scope.if
; An `else if` is the `if` it holds.
(if_statement alternative: (block) @scope.else)
(for_statement) @scope.for
(enhanced_for_statement) @scope.for
(while_statement) @scope.while
(do_statement) @scope.do
(switch_expression) @scope.switch
(switch_block_statement_group) @scope.case
(switch_rule) @scope.case
(try_statement) @scope.try
(try_with_resources_statement) @scope.try
(catch_clause) @scope.catch
(finally_clause) @scope.finally
(synchronized_statement) @scope.synchronized

; `Outer.this` is no access, but `Outer.this.x` is.
(field_access field: (identifier)) @property
(method_reference) @property

(assignment_expression left: (array_access) @name) @mutation.array
(update_expression (array_access) @name) @mutation.array
(assignment_expression left: (field_access) @name) @mutation.object
(update_expression (field_access) @name) @mutation.object
