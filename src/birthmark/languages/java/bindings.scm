; Parameters
(formal_parameters (formal_parameter type: (_) @type name: (identifier) @name !dimensions) @bind.parameter)
(formal_parameters (formal_parameter name: (identifier) @name dimensions: (_)) @bind.parameter)
(formal_parameters (spread_parameter [(type_identifier) (generic_type) (scoped_type_identifier)] @type
  (variable_declarator name: (identifier) @name) (#set! step "*")) @bind.rest)
(formal_parameters (spread_parameter [(integral_type) (floating_point_type) (boolean_type) (array_type)]
  (variable_declarator name: (identifier) @name)) @bind.rest)
(lambda_expression parameters: (identifier) @name @bind.parameter)
(inferred_parameters (identifier) @name @bind.parameter)
(catch_formal_parameter (catch_type . (_) @type .) name: (identifier) @name) @bind.local
(catch_formal_parameter (catch_type (_) . (_)) name: (identifier) @name) @bind.local

; Variables; those of numbers have no members. One that is made where it is declared is known more exactly than by its declared type.
(local_variable_declaration type: [(integral_type) (floating_point_type) (boolean_type)]
  declarator: (variable_declarator name: (identifier) @name) @bind.local)
(local_variable_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)]
  declarator: (variable_declarator name: (identifier) @name dimensions: (_)) @bind.local)
(local_variable_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @type
  declarator: (variable_declarator name: (identifier) @name !dimensions) @bind.local)
(local_variable_declaration
  declarator: (variable_declarator name: (identifier) @name value: (object_creation_expression) @value) @bind.local)
(local_variable_declaration type: (type_identifier) @_var
  declarator: (variable_declarator name: (identifier) @name
    value: [(method_invocation) (identifier) (field_access) (cast_expression) (array_access) (this)
      (parenthesized_expression)] @value) @bind.local
  (#eq? @_var "var"))
(local_variable_declaration type: (type_identifier) @_var
  declarator: (variable_declarator name: (identifier) @name
    value: (object_creation_expression type: (_) @type)) @bind.local
  (#eq? @_var "var"))
(assignment_expression left: (identifier) @name @value) @bind.assigned  ; It keeps its type.
(resource type: (_) @type name: (identifier) @name) @bind.local
(enhanced_for_statement type: (_) @type name: (identifier) @name) @bind.local
(enhanced_for_statement type: (type_identifier) @_var name: (identifier) @name value: [(identifier) (field_access) (method_invocation)] @value
  (#eq? @_var "var") (#set! step "[]")) @bind.local

; Fields
(field_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @type
  declarator: (variable_declarator name: (identifier) @name !dimensions) @bind.field)
(constant_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @type
  declarator: (variable_declarator name: (identifier) @name !dimensions) @bind.field)
(enum_declaration name: (identifier) @type body: (enum_body (enum_constant name: (identifier) @name !body) @bind.field))

; Results
(method_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @type !dimensions) @bind.result
(method_declaration !body) @bind.abstract

; Patterns that say what a name is
(instanceof_expression right: (_) @type name: (identifier) @name) @bind.local
(type_pattern . (_) @type . (identifier) @name .) @bind.local
(record_pattern_component . (_) @type . (identifier) @name .) @bind.local
(if_statement
  condition: (parenthesized_expression (instanceof_expression left: (identifier) @name right: (_) @type !name))
  consequence: (_) @bind.narrowed)

; A type parameter is used like the type that bounds it, and hides others of its name.
(type_parameter . (type_identifier) @name (type_bound . [(type_identifier) (scoped_type_identifier)] @value)) @bind.local
(type_parameter . (type_identifier) @name (type_bound . (generic_type . (_) @value))) @bind.local
(type_parameter . (type_identifier) @name .) @bind.local
