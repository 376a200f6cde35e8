; Parameters; a promoted one is a property, too
(simple_parameter type: [(named_type) (primitive_type)] @type name: (_) @name !default_value) @bind.parameter
(simple_parameter type: [(named_type) (primitive_type)] @type name: (_) @name default_value: (_)) @bind.optional
(simple_parameter type: (optional_type (_) @type) name: (_) @name !default_value) @bind.parameter
(simple_parameter type: (optional_type (_) @type) name: (_) @name default_value: (_)) @bind.optional
(simple_parameter type: [(union_type) (intersection_type) (disjunctive_normal_form_type)] @type name: (_) @name) @bind.parameter
(simple_parameter !type name: (_) @name !default_value) @bind.parameter
(simple_parameter !type name: (_) @name default_value: (_)) @bind.optional
(variadic_parameter name: (_) @name) @bind.rest
(property_promotion_parameter type: [(named_type) @type (optional_type (named_type) @type)] name: (variable_name)  @name) @bind.parameter
(property_promotion_parameter type: [(named_type) @type (optional_type (named_type) @type)] name: (variable_name (name) @name)) @bind.member

; Assignments
(assignment_expression left: (variable_name) @name
  right: [(variable_name) (member_access_expression) (nullsafe_member_access_expression) (object_creation_expression)
    (function_call_expression) (member_call_expression) (nullsafe_member_call_expression) (scoped_call_expression)
    (scoped_property_access_expression)] @value) @bind.local
(assignment_expression left: (variable_name) @name
  right: [(clone_expression (variable_name) @value) (parenthesized_expression (_) @value)]) @bind.local
(assignment_expression left: (variable_name) @name
  right: [(string) (encapsed_string) (heredoc) (nowdoc) (integer) (float) (boolean) (null) (array_creation_expression)
    (binary_expression) (unary_op_expression) (cast_expression) (conditional_expression) (match_expression)
    (subscript_expression) (assignment_expression) (anonymous_function) (arrow_function) (class_constant_access_expression)
    (augmented_assignment_expression) (include_expression) (require_expression) (throw_expression) (yield_expression)]) @bind.local
(reference_assignment_expression left: (variable_name) @name) @bind.local
(list_literal (variable_name) @name @bind.local)
(foreach_statement . [(variable_name) (member_access_expression) (member_call_expression) (function_call_expression)] @value
  "as" . (variable_name) @name @bind.local (#set! step "[]"))
(foreach_statement . [(variable_name) (member_access_expression) (member_call_expression) (function_call_expression)] @value
  (pair (variable_name) (variable_name) @name @bind.local) (#set! step "[]"))
(foreach_statement (pair . (variable_name) @name @bind.local))
(catch_clause type: (type_list . (named_type) @type .) name: (variable_name) @name @bind.local)
(catch_clause name: (variable_name) @name @bind.local)
(static_variable_declaration name: (_) @name) @bind.local
(global_declaration (variable_name) @name @bind.local)

; Properties
(property_declaration type: [(named_type) @type (optional_type (named_type) @type)]
  (property_element name: (variable_name (name) @name)) @bind.member)
(assignment_expression
  left: (member_access_expression object: (variable_name) @_this name: (name) @name)
  right: [(variable_name) (object_creation_expression) (function_call_expression) (member_call_expression)
    (scoped_call_expression)] @value (#eq? @_this "$this")) @bind.member

; Results
(method_declaration return_type: [(named_type) @type (optional_type (named_type) @type)]) @bind.result
(function_definition return_type: [(named_type) @type (optional_type (named_type) @type)]) @bind.result
(method_declaration !return_type body: (compound_statement (return_statement
  [(variable_name) (member_access_expression) (object_creation_expression) (member_call_expression) (scoped_call_expression)
    (function_call_expression)] @value) @bind.result))
(function_definition !return_type body: (compound_statement (return_statement
  [(variable_name) (member_access_expression) (object_creation_expression) (member_call_expression) (scoped_call_expression)
    (function_call_expression)] @value) @bind.result))

; A test that says what a name is in its branch
(if_statement
  condition: (parenthesized_expression
    (binary_expression left: (variable_name) @name operator: "instanceof" right: [(name) (qualified_name)] @type))
  body: (_) @bind.narrowed)
