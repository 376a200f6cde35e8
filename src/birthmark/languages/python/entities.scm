; Functions and classes. The docstring is the first statement of the body.
(function_definition
  name: (identifier) @name
  body: (block . (comment)* . (expression_statement . (string) @documentation .)) @body) @entity.fn
(function_definition name: (identifier) @name body: (block) @body) @entity.fn
(class_definition
  name: (identifier) @name
  body: (block . (comment)* . (expression_statement . (string) @documentation .)) @body) @entity.class
(class_definition name: (identifier) @name body: (block) @body) @entity.class

; A lambda that is bound to a name is a function.
(expression_statement
  (assignment left: (identifier) @name right: (lambda body: (_) @body) @bound)) @entity.fn

; Module- and class-level variables; in a function they are local.
(expression_statement (assignment left: (identifier) @name right: (_) @body)) @entity.var
(expression_statement (assignment left: (identifier) @name type: (type))) @entity.var
(expression_statement
  (assignment
    left: (pattern_list
      [
        (identifier) @name
        (list_splat_pattern (identifier) @name)
        (tuple_pattern (identifier) @name)
      ])
    right: (_) @body)) @entity.var
(expression_statement (assignment left: (tuple_pattern (identifier) @name) right: (_) @body)) @entity.var
(expression_statement
  (assignment right: (assignment left: (identifier) @name right: (_) @body))) @entity.var
; Attributes that no class declares; see `implied` in docs/how-to/add-a-language.md.
(expression_statement
  (assignment
    left: (attribute object: (identifier) @_self attribute: (identifier) @name) right: (_) @body)
  (#any-of? @_self "self" "cls") (#set! implied "class")) @entity.field
(expression_statement
  (assignment
    left: (attribute object: (identifier) @_self attribute: (identifier) @name) type: (type) !right)
  (#any-of? @_self "self" "cls") (#set! implied "class")) @entity.field
(expression_statement
  (assignment
    left: [
      (pattern_list [
        (attribute object: (identifier) @_self attribute: (identifier) @name)
        (tuple_pattern (attribute object: (identifier) @_self attribute: (identifier) @name))
      ])
      (tuple_pattern (attribute object: (identifier) @_self attribute: (identifier) @name))
    ]
    right: (_) @body)
  (#any-of? @_self "self" "cls") (#set! implied "class")) @entity.field
(expression_statement
  (assignment
    right: (assignment
      left: (attribute object: (identifier) @_self attribute: (identifier) @name) right: (_) @body))
  (#any-of? @_self "self" "cls") (#set! implied "class")) @entity.field
(type_alias_statement left: (type (identifier) @name) right: (_) @body) @entity.typedef
(type_alias_statement left: (type (generic_type (identifier) @name)) right: (_) @body) @entity.typedef

(class_definition superclasses: (argument_list [(identifier) (attribute)] @inherits))
(class_definition superclasses: (argument_list (subscript value: (_) @inherits)))

(lambda body: (_) @body) @function
(decorated_definition) @wrap
(decorator) @attribute
(comment) @comment
(string) @string
(block) @block
