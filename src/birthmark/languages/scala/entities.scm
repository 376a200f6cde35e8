; Types. An object is a class of one; a package with a body is a namespace.
(class_definition name: (_) @name body: (template_body) @body) @entity.class
(class_definition name: (_) @name !body) @entity.class
(object_definition name: (_) @name body: (template_body) @body) @entity.class
(object_definition name: (_) @name !body) @entity.class
(package_object name: (_) @name body: (template_body) @body) @entity.class
(package_object name: (_) @name !body) @entity.class
(trait_definition name: (_) @name body: (template_body) @body) @entity.trait
(trait_definition name: (_) @name !body) @entity.trait
(enum_definition name: (_) @name body: (enum_body) @body) @entity.enum
(package_clause name: (package_identifier) @name body: (template_body) @body) @entity.namespace
(type_definition name: (_) @name type: (_) @body) @entity.typedef
(type_definition name: (_) @name !type) @entity.typedef

; The cases of an enum, told by the arguments to what they extend. `case A, B` wraps several.
(simple_enum_case name: (_) @name extend: (extends_clause arguments: (arguments) @body)) @entity.member
(simple_enum_case name: (_) @name) @entity.member
(full_enum_case name: (_) @name extend: (extends_clause arguments: (arguments) @body)) @entity.member
(full_enum_case name: (_) @name) @entity.member
(enum_case_definitions) @wrap

; An instance of a type class. One without a name goes by its type; one that is but an alias is a value.
(given_definition name: (_) @name body: (with_template_body) @body) @entity.impl
(given_definition name: (_) @name body: (template_body) @body) @entity.impl
((given_definition
  !name return_type: [(type_identifier) (stable_type_identifier) (generic_type) (function_type)] @name
  body: (with_template_body) @body) @entity.impl
  (#set! prefix "given_"))
((given_definition
  !name return_type: [(type_identifier) (stable_type_identifier) (generic_type) (function_type)] @name
  body: (template_body) @body) @entity.impl
  (#set! prefix "given_"))
(given_definition name: (_) @name body: (_) @body) @entity.var
(given_definition name: (_) @name !body) @entity.var
((given_definition
  !name return_type: [(type_identifier) (stable_type_identifier) (generic_type) (function_type)] @name
  body: (_) @body) @entity.var
  (#set! prefix "given_"))
((given_definition
  !name return_type: [(type_identifier) (stable_type_identifier) (generic_type) (function_type)] @name
  !body) @entity.var
  (#set! prefix "given_"))

; The methods of an extension are those of the type it extends.
(extension_definition
  . (parameters . (parameter type: (generic_type type: (_) @owner) @name)) (function_definition) @body) @entity.impl
(extension_definition . (parameters . (parameter type: (_) @name)) (function_definition) @body) @entity.impl
(extension_definition
  . (type_parameters)
  . (parameters . (parameter type: (generic_type type: (_) @owner) @name)) (function_definition) @body) @entity.impl
(extension_definition
  . (type_parameters) . (parameters . (parameter type: (_) @name)) (function_definition) @body) @entity.impl

; The methods and values of an anonymous class stand in a function and are not promoted, so it is said here what
; they are.
(instance_expression (template_body (function_definition name: (_) @name body: (_) @body) @entity.method))
(instance_expression
  (template_body (val_definition pattern: (identifier) @name value: (_) @body) @entity.field))
(instance_expression
  (template_body (var_definition pattern: (identifier) @name value: (_) @body) @entity.field))

(function_definition name: (_) @name body: (_) @body) @entity.fn
(function_declaration name: (_) @name) @entity.fn

; A value that holds a lambda is a function, wherever it stands; a variable may hold another one later.
(val_definition pattern: (identifier) @name value: (lambda_expression) @body @bound) @entity.fn

; Values of a file, a package or a type; what stands in a block is local, see nodes.scm.
(template_body
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(template_body
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(with_template_body
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(with_template_body
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(enum_body
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(enum_body
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(compilation_unit
  (val_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(compilation_unit
  (var_definition
    pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
      (case_class_pattern (identifier) @name) (infix_pattern (identifier) @name) (capture_pattern name: (_) @name)]
    value: (_) @body) @entity.var)
(val_declaration name: (_) @name) @entity.var
(var_declaration name: (_) @name) @entity.var

; What a class takes is seen in all of its body, so it is a field with `val` and without.
(class_parameter name: (_) @name default_value: (_) @body) @entity.field
(class_parameter name: (_) @name !default_value) @entity.field

; What the parser could not close keeps what is in it.
(ERROR . (modifiers)? . ["class" "object"] . (identifier) @name) @entity.class
(ERROR . (modifiers)? . "trait" . (identifier) @name) @entity.trait

; The first base may be a class; the others are traits.
(extends_clause . type: [(type_identifier) (stable_type_identifier)] @inherits)
(extends_clause . type: (generic_type type: (_) @inherits))
(extends_clause ["with" ","] @_with . [(type_identifier) (stable_type_identifier)] @implements)
(extends_clause ["with" ","] @_with . (generic_type type: (_) @implements))
(derives_clause [(type_identifier) (stable_type_identifier)] @implements)
(given_definition return_type: [(type_identifier) (stable_type_identifier)] @implements body: (with_template_body))
(given_definition return_type: (generic_type type: (_) @implements) body: (with_template_body))
(given_definition return_type: [(type_identifier) (stable_type_identifier)] @implements body: (template_body))
(given_definition return_type: (generic_type type: (_) @implements) body: (template_body))

(lambda_expression) @function
(colon_argument lambda_start: (_)) @function
(call_expression arguments: (case_block) @function)
(annotation) @attribute
(comment) @comment
(block_comment) @comment
(string) @string
(interpolated_string) @string
(character_literal) @string
(xml_text) @string
(xml_string) @string
(xml_cdata) @string

; Blocks that indentation ends; with braces the mark does no harm.
(indented_block) @block
(indented_cases) @block
(template_body . ":") @block
(enum_body . ":") @block
(with_template_body) @block
(extension_definition) @block
