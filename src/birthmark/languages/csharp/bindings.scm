; Parameters, also those of primary constructors
(parameter type: (_) @type name: (identifier) @name .) @bind.parameter
(parameter type: (_) @type name: (identifier) @name . (_)) @bind.optional
(parameter !type name: (identifier) @name) @bind.parameter
(parameter_list type: (array_type) @type name: (identifier) @name @bind.rest)
(implicit_parameter) @name @bind.parameter

; Variables; those of predefined types have no members here. One that is made where it is declared is known more exactly than by its declared type.
(local_declaration_statement
  (variable_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type
    (variable_declarator name: (identifier) @name)) @bind.local)
(local_declaration_statement
  (variable_declaration type: [(implicit_type) (predefined_type) (tuple_type) (pointer_type) (ref_type)]
    (variable_declarator name: (identifier) @name)) @bind.local)
(local_declaration_statement
  (variable_declaration
    (variable_declarator name: (identifier) @name (object_creation_expression type: (_) @value) (#set! step "()"))) @bind.local)
(local_declaration_statement
  (variable_declaration type: (implicit_type)
    (variable_declarator name: (identifier) @name (object_creation_expression type: (_) @type))) @bind.local)
(local_declaration_statement
  (variable_declaration type: (implicit_type)
    (variable_declarator name: (identifier) @name
      [(invocation_expression) (identifier) (member_access_expression) (cast_expression) (as_expression)
        (await_expression) (element_access_expression) (parenthesized_expression)] @value)) @bind.local)
(local_declaration_statement
  (variable_declaration (variable_declarator (tuple_pattern name: (identifier) @name))) @bind.local)
(using_statement (variable_declaration (variable_declarator name: (identifier) @name)) @bind.local)
(fixed_statement (variable_declaration (variable_declarator name: (identifier) @name)) @bind.local)
(using_statement (variable_declaration type: (identifier) @type (variable_declarator name: (identifier) @name)) @bind.local)
(using_statement
  (variable_declaration type: (implicit_type)
    (variable_declarator name: (identifier) @name
      [(invocation_expression) (identifier) (member_access_expression) (await_expression) (object_creation_expression)] @value))
  @bind.local)
(for_statement initializer: (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name)) @bind.local)
(assignment_expression left: (identifier) @name @value) @bind.assigned  ; It keeps its type.
(foreach_statement left: [(identifier) @name (tuple_pattern name: (identifier) @name)]) @bind.local
(foreach_statement type: (implicit_type) left: (identifier) @name
  right: [(identifier) (member_access_expression) (invocation_expression)] @value (#set! step "[]")) @bind.local
(foreach_statement type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type
  left: (identifier) @name) @bind.local
(catch_declaration type: (_) @type name: (identifier) @name) @bind.local
(declaration_expression type: (_) @type name: (identifier) @name) @bind.local
(parenthesized_variable_designation name: (identifier) @name @bind.local)
[
  (from_clause name: (identifier) @name @bind.local)
  (join_clause . (identifier) @name @bind.local)
  (join_clause type: (_) . (identifier) @name @bind.local)
  (join_into_clause (identifier) @name @bind.local)
  (let_clause . (identifier) @name @bind.local)
  (query_expression (identifier) @name @bind.local)
]
(property_declaration accessors: (accessor_list
  (accessor_declaration name: ["set" "init"]) @bind.local (#set! name "value")))

; Fields and properties
(field_declaration
  (variable_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type (variable_declarator name: (identifier) @name))) @bind.field
(event_field_declaration
  (variable_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type (variable_declarator name: (identifier) @name))) @bind.field
(property_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type name: (identifier) @name) @bind.field

; Results
(method_declaration returns: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type) @bind.result
(local_function_statement type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @type) @bind.result
(method_declaration !body) @bind.abstract
(method_declaration parameters: (parameter_list . (parameter . (modifier) @_this type: (_) @type))
  (#eq? @_this "this")) @bind.extends

; Patterns that say what a name is
(is_pattern_expression pattern: (declaration_pattern type: (_) @type name: (identifier) @name)) @bind.local
(recursive_pattern type: (_) @type name: (identifier) @name) @bind.local
(recursive_pattern !type name: (identifier) @name) @bind.local
(var_pattern name: (identifier) @name) @bind.local
[
  (and_pattern (declaration_pattern type: (_) @type name: (identifier) @name))
  (negated_pattern (declaration_pattern type: (_) @type name: (identifier) @name))
  (parenthesized_pattern (declaration_pattern type: (_) @type name: (identifier) @name))
  (list_pattern (declaration_pattern type: (_) @type name: (identifier) @name))
  (subpattern (declaration_pattern type: (_) @type name: (identifier) @name))
] @bind.local
(switch_section (declaration_pattern type: (_) @type name: (identifier) @name)) @bind.narrowed
(switch_expression_arm . (declaration_pattern type: (_) @type name: (identifier) @name)) @bind.narrowed
(if_statement
  condition: (is_pattern_expression expression: (identifier) @name pattern: (constant_pattern (identifier) @type))
  consequence: (_) @bind.narrowed)

; A type parameter is used like the type that constrains it, and hides others of its name.
(type_parameter name: (identifier) @name) @bind.local
(type_parameter_constraints_clause . (identifier) @name . (type_parameter_constraint type: (_) @value)) @bind.local
