(required_parameter pattern: (identifier) @name !type !value) @bind.parameter
(required_parameter pattern: (identifier) @name type: (type_annotation (_) @type) !value) @bind.parameter
(required_parameter pattern: (identifier) @name type: (type_annotation (_) @type) value: (_)) @bind.optional
(required_parameter pattern: (identifier) @name !type value: (_)) @bind.optional
(required_parameter
  pattern: (identifier) @name !type value: [(identifier) (member_expression) (new_expression)] @value) @bind.optional
(optional_parameter pattern: (identifier) @name type: (type_annotation (_) @type)?) @bind.optional
(required_parameter pattern: (rest_pattern (identifier) @name)) @bind.rest
(required_parameter pattern: [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (_) @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    (rest_pattern . (identifier) @name)
  ])
  (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern . (identifier) @name)])
]) @bind.parameter
; A parameter with a modifier is a field as well.
(required_parameter
  [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation (_) @type)) @bind.member

(variable_declarator name: (identifier) @name type: (type_annotation (_) @type)) @bind.local
(variable_declarator
  name: (identifier) @name !type
  value: [(identifier) (member_expression) (call_expression) (await_expression) (this) (subscript_expression)
    (as_expression) (non_null_expression) (parenthesized_expression)] @value) @bind.local
; What is made has its class, however long the arguments are.
((variable_declarator
  name: (identifier) @name !type
  value: (new_expression constructor: (_) @value)) @bind.local (#set! step "()"))
(variable_declarator name: (identifier) @name !type !value) @bind.local
(variable_declarator
  name: (identifier) @name !type
  value: [(string) (template_string) (number) (object) (array) (true) (false) (null) (binary_expression)
    (ternary_expression) (unary_expression) (satisfies_expression) (undefined) (regex)
    (assignment_expression) (augmented_assignment_expression) (update_expression) (yield_expression) (meta_property)]) @bind.local
(variable_declarator
  name: (identifier) @name !type
  value: (binary_expression operator: ["||" "??"] right: (new_expression) @value)) @bind.local
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name type: (type_annotation (_) @type)) @bind.field
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name !type
  value: [(identifier) (member_expression) (call_expression) (new_expression) (this)] @value) @bind.field
(property_signature name: (property_identifier) @name type: (type_annotation (_) @type)) @bind.field
(type_alias_declaration
  name: (_) @name value: [(type_identifier) (nested_type_identifier) (generic_type) (array_type)] @type) @bind.local

; Parameters of types: those of classes and interfaces hold in the body.
(type_alias_declaration) @bind.block
(type_parameter
  name: (type_identifier) @name
  constraint: (constraint [(type_identifier) (nested_type_identifier) (generic_type)] @type)?) @bind.local
(mapped_type_clause name: (type_identifier) @name) @bind.local
(infer_type (type_identifier) @name) @bind.local
([
  (class_declaration type_parameters: (_) body: (_) @bind.block)
  (abstract_class_declaration type_parameters: (_) body: (_) @bind.block)
  (interface_declaration type_parameters: (_) body: (_) @bind.block)
])
([
  (class_declaration type_parameters: (_ (_ name: (_) @name)) body: (_) @bind.local)
  (abstract_class_declaration type_parameters: (_ (_ name: (_) @name)) body: (_) @bind.local)
  (interface_declaration type_parameters: (_ (_ name: (_) @name)) body: (_) @bind.local)
])

(function_declaration return_type: (type_annotation (_) @type)) @bind.result
(function_signature return_type: (type_annotation (_) @type)) @bind.result
(method_definition return_type: (type_annotation (_) @type)) @bind.result
(method_signature return_type: (type_annotation (_) @type)) @bind.result
(abstract_method_signature return_type: (type_annotation (_) @type)) @bind.result
(arrow_function return_type: (type_annotation (_) @type)) @bind.result
(function_expression return_type: (type_annotation (_) @type)) @bind.result

; Overload signatures, of functions and of methods. The members of a type that has no name are no definitions.
(function_signature) @bind.declared
(class_body (method_signature) @bind.declared)
(interface_body (method_signature) @bind.declared)
(type_alias_declaration value: (object_type (method_signature) @bind.declared))
(abstract_method_signature) @bind.declared

((export_statement "=" . [(identifier) (member_expression)] @value) @bind.export)

(if_statement
  condition: (parenthesized_expression
    (binary_expression left: (identifier) @name operator: "instanceof" right: [(identifier) (member_expression)] @type))
  consequence: (_) @bind.narrowed)

; What a promise gives to `then`
(call_expression
  function: (member_expression
    object: (call_expression function: [(identifier) (import)]) @value property: (property_identifier) @_then)
  arguments: (arguments . [
    (arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @name @bind.parameter !type)))
    (function_expression parameters: (formal_parameters . (required_parameter pattern: (identifier) @name @bind.parameter !type)))
  ])
  (#eq? @_then "then"))
(call_expression
  function: (member_expression
    object: (call_expression function: [(identifier) (import)]) @value property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @name @key @bind.parameter
    (pair_pattern key: (property_identifier) @key value: (identifier) @name @bind.parameter)
  ]) !type))))
  (#eq? @_then "then"))
