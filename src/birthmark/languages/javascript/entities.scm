; Functions and methods. A method of an object literal is a function; that of a class is promoted by where it stands.
(function_declaration name: (_) @name body: (_) @body) @entity.fn
(generator_function_declaration name: (_) @name body: (_) @body) @entity.fn
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
(class_heritage [(identifier) (member_expression)] @inherits)
; class A extends Mixin(Base)
(class_heritage (call_expression function: [(identifier) (member_expression)] @implements))
(class_heritage (call_expression arguments: (arguments [(identifier) (member_expression)] @inherits)))
((field_definition property: (computed_property_name) value: (_ body: (_) @body) @bound) @entity.fn
  (#set! name "<computed>"))
((field_definition property: (computed_property_name) value: (_)? @body) @entity.field @bound (#set! name "<computed>"))
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: (class body: (_) @body) @bound) @entity.class
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: (_ body: (_) @body) @bound) @entity.fn
(field_definition property: (_) @name value: (_)? @body) @entity.field
(class_static_block) @scope.static_block

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
((pair key: (computed_property_name) value: (_ body: (_) @body) @bound) @entity.fn (#set! name "<computed>"))
(pair key: [(property_identifier) (string) (number)] @name value: (class body: (_) @body) @bound) @entity.class
(pair key: [(property_identifier) (string) (number)] @name value: (_ body: (_) @body) @bound) @entity.fn
; An object within an object is no entity, unless it holds functions that would have namesakes without it.
(pair
  key: [(property_identifier) (string) (number)] @name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) @entity.field

; What is assigned stands on the right side of the assignment, so that the left side is not inside it.
; module.exports = …: by its own name, as any other, or none
((assignment_expression left: (_) @_left right: (class !name body: (_) @body) @entity.class @bound)
  (#any-of? @_left "exports" "module.exports") (#set! name "default"))
((assignment_expression left: (_) @_left right: (_ !name body: (_) @body) @entity.fn @bound)
  (#any-of? @_left "exports" "module.exports") (#set! name "default"))
; Foo.prototype.bar = …
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @parent property: (_) @_prototype)
    property: (_) @name)
  right: (_ body: (_) @body) @entity.fn @bound
  (#eq? @_prototype "prototype"))
; foo.bar = …
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @parent property: (_) @name) @_left
  right: (class body: (_) @body) @entity.class @bound
  (#not-match? @_left "^(module[.])?exports([.][^.]+)?$"))
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @parent property: (_) @name) @_left
  right: (_ body: (_) @body) @entity.fn @bound
  (#not-match? @_left "^(module[.])?exports([.][^.]+)?$"))
; bar = …, exports.bar = …, this.bar = …, foo().bar = …
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name)] @_left
  right: (class body: (_) @body) @entity.class @bound
  (#not-match? @_left "^(module[.])?exports$"))
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name)] @_left
  right: (_ body: (_) @body) @entity.fn @bound
  (#not-match? @_left "^(module[.])?exports$"))
; Foo.prototype = { … }
(assignment_expression
  left: (member_expression object: (_) @owner property: (_) @_prototype) @name
  right: (object) @body
  (#eq? @_prototype "prototype")) @entity.field
((expression_statement .
  (assignment_expression left: (member_expression) @_left right: [(object) (array)] @body) @entity.const)
  (#eq? @_left "module.exports") (#set! name "default"))
; exports.bar = …, of which a mere name or access defines nothing
(expression_statement .
  (assignment_expression
    left: (member_expression object: [(identifier) (member_expression)] @_exports property: (_) @name)
    right: [(object) (array) (string) (number) (regex) (true) (false) (null) (call_expression) (new_expression)] @body
    (#any-of? @_exports "exports" "module.exports")) @entity.const)

((export_statement value: (class !name body: (_) @body) @entity.class @bound) (#set! name "default"))
((export_statement value: (_ !name body: (_) @body) @entity.fn @bound) (#set! name "default"))
((export_statement
  value: [(object) (array) (call_expression arguments: (arguments (object)))] @body) @entity.const
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
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (_) @body) @entity.const)
(lexical_declaration kind: "let" (variable_declarator name: (identifier) @name value: (_)? @body) @entity.var)
(variable_declaration (variable_declarator name: (identifier) @name value: (_)? @body) @entity.var)
(using_declaration (variable_declarator name: (identifier) @name value: (_) @body) @entity.const)
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

[(lexical_declaration) (variable_declaration) (export_statement)] @wrap
(expression_statement . (assignment_expression right: (_ body: (_)))) @wrap

(decorator) @attribute
[(comment) (html_comment)] @comment
[(string) (regex) (hash_bang_line) (jsx_text)] @string
(template_string [(string_fragment) (escape_sequence)] @string)
