; Parameters, also those in the head of a class, which may be its properties
(function_value_parameters (parameter . (identifier) @name . (_) @type .) @bind.parameter)
(function_value_parameters (parameter . (identifier) @name . (_) @type .) @bind.optional . "=")
(function_value_parameters (parameter_modifiers (parameter_modifier "vararg")) . (parameter . (identifier) @name . (_) @type .)
  @bind.rest (#set! step "*"))
(class_parameter (identifier) @name . (_) @type .) @bind.parameter
(class_parameter (identifier) @name . (_) @type . (_)) @bind.optional
(lambda_parameters (variable_declaration . (identifier) @name .) @bind.parameter)
(lambda_parameters (variable_declaration . (identifier) @name . (_) @type .) @bind.parameter)
(lambda_parameters (multi_variable_declaration (variable_declaration . (identifier) @name) @bind.parameter))
(setter "(" . (identifier) @name @bind.local)

; Properties and variables
(property_declaration (variable_declaration . (identifier) @name .)) @bind.local
(property_declaration (variable_declaration . (identifier) @name . (_) @type .)) @bind.local
(property_declaration (variable_declaration . (identifier) @name .)
  . [(call_expression) (identifier) (navigation_expression) (as_expression) (this_expression)] @value) @bind.local
(property_declaration (multi_variable_declaration (variable_declaration . (identifier) @name))) @bind.local
(assignment left: (identifier) @name @value) @bind.assigned  ; It keeps its type.
(for_statement (variable_declaration . (identifier) @name .)) @bind.local
(for_statement (variable_declaration . (identifier) @name .)
  . [(identifier) (navigation_expression) (call_expression)] @value (#set! step "[]")) @bind.local
(for_statement (variable_declaration . (identifier) @name . (_) @type .)) @bind.local
(for_statement (multi_variable_declaration (variable_declaration . (identifier) @name))) @bind.local
(catch_block . (identifier) @name . (_) @type) @bind.local
(when_subject (variable_declaration . (identifier) @name) @bind.local)
(class_declaration name: (identifier) @type (enum_class_body (enum_entry . (identifier) @name) @bind.field))

; Results
(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @type) @bind.result
(function_declaration
  (function_value_parameters) . (function_body . [(call_expression) (identifier) (navigation_expression) (as_expression)] @value .)) @bind.result
(function_declaration (function_value_parameters) .) @bind.abstract
(function_declaration (function_value_parameters) . [(user_type) (nullable_type) (function_type)] .) @bind.abstract

; Tests that say what a name is
(if_expression condition: (is_expression left: (identifier) @name "is" right: (_) @type) . (_) @bind.narrowed)
(when_expression
  (when_subject (identifier) @name) (when_entry condition: (type_test "is" (_) @type)) @bind.narrowed)

; A type parameter is used like the type that bounds it, and hides others of its name.
(type_parameter (identifier) @name . (user_type . (identifier) @value .) .) @bind.local
(type_parameter (identifier) @name .) @bind.local
