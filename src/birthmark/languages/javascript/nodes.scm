; Those that are bound to no value are bindings as well, see bindings.scm.
((formal_parameters (identifier) @name @parameter) (#set! bind "parameter"))
(formal_parameters (assignment_pattern left: (identifier) @name right: (_) @value) @parameter)
((formal_parameters (rest_pattern (identifier) @name) @parameter) (#set! bind "rest"))
(arrow_function parameter: (identifier) @name @parameter)
; Each name that a pattern binds is a parameter.
(formal_parameters [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (_ . [(identifier) (shorthand_property_identifier_pattern)] @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  ])
  (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern (identifier) @name)])
  (rest_pattern (array_pattern (identifier) @name))
  (assignment_pattern left: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (_ . [(identifier) (shorthand_property_identifier_pattern)] @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  ]))
  (assignment_pattern left: (array_pattern [
    (identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern (identifier) @name)
  ]))
] @parameter)
