; nodes.scm has the parameters without a default.
(formal_parameters (assignment_pattern left: (identifier) @name) @bind.optional)
(formal_parameters (assignment_pattern
  left: (identifier) @name right: [(identifier) (member_expression) (new_expression)] @value) @bind.optional)
(formal_parameters [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (_) @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    (rest_pattern . (identifier) @name)
  ])
  (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern . (identifier) @name)])
  (assignment_pattern left: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (_) @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    (rest_pattern . (identifier) @name)
  ]))
  (assignment_pattern left: (array_pattern [
    (identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern . (identifier) @name)
  ]))
] @bind.parameter)

(variable_declarator
  name: (identifier) @name
  value: [(identifier) (member_expression) (call_expression) (await_expression) (this) (subscript_expression)
    (parenthesized_expression) (array)] @value) @bind.local
; What is made has its class, however long the arguments are.
((variable_declarator
  name: (identifier) @name
  value: (new_expression constructor: (_) @value)) @bind.local (#set! step "()"))
(variable_declarator name: (identifier) @name !value) @bind.local
(variable_declarator
  name: (identifier) @name
  value: [(string) (template_string) (number) (object) (true) (false) (null) (binary_expression)
    (ternary_expression) (unary_expression) (undefined) (regex) (assignment_expression) (augmented_assignment_expression)
    (update_expression) (yield_expression) (meta_property) (jsx_element) (jsx_self_closing_element)]) @bind.local
(variable_declarator
  name: (identifier) @name
  value: (binary_expression operator: ["||" "??"] right: (new_expression) @value)) @bind.local
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [(identifier) (member_expression) (call_expression) (new_expression) (this)] @value) @bind.field

; CommonJS
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @name)
  right: [(identifier) (member_expression) (call_expression) (new_expression)] @value
  (#any-of? @_exports "exports" "module.exports")) @bind.export
(assignment_expression
  left: [(identifier) (member_expression)] @_exports
  right: [
    (identifier) @value
    (member_expression) @value
    (call_expression) @value
    (new_expression) @value
    (function_expression name: (identifier) @value)
    (class name: (identifier) @value)
  ]
  (#any-of? @_exports "exports" "module.exports")) @bind.export
((assignment_expression
  left: [(identifier) (member_expression)] @_exports
  right: [(object) (arrow_function) (function_expression !name) (class !name)]) @bind.export
  (#any-of? @_exports "exports" "module.exports")
  (#set! value "default"))
(assignment_expression
  left: [(identifier) (member_expression)] @_exports
  right: (object [
    (shorthand_property_identifier) @name @value @bind.export
    (pair
      key: (property_identifier) @name
      value: [(identifier) (member_expression) (call_expression) (new_expression)] @value) @bind.export
  ])
  (#any-of? @_exports "exports" "module.exports"))

(if_statement
  condition: (parenthesized_expression
    (binary_expression left: (identifier) @name operator: "instanceof" right: [(identifier) (member_expression)] @type))
  consequence: (_) @bind.narrowed)

; What a promise gives to `then`
(call_expression
  function: (member_expression
    object: (call_expression function: [(identifier) (import)]) @value property: (property_identifier) @_then)
  arguments: (arguments . [
    (arrow_function parameters: (formal_parameters . (identifier) @name @bind.parameter))
    (function_expression parameters: (formal_parameters . (identifier) @name @bind.parameter))
  ])
  (#eq? @_then "then"))
(call_expression
  function: (member_expression
    object: (call_expression function: [(identifier) (import)]) @value property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (object_pattern [
    (shorthand_property_identifier_pattern) @name @key @bind.parameter
    (pair_pattern key: (property_identifier) @key value: (identifier) @name @bind.parameter)
  ]))))
  (#eq? @_then "then"))
