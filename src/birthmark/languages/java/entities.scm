; Types. A record is a class whose components are fields; an annotation type is an interface.
(class_declaration name: (identifier) @name body: (class_body) @body) @entity.class
(record_declaration name: (identifier) @name body: (class_body) @body) @entity.class
(interface_declaration name: (identifier) @name body: (interface_body) @body) @entity.interface
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @body) @entity.interface
(enum_declaration name: (identifier) @name body: (enum_body) @body) @entity.enum
(module_declaration name: (_) @name body: (module_body) @body) @entity.mod
; A type that the parser could not close: what is in it keeps its container.
(ERROR "class" . (identifier) @name) @entity.class
(ERROR "interface" . (identifier) @name) @entity.interface
(ERROR "enum" . (identifier) @name) @entity.enum

; The members of an enum. A constant with a class body is told by that, any other by its arguments.
(enum_constant name: (identifier) @name body: (class_body) @body) @entity.member
(enum_constant name: (identifier) @name arguments: (argument_list) @body !body) @entity.member
(enum_constant name: (identifier) @name !arguments !body) @entity.member

; Methods are `method` wherever they stand: those of an anonymous class stand in a function, those of a compact source
; file in no class at all.
(method_declaration name: (identifier) @name body: (block) @body) @entity.method
(method_declaration name: (identifier) @name !body) @entity.method
(constructor_declaration name: (identifier) @name body: (constructor_body) @body) @entity.constructor
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @entity.constructor
(annotation_type_element_declaration name: (identifier) @name) @entity.method

; Fields: one for each declarator. What is declared at the top of a compact source file is a field, too.
(field_declaration
  declarator: (variable_declarator name: (identifier) @name value: (_) @body) @entity.field)
(field_declaration
  declarator: (variable_declarator name: (identifier) @name !value) @entity.field)
(constant_declaration
  declarator: (variable_declarator name: (identifier) @name value: (_) @body) @entity.field)
(constant_declaration
  declarator: (variable_declarator name: (identifier) @name !value) @entity.field)
(program
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name value: (_) @body) @entity.field))
(program
  (local_variable_declaration
    declarator: (variable_declarator name: (identifier) @name !value) @entity.field))
(record_declaration
  parameters: (formal_parameters (formal_parameter name: (_) @name) @entity.field))
(record_declaration
  parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @name)) @entity.field))
(field_declaration) @wrap
(constant_declaration) @wrap
(program (local_variable_declaration) @wrap)

; Base types, without their type arguments and annotations.
(superclass [(type_identifier) (scoped_type_identifier)] @inherits)
(superclass (generic_type . [(type_identifier) (scoped_type_identifier)] @inherits))
(superclass (annotated_type [(type_identifier) (scoped_type_identifier)] @inherits .))
(superclass (annotated_type (generic_type . [(type_identifier) (scoped_type_identifier)] @inherits) .))
(extends_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @inherits))
(extends_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @inherits)))
(extends_interfaces (type_list (annotated_type [(type_identifier) (scoped_type_identifier)] @inherits .)))
(extends_interfaces
  (type_list (annotated_type (generic_type . [(type_identifier) (scoped_type_identifier)] @inherits) .)))
(super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @implements))
(super_interfaces (type_list (generic_type . [(type_identifier) (scoped_type_identifier)] @implements)))
(super_interfaces (type_list (annotated_type [(type_identifier) (scoped_type_identifier)] @implements .)))
(super_interfaces
  (type_list (annotated_type (generic_type . [(type_identifier) (scoped_type_identifier)] @implements) .)))

(lambda_expression body: (_) @body) @function
(modifiers [(marker_annotation) (annotation)] @attribute)
(method_declaration [(marker_annotation) (annotation)] @attribute)
(module_declaration [(marker_annotation) (annotation)] @attribute)
(line_comment) @comment
(block_comment) @comment
(string_literal) @string
(character_literal) @string

; Code in a class that runs by itself: what it declares is local.
(static_initializer) @scope.static_block
(class_body (block) @scope.init)
(enum_body_declarations (block) @scope.init)
