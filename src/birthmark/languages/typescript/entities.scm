; Functions and methods. A method of an object literal is a function; that of a class is promoted by where it stands.
(function_declaration name: (_) @name body: (_) @body) @entity.fn
(generator_function_declaration name: (_) @name body: (_) @body) @entity.fn
(function_signature name: (_) @name) @entity.fn
; @bound keeps what has a computed name from being found once more by the patterns below.
((method_definition "get" name: (computed_property_name) body: (_) @body) @entity.fn @bound
  (#set! name "get:<computed>"))
((method_definition "set" name: (computed_property_name) body: (_) @body) @entity.fn @bound
  (#set! name "set:<computed>"))
((method_definition name: (computed_property_name) body: (_) @body) @entity.fn @bound (#set! name "<computed>"))
((method_definition "get" name: (_) @name body: (_) @body) @entity.fn (#set! prefix "get:"))
((method_definition "set" name: (_) @name body: (_) @body) @entity.fn (#set! prefix "set:"))
(method_definition name: (_) @name body: (_) @body) @entity.fn

; Classes and fields. Only functions and classes have a body.
(class_declaration name: (_) @name body: (_) @body) @entity.class
(abstract_class_declaration name: (_) @name body: (_) @body) @entity.class
(extends_clause value: [(identifier) (member_expression)] @inherits)
; class A extends Mixin(Base)
(extends_clause value: (call_expression function: [(identifier) (member_expression)] @implements))
(extends_clause value: (call_expression arguments: (arguments [(identifier) (member_expression)] @inherits)))
(implements_clause [(type_identifier) (nested_type_identifier)] @implements)
(implements_clause (generic_type name: (_) @implements))
((public_field_definition name: (computed_property_name) value: (_ body: (_) @body) @bound) @entity.fn
  (#set! name "<computed>"))
((public_field_definition name: (computed_property_name) value: (_)? @body) @entity.field @bound
  (#set! name "<computed>"))
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: (class body: (_) @body) @bound) @entity.class
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: (_ body: (_) @body) @bound) @entity.fn
(public_field_definition name: (_) @name value: (_)? @body) @entity.field
(class_static_block) @scope.static_block
; A parameter with a modifier is a field as well. The field stands on the name, so that the parameter is not inside it.
((required_parameter
  [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier) @name @entity.field
  value: (_)? @body)
  (#set! hoist "class"))
((optional_parameter
  [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier) @name @entity.field)
  (#set! hoist "class"))
(required_parameter [(accessibility_modifier) (override_modifier) "readonly"]) @wrap
(optional_parameter [(accessibility_modifier) (override_modifier) "readonly"]) @wrap

; Interfaces, types, enums, namespaces
(interface_declaration name: (_) @name body: (_) @body) @entity.interface
(extends_type_clause type: [(type_identifier) (nested_type_identifier)] @inherits)
(extends_type_clause type: (generic_type name: (_) @inherits))
(type_alias_declaration name: (_) @name value: (_) @body) @entity.typedef
(enum_declaration name: (_) @name body: (_) @body) @entity.enum
(enum_body name: (_) @name @entity.member)
((enum_assignment name: (computed_property_name) value: (_) @body) @entity.member @bound (#set! name "<computed>"))
(enum_assignment name: (_) @name value: (_) @body) @entity.member
(internal_module name: (_) @name body: (_) @body) @entity.namespace
(module name: (string) @name body: (_)? @body) @entity.mod
(module name: (_) @name body: (_) @body) @entity.namespace
((ambient_declaration "global" (statement_block) @body) @entity.namespace (#set! name "global"))

; Members without a body: of interfaces, of types that are written like interfaces, overloads, abstract and ambient ones
([
  (class_body (method_signature name: (computed_property_name)) @entity.method @bound)
  (interface_body (method_signature name: (computed_property_name)) @entity.method @bound)
  (type_alias_declaration value: (object_type (method_signature name: (computed_property_name)) @entity.method @bound))
  (abstract_method_signature name: (computed_property_name)) @entity.method @bound
] (#set! name "<computed>"))
([
  (class_body (method_signature "get" name: (_) @name) @entity.method)
  (interface_body (method_signature "get" name: (_) @name) @entity.method)
  (type_alias_declaration value: (object_type (method_signature "get" name: (_) @name) @entity.method))
  (abstract_method_signature "get" name: (_) @name) @entity.method
] (#set! prefix "get:"))
([
  (class_body (method_signature "set" name: (_) @name) @entity.method)
  (interface_body (method_signature "set" name: (_) @name) @entity.method)
  (type_alias_declaration value: (object_type (method_signature "set" name: (_) @name) @entity.method))
  (abstract_method_signature "set" name: (_) @name) @entity.method
] (#set! prefix "set:"))
[
  (class_body (method_signature name: (_) @name) @entity.method)
  (interface_body (method_signature name: (_) @name) @entity.method)
  (type_alias_declaration value: (object_type (method_signature name: (_) @name) @entity.method))
  (abstract_method_signature name: (_) @name) @entity.method
]
([
  (interface_body (property_signature name: (computed_property_name)) @entity.field @bound)
  (type_alias_declaration value: (object_type (property_signature name: (computed_property_name)) @entity.field @bound))
] (#set! name "<computed>"))
[
  (interface_body (property_signature name: (_) @name) @entity.field)
  (type_alias_declaration value: (object_type (property_signature name: (_) @name) @entity.field))
]
; What has no name of its own
([
  (interface_body (call_signature) @entity.method)
  (type_alias_declaration value: (object_type (call_signature) @entity.method))
] (#set! name "<call>"))
([
  (interface_body (construct_signature) @entity.constructor)
  (type_alias_declaration value: (object_type (construct_signature) @entity.constructor))
] (#set! name "<new>"))
([
  (class_body (index_signature name: (_)) @entity.field)
  (interface_body (index_signature name: (_)) @entity.field)
  (type_alias_declaration value: (object_type (index_signature name: (_)) @entity.field))
] (#set! name "<index>"))

; Attributes that no class declares; see `implied` in docs/how-to/add-a-language.md.
(expression_statement
  (assignment_expression left: (member_expression object: (this) property: (property_identifier) @name) right: (_) @body)
  (#set! implied "constructor")) @entity.field
(expression_statement
  (assignment_expression
    right: (assignment_expression
      left: (member_expression object: (this) property: (property_identifier) @name) right: (_) @body))
  (#set! implied "constructor")) @entity.field

; What an expression is bound to gives it its name, whatever it calls itself.
(variable_declarator name: (identifier) @name value: (class body: (_) @body) @bound) @entity.class
(variable_declarator name: (identifier) @name value: (_ body: (_) @body) @bound) @entity.fn
; const f = (() => …) as T
(variable_declarator
  name: (identifier) @name
  value: (as_expression . [(class body: (_) @body) @bound (_ . (class body: (_) @body) @bound)])) @entity.class
(variable_declarator
  name: (identifier) @name
  value: [
    (as_expression . [(_ body: (_) @body) @bound (_ . (_ body: (_) @body) @bound)])
    (satisfies_expression . (parenthesized_expression . (_ body: (_) @body) @bound))
  ]) @entity.fn
((pair key: (computed_property_name) value: (_ body: (_) @body) @bound) @entity.fn (#set! name "<computed>"))
(pair key: [(property_identifier) (string) (number)] @name value: (class body: (_) @body) @bound) @entity.class
(pair key: [(property_identifier) (string) (number)] @name value: (_ body: (_) @body) @bound) @entity.fn
; An object within an object is no entity, unless it holds functions that would have namesakes without it.
(pair
  key: [(property_identifier) (string) (number)] @name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) @entity.field

; What is assigned stands on the right side of the assignment, so that the left side is not inside it.
; Foo.prototype.bar = …
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @parent property: (_) @_prototype)
    property: (_) @name)
  right: (_ body: (_) @body) @entity.fn @bound
  (#eq? @_prototype "prototype"))
; foo.bar = …
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @parent property: (_) @name)
  right: (class body: (_) @body) @entity.class @bound)
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @parent property: (_) @name)
  right: (_ body: (_) @body) @entity.fn @bound)
; bar = …, this.bar = …, foo().bar = …
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name)]
  right: (class body: (_) @body) @entity.class @bound)
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name)]
  right: (_ body: (_) @body) @entity.fn @bound)

((export_statement value: (class !name body: (_) @body) @entity.class @bound) (#set! name "default"))
((export_statement value: (_ !name body: (_) @body) @entity.fn @bound) (#set! name "default"))
((export_statement
  value: [
    (object) (array)
    (call_expression arguments: (arguments (object)))
    (as_expression (object)) (satisfies_expression (object))
  ] @body) @entity.const
  (#set! name "default"))

; What is bound to nothing has its own name. A class without any still holds its members together.
(function_expression name: (_) @name body: (_) @body) @entity.fn
(generator_function name: (_) @name body: (_) @body) @entity.fn
(class name: (_) @name body: (_) @body) @entity.class
((class !name body: (_) @body) @entity.class (#set! name "<anonymous>"))
(arrow_function body: (_) @body) @function
(function_expression !name body: (_) @body) @function
(generator_function !name body: (_) @body) @function

; Variables; in a function or a loop they are local.
((for_statement initializer: (_ (variable_declarator name: (identifier) @name value: (_)? @body) @entity.var))
  (#set! local ""))
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (_)? @body) @entity.const)
(lexical_declaration kind: "let" (variable_declarator name: (identifier) @name value: (_)? @body) @entity.var)
(variable_declaration (variable_declarator name: (identifier) @name value: (_)? @body) @entity.var)
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: (_ [
      (identifier) @name
      (shorthand_property_identifier_pattern) @name
      (rest_pattern . (identifier) @name)
      (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name)
      (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
    ])
    value: (_) @body) @entity.const)
(variable_declarator
  name: (_ [
    (identifier) @name
    (shorthand_property_identifier_pattern) @name
    (rest_pattern . (identifier) @name)
    (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name)
    (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  ])
  value: (_) @body) @entity.var
; Patterns within patterns, wherever they stand
(pair_pattern value: (array_pattern (identifier) @name @entity.var))
(pair_pattern value: (_ (shorthand_property_identifier_pattern) @name @entity.var))
(pair_pattern value: (_ (_ (shorthand_property_identifier_pattern) @name @entity.var)))
(pair_pattern value: (_ (_ (_ (shorthand_property_identifier_pattern) @name @entity.var))))
(pair_pattern value: (_ (pair_pattern value: (identifier) @name @entity.var)))
(pair_pattern value: (_ (_ (pair_pattern value: (identifier) @name @entity.var))))
(array_pattern (array_pattern (identifier) @name @entity.var))
(array_pattern (_ (shorthand_property_identifier_pattern) @name @entity.var))
(array_pattern (_ (_ (shorthand_property_identifier_pattern) @name @entity.var)))
(array_pattern (_ (pair_pattern value: (identifier) @name @entity.var)))

[(lexical_declaration) (variable_declaration) (export_statement) (ambient_declaration)] @wrap
(expression_statement . [(internal_module) (assignment_expression right: (_ body: (_)))]) @wrap

(decorator) @attribute
[(comment) (html_comment)] @comment
[(string) (regex) (hash_bang_line)] @string
(template_string [(string_fragment) (escape_sequence)] @string)
(template_literal_type (string_fragment) @string)
