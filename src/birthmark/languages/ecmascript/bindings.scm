; What JavaScript and TypeScript have in common. Parameters, variables and fields differ: see there.
(arrow_function parameter: (identifier) @name @bind.parameter)
; What a promise gives to `then` is what `await` gives. Not that of a member: query builders have a `then` of their own.
(call_expression
  function: (member_expression
    object: (call_expression function: [(identifier) (import)]) @value property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameter: (identifier) @name @bind.parameter))
  (#eq? @_then "then"))

; Variables: what is taken out of a value, and what only hides others of its name
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name @key
    (object_assignment_pattern left: (_) @name @key)
    (pair_pattern
      key: (property_identifier) @key
      value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  ])
  value: [
    (identifier) (member_expression) (call_expression) (new_expression) (await_expression) (this)
  ] @value) @bind.local
(variable_declarator
  name: (object_pattern (pair_pattern
    key: (property_identifier) @key
    value: (object_pattern [
      (shorthand_property_identifier_pattern) @name @key
      (pair_pattern key: (property_identifier) @key value: (identifier) @name)
    ])))
  value: [(identifier) (member_expression) (call_expression) (await_expression)] @value) @bind.local
(variable_declarator name: (_ [
  (identifier) @name
  (shorthand_property_identifier_pattern) @name
  (rest_pattern . (identifier) @name)
  (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name)
  (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
])) @bind.local
; Elements of what is taken apart: the first two, unless one is left out
((variable_declarator
  name: (array_pattern . (identifier) @name) @_all
  value: [(identifier) (member_expression) (call_expression) (await_expression) (array)] @value) @bind.local
  (#not-match? @_all "^.[ ]*,") (#set! step "[0]"))
((variable_declarator
  name: (array_pattern . (_) . (identifier) @name) @_all
  value: [(identifier) (member_expression) (call_expression) (await_expression) (array)] @value) @bind.local
  (#not-match? @_all "^.[^,]*,[ ]*,|^.[ ]*,") (#set! step "[1]"))
(for_in_statement left: (identifier) @name) @bind.local
(for_in_statement left: (_ [
  (identifier) @name
  (shorthand_property_identifier_pattern) @name
  (rest_pattern . (identifier) @name)
  (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name)
  (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
])) @bind.local
(catch_clause parameter: (_ [
  (identifier) @name
  (shorthand_property_identifier_pattern) @name
  (rest_pattern . (identifier) @name)
  (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name)
  (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
])) @bind.local
; Patterns within patterns
(pair_pattern value: [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (_) @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    (rest_pattern . (identifier) @name)
  ])
  (assignment_pattern left: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (_) @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    (rest_pattern . (identifier) @name)
  ]))
  (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern . (identifier) @name)])
]) @bind.local
(array_pattern [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (_) @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    (rest_pattern . (identifier) @name)
  ])
  (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern . (identifier) @name)])
]) @bind.local
(for_in_statement
  left: (identifier) @name
  operator: "of"
  right: [(identifier) (member_expression) (call_expression) (array)] @value (#set! step "[]")) @bind.local
(catch_clause parameter: (identifier) @name) @bind.local

; Attributes of `this`
(assignment_expression
  left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: [(identifier) (member_expression) (call_expression) (await_expression)] @value) @bind.member
((assignment_expression
  left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: (new_expression constructor: (_) @value)) @bind.member (#set! step "()"))
(assignment_expression
  left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: (binary_expression operator: ["||" "??"] right: (new_expression) @value)) @bind.member

(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @owner)
  right: (object [
    (shorthand_property_identifier) @name @value @bind.member
    (pair
      key: (property_identifier) @name
      value: [(identifier) (member_expression) (call_expression) (new_expression)] @value) @bind.member
  ]))

; What is assigned to a variable wherever it is declared, or to a part of one
(assignment_expression
  left: (identifier) @name
  right: [(identifier) (member_expression) (call_expression) (new_expression) (await_expression)] @value) @bind.assigned
(assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(identifier) (member_expression) (call_expression) (new_expression)] @value) @bind.assigned
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(identifier) (member_expression) (call_expression)] @value
  (#eq? @_prototype "prototype")) @bind.assigned

; Members of an object that a name means
(variable_declarator name: (identifier) @owner value: (object [
  (shorthand_property_identifier) @name @value @bind.field
  (pair
    key: (property_identifier) @name
    value: [(identifier) (member_expression) (call_expression) (new_expression) (this)] @value) @bind.field
  (pair
    key: [(property_identifier) @name @value (string (string_fragment) @name @value)]
    value: [(arrow_function) (function_expression)]) @bind.field
  (method_definition name: (property_identifier) @name @value) @bind.field
]))
; A function in an object that no definition holds is not a name of the scope around.
(object (method_definition name: (property_identifier) @name) @bind.part)
(object (pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @bind.part)
(export_statement value: (object [
  (shorthand_property_identifier) @name @value @bind.field
  (pair
    key: (property_identifier) @name
    value: [(identifier) (member_expression) (call_expression) (new_expression)] @value) @bind.field
]))
(pair value: (object [
  (shorthand_property_identifier) @name @value @bind.field
  (pair key: (property_identifier) @name value: [(identifier) (member_expression)] @value) @bind.field
]))

; Objects that have the members of others
(variable_declarator value: (object (spread_element [(identifier) (member_expression)] @value) @bind.base))
(export_statement value: (object (spread_element [(identifier) (member_expression)] @value) @bind.base))
((expression_statement (call_expression
  function: [(identifier) (member_expression)] @_extend
  arguments: (arguments
    . [(identifier) @owner (member_expression object: (identifier) @owner)]
    [(identifier) (member_expression)] @value)) @bind.base)
  (#any-of? @_extend "Object.assign" "Object.setPrototypeOf" "inherits" "util.inherits")
  (#set! name "*"))
((assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
  right: [
    (new_expression) @value
    (identifier) @value
    (call_expression arguments: (arguments . (member_expression) @value))
  ]) @bind.base
  (#any-of? @_prototype "prototype" "__proto__")
  (#set! name "*"))
; Object.create(x), Object.freeze(x): more than what the call says
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: [(identifier) (member_expression)] @_same
    arguments: (arguments . [(identifier) (member_expression)] @value))
  (#any-of? @_same "Object.create" "Object.freeze" "Object.seal" "Object")) @bind.assigned

; Results
(return_statement [
  (identifier) (member_expression) (call_expression) (new_expression) (await_expression) (this)
  (array) (object) (subscript_expression)
] @value) @bind.result
(return_statement [
  (ternary_expression consequence: [(identifier) (member_expression) (call_expression) (new_expression)] @value)
  (ternary_expression alternative: [(identifier) (member_expression) (call_expression) (new_expression)] @value)
]) @bind.result
(return_statement (function_expression name: (identifier) @value)) @bind.result
(arrow_function body: [
  (identifier) (member_expression) (call_expression) (new_expression) (await_expression)
] @value) @bind.result

; Exports
((export_statement
  "default" value: [(identifier) (member_expression) (call_expression) (new_expression)] @value) @bind.export
  (#set! name "default"))
((export_statement "default" declaration: (_ name: (_) @value)) @bind.export (#set! name "default"))
((export_statement "default" value: (_ name: (_) @value)) @bind.export (#set! name "default"))
((export_statement "default" value: [(object) (arrow_function) (function_expression !name) (class !name)])
  @bind.export (#set! name "default") (#set! value "default"))
(export_statement !source (export_clause (export_specifier name: (_) @value alias: (_) @name) @bind.export))
(export_statement !source (export_clause (export_specifier name: (_) @name @value !alias) @bind.export))

; A decorator is called; one with arguments is a call already.
(decorator [(identifier) (member_expression)] @value) @mention.calls
