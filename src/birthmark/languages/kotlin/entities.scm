; Types. What makes a class an enum is its body, or without one its modifier; an object is a class of one.
(class_declaration name: (identifier) @name (enum_class_body) @body) @entity.enum
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @entity.enum
(class_declaration "interface" name: (identifier) @name (class_body) @body) @entity.interface
(class_declaration "interface" name: (identifier) @name) @entity.interface
(class_declaration name: (identifier) @name (class_body) @body) @entity.class
(class_declaration name: (identifier) @name) @entity.class
(object_declaration name: (identifier) @name (class_body) @body) @entity.class
(object_declaration name: (identifier) @name) @entity.class
(companion_object name: (identifier) @name (class_body) @body) @entity.class
(companion_object name: (identifier) @name) @entity.class
((companion_object "object" @name !name (class_body) @body) @entity.class (#set! name "Companion"))
((companion_object "object" @name !name) @entity.class (#set! name "Companion"))
(type_alias type: (identifier) @name "=" . (_) @body) @entity.typedef

; What the parser could not close keeps what is in it.
(ERROR . (modifiers)? . ["class" "object"] . (identifier) @name) @entity.class
(ERROR . (modifiers)? . "interface" . (identifier) @name) @entity.interface
(ERROR . (modifiers)? . "fun" . (identifier) @name) @entity.fn

; After an annotation on a line of its own the grammar may read `open class A { }` as infix calls.
((infix_expression
  . (identifier) . (identifier) @_class
  . (call_expression . (identifier) @name (annotated_lambda (lambda_literal) @body @bound))) @entity.class
  (#eq? @_class "class"))
((infix_expression . (identifier) . (identifier) @_class . (identifier) @name) @entity.class
  (#any-of? @_class "class" "object"))
((infix_expression . (identifier) @_class . (identifier) @name @entity.class)
  (#eq? @_class "class"))

; The members of an enum. An entry with a body is told by that, any other by its arguments.
(enum_entry . (modifiers)? . (identifier) @name (class_body) @body) @entity.member
(enum_entry . (modifiers)? . (identifier) @name (value_arguments) @body) @entity.member
(enum_entry . (modifiers)? . (identifier) @name) @entity.member

; The methods and properties of an anonymous object stand in a function, those of an enum entry in a member: they
; are not promoted, so it is said here what they are.
(object_literal
  (class_body (function_declaration name: (identifier) @name (function_body (_) @body .)) @entity.method))
(enum_entry
  (class_body (function_declaration name: (identifier) @name (function_body (_) @body .)) @entity.method))
(object_literal
  (class_body
    (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @body) @entity.field))
(object_literal (class_body (property_declaration (variable_declaration . (identifier) @name)) @entity.field))
(enum_entry
  (class_body
    (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @body) @entity.field))
(enum_entry (class_body (property_declaration (variable_declaration . (identifier) @name)) @entity.field))

; Functions. The parent of an extension is the type it extends.
(function_declaration
  [(user_type (identifier) @parent .) (user_type (identifier) @parent . (type_arguments) .)
    (nullable_type (user_type (identifier) @parent .))
    (nullable_type (user_type (identifier) @parent . (type_arguments) .))]
  . "." . name: (identifier) @name (function_body (_) @body .)) @entity.fn
(function_declaration
  [(user_type (identifier) @parent .) (user_type (identifier) @parent . (type_arguments) .)
    (nullable_type (user_type (identifier) @parent .))
    (nullable_type (user_type (identifier) @parent . (type_arguments) .))]
  . "." . name: (identifier) @name) @entity.fn
(function_declaration name: (identifier) @name (function_body (_) @body .)) @entity.fn
(function_declaration name: (identifier) @name) @entity.fn
(secondary_constructor "constructor" @name (block) @body) @entity.constructor
(secondary_constructor "constructor" @name) @entity.constructor

; A property that holds a lambda or an anonymous function is a function, wherever it stands.
(property_declaration
  (variable_declaration . (identifier) @name) "=" . [(lambda_literal) (anonymous_function)] @body @bound) @entity.fn

; Accessors with a body. They take their name from the property they stand in.
((property_declaration
  (variable_declaration . (identifier) @name) (getter (function_body (_) @body .)) @entity.method)
  (#set! prefix "get:"))
((property_declaration
  (variable_declaration . (identifier) @name) (setter (function_body (_) @body .)) @entity.method)
  (#set! prefix "set:"))

; Properties of a file or a class; what stands in a block is local, see nodes.scm. One without a value has its delegate
; or its getter for a body.
(property_declaration
  (modifiers (property_modifier "const"))
  (variable_declaration . (identifier) @name) "=" . (_) @body) @entity.const
(class_body
  (property_declaration
    [(user_type (identifier) @parent .) (user_type (identifier) @parent . (type_arguments) .)]
    . "." . (variable_declaration . (identifier) @name) (getter) @body) @entity.var)
(class_body (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @body) @entity.var)
(class_body
  (property_declaration (variable_declaration . (identifier) @name) (property_delegate (_) @body)) @entity.var)
(class_body (property_declaration (variable_declaration . (identifier) @name) (getter) @body) @entity.var)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @entity.var)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @body) @entity.var)
(enum_class_body
  (property_declaration (variable_declaration . (identifier) @name) (property_delegate (_) @body)) @entity.var)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name) (getter) @body) @entity.var)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @entity.var)
(source_file
  (property_declaration
    [(user_type (identifier) @parent .) (user_type (identifier) @parent . (type_arguments) .)
      (nullable_type (user_type (identifier) @parent .))
      (nullable_type (user_type (identifier) @parent . (type_arguments) .))]
    . "." . (variable_declaration . (identifier) @name) (getter) @body) @entity.var)
(source_file (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @body) @entity.var)
(source_file
  (property_declaration (variable_declaration . (identifier) @name) (property_delegate (_) @body)) @entity.var)
(source_file (property_declaration (variable_declaration . (identifier) @name) (getter) @body) @entity.var)
(source_file (property_declaration (variable_declaration . (identifier) @name)) @entity.var)
(source_file
  (property_declaration
    (multi_variable_declaration (variable_declaration . (identifier) @name)) "=" . (_) @body) @entity.var)
(ERROR (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @body) @entity.var)
(ERROR (property_declaration (variable_declaration . (identifier) @name)) @entity.var)

; Properties in the head of a class.
(class_parameter ["val" "var"] . (identifier) @name "=" . (_) @body) @entity.field
(class_parameter ["val" "var"] . (identifier) @name) @entity.field

; Base types. Only a class is constructed, so what stands without arguments is an interface. The base of an anonymous
; object is that of no entity.
(class_declaration
  (delegation_specifiers
    (delegation_specifier
      (constructor_invocation
        [(user_type (identifier) .) @inherits (user_type (identifier) @inherits . (type_arguments) .)]))))
(class_declaration "interface"
  (delegation_specifiers
    (delegation_specifier
      [(user_type (identifier) .) @inherits (user_type (identifier) @inherits . (type_arguments) .)])))
(class_declaration "class"
  (delegation_specifiers
    (delegation_specifier
      [(user_type (identifier) .) @implements (user_type (identifier) @implements . (type_arguments) .)])))
(class_declaration
  (delegation_specifiers
    (delegation_specifier
      (explicit_delegation
        [(user_type (identifier) .) @implements (user_type (identifier) @implements . (type_arguments) .)]))))
(object_declaration
  (delegation_specifiers
    (delegation_specifier
      (constructor_invocation
        [(user_type (identifier) .) @inherits (user_type (identifier) @inherits . (type_arguments) .)]))))
(object_declaration
  (delegation_specifiers
    (delegation_specifier
      [(user_type (identifier) .) @implements (user_type (identifier) @implements . (type_arguments) .)])))
(object_declaration
  (delegation_specifiers
    (delegation_specifier
      (explicit_delegation
        [(user_type (identifier) .) @implements (user_type (identifier) @implements . (type_arguments) .)]))))
(companion_object
  (delegation_specifiers
    (delegation_specifier
      (constructor_invocation
        [(user_type (identifier) .) @inherits (user_type (identifier) @inherits . (type_arguments) .)]))))
(companion_object
  (delegation_specifiers
    (delegation_specifier
      [(user_type (identifier) .) @implements (user_type (identifier) @implements . (type_arguments) .)])))
(companion_object
  (delegation_specifiers
    (delegation_specifier
      (explicit_delegation
        [(user_type (identifier) .) @implements (user_type (identifier) @implements . (type_arguments) .)]))))

(lambda_literal) @function
(anonymous_function) @function
(modifiers (annotation) @attribute)
(annotated_expression (annotation) @attribute)
; After a class the grammar may read `@A(b)` on a line of its own as an annotation of `(b)`.
(annotated_expression (annotation) . (parenthesized_expression)) @attribute
(line_comment) @comment
(block_comment) @comment
(shebang) @comment
(string_content) @string
(character_literal) @string

; Code in a class that runs by itself: what it declares is local.
(anonymous_initializer) @scope.init
