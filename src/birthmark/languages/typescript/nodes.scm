; Parameters, but not those in a type such as `(error: Error) => void`, which has no body.
[
  (_
    parameters: (formal_parameters
      (_ pattern: [(identifier) @name (this) @name (rest_pattern (identifier) @name)] !value) @parameter)
    body: (_))
  (function_signature parameters: (formal_parameters
    (_ pattern: [(identifier) @name (this) @name (rest_pattern (identifier) @name)]) @parameter))
  (abstract_method_signature parameters: (formal_parameters
    (_ pattern: [(identifier) @name (this) @name (rest_pattern (identifier) @name)]) @parameter))
  (class_body (method_signature parameters: (formal_parameters
    (_ pattern: [(identifier) @name (this) @name (rest_pattern (identifier) @name)]) @parameter)))
  (interface_body (_ parameters: (formal_parameters
    (_ pattern: [(identifier) @name (this) @name (rest_pattern (identifier) @name)]) @parameter)))
  (type_alias_declaration value: (object_type (_ parameters: (formal_parameters
    (_ pattern: [(identifier) @name (this) @name (rest_pattern (identifier) @name)]) @parameter))))
]
(required_parameter pattern: (identifier) @name value: (_) @value) @parameter
(arrow_function parameter: (identifier) @name @parameter)
; Each name that a pattern binds is a parameter.
(required_parameter
  pattern: [
    (object_pattern [
      (shorthand_property_identifier_pattern) @name
      (_ . [(identifier) (shorthand_property_identifier_pattern)] @name)
      (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    ])
    (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern (identifier) @name)])
    (rest_pattern (array_pattern (identifier) @name))
  ]) @parameter
