; Parameters. Those of further lists may be implicit, so they are not counted.
(function_definition name: (_) . (parameters (parameter name: (_) @name type: (_) @type !default_value) @bind.parameter))
(function_definition name: (_) . (parameters (parameter name: (_) @name type: (_) @type default_value: (_)) @bind.optional))
(function_definition name: (_) . (type_parameters)
  . (parameters (parameter name: (_) @name type: (_) @type !default_value) @bind.parameter))
(function_definition (parameters) . (parameters (parameter name: (_) @name type: (_) @type) @bind.local))
(function_declaration name: (_) . (parameters (parameter name: (_) @name type: (_) @type) @bind.parameter))
(class_parameter name: (_) @name type: (_) @type !default_value) @bind.parameter
(class_parameter name: (_) @name type: (_) @type default_value: (_)) @bind.optional
(lambda_expression parameters: (identifier) @name @bind.parameter)
(colon_argument lambda_start: (identifier) @name @bind.parameter)
(binding name: (_) @name !type) @bind.parameter
(binding name: (_) @name type: (_) @type) @bind.parameter

; Values and variables
(val_definition pattern: (identifier) @name type: (_) @type) @bind.local
(val_definition pattern: (identifier) @name !type value: (_) @value) @bind.local
(var_definition pattern: (identifier) @name type: (_) @type) @bind.local
(var_definition pattern: (identifier) @name !type value: (_) @value) @bind.local
(val_declaration name: (_) @name type: (_) @type) @bind.local
(val_definition pattern: (identifiers (identifier) @name)) @bind.local
(var_definition pattern: (identifiers (identifier) @name)) @bind.local
(enumerator . (identifier) @name) @bind.local
(enumerator . (identifier) @name . [(identifier) (field_expression) (call_expression)] @value (#set! step "[]")) @bind.local

; Patterns. What one binds starts with a small letter; anything else is a value to compare with.
(case_clause) @bind.block
(typed_pattern pattern: (identifier) @name type: (_) @type) @bind.local
(capture_pattern name: (identifier) @name) @bind.local
([
  (case_clause pattern: (identifier) @name @bind.local)
  (case_class_pattern pattern: (identifier) @name @bind.local)
  (tuple_pattern (identifier) @name @bind.local)
  (infix_pattern left: (identifier) @name @bind.local)
  (infix_pattern right: (identifier) @name @bind.local)
] (#match? @name "^[a-z]"))

; Results
(function_definition return_type: (_) @type) @bind.result
(function_definition !return_type body: [(identifier) (field_expression) (call_expression) (instance_expression)] @value) @bind.result
(function_declaration return_type: (_) @type) @bind.result
(function_declaration) @bind.abstract

; A type parameter is used like the type that bounds it, and hides others of its name.
(type_parameters name: (_) @name @bind.local)
(type_parameters name: (_) @name @bind.local . bound: (upper_bound type: (type_identifier) @value))
