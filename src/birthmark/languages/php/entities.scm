; A namespace without braces covers the rest of the file, but the grammar does not nest it.
(namespace_definition name: (_) @name @owner body: (_) @body) @entity.namespace
(namespace_definition name: (_) @name !body) @entity.namespace

(class_declaration name: (_) @name body: (_) @body) @entity.class
(interface_declaration name: (_) @name body: (_) @body) @entity.interface
(trait_declaration name: (_) @name body: (_) @body) @entity.trait
(enum_declaration name: (_) @name body: (_) @body) @entity.enum
(enum_case name: (_) @name value: (_) @body) @entity.member
(enum_case name: (_) @name !value) @entity.member

; PHP itself calls such a class so.
(anonymous_class "class" @name body: (_) @body (#set! name "class@anonymous")) @entity.class

(function_definition name: (_) @name body: (_) @body) @entity.fn
(method_declaration name: (_) @name body: (_) @body) @entity.method
(method_declaration name: (_) @name !body) @entity.method

; Properties, with and without hooks.
(property_declaration
  (property_element name: (variable_name (name) @name)) (property_hook_list) @body) @entity.field
(property_declaration
  (property_element name: (variable_name (name) @name)) (property_hook_list
    (property_hook (name) @_hook body: (_) @body) @entity.method)
  (#eq? @_hook "get") (#set! prefix "get:"))
(property_declaration
  (property_element name: (variable_name (name) @name)) (property_hook_list
    (property_hook (name) @_hook !body) @entity.method)
  (#eq? @_hook "get") (#set! prefix "get:"))
(property_declaration
  (property_element name: (variable_name (name) @name)) (property_hook_list
    (property_hook (name) @_hook body: (_) @body) @entity.method)
  (#eq? @_hook "set") (#set! prefix "set:"))
(property_declaration
  (property_element name: (variable_name (name) @name)) (property_hook_list
    (property_hook (name) @_hook !body) @entity.method)
  (#eq? @_hook "set") (#set! prefix "set:"))
(property_declaration
  (property_element name: (variable_name (name) @name) default_value: (_) @body) @entity.field ";")
(property_declaration
  (property_element name: (variable_name (name) @name) !default_value) @entity.field ";")
(property_declaration) @wrap

; A promoted parameter is a field of the class; the wrap around it is the parameter.
(property_promotion_parameter
  name: (variable_name (name) @name) @entity.field default_value: (_) @body (#set! hoist "class"))
(property_promotion_parameter
  name: (variable_name (name) @name) @entity.field !default_value (#set! hoist "class"))
(property_promotion_parameter name: (by_ref (variable_name (name) @name) @entity.field) (#set! hoist "class"))
(property_promotion_parameter) @wrap

(const_element . (name) @name . (_) @body) @entity.const
(const_declaration) @wrap
(expression_statement
  (function_call_expression function: [(name) (qualified_name)] @_define
    arguments: (arguments
      . (argument [(string . (string_content) @name .) (encapsed_string . (string_content) @name .)])
      . (argument) @body))
  (#any-of? @_define "define" "\\define")) @entity.const

; Closures that are bound to a name.
(expression_statement
  (assignment_expression
    left: (variable_name) @name
    right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)] @bound)) @entity.fn
(expression_statement
  (assignment_expression
    left: [(member_access_expression name: (_) @name) (scoped_property_access_expression name: (_) @name)]
    right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)] @bound)) @entity.fn
(array_element_initializer
  . [(string . (string_content) @name .) (encapsed_string . (string_content) @name .)]
  . [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)] @bound .) @entity.fn

; Global variables; in a function they are local.
(expression_statement
  (assignment_expression left: (variable_name) @name right: (_) @body)) @entity.var
(expression_statement
  (reference_assignment_expression left: (variable_name) @name right: (_) @body)) @entity.var
(expression_statement
  (assignment_expression left: (list_literal (variable_name) @name) right: (_) @body)) @entity.var
(expression_statement
  (assignment_expression left: (list_literal (list_literal (variable_name) @name)) right: (_) @body)) @entity.var
(expression_statement
  (assignment_expression right: (assignment_expression left: (variable_name) @name right: (_) @body))) @entity.var

(interface_declaration (base_clause [(name) (qualified_name)] @inherits))
(class_declaration (base_clause [(name) (qualified_name)] @inherits))
(anonymous_class (base_clause [(name) (qualified_name)] @inherits))
(class_interface_clause [(name) (qualified_name)] @implements)
(use_declaration [(name) (qualified_name)] @implements)

(anonymous_function body: (_) @body) @function
(arrow_function body: (_) @body) @function

(attribute) @attribute
(comment) @comment
(string) @string
(encapsed_string) @string
(shell_command_expression) @string
(heredoc) @string
(nowdoc) @string
(text) @string
(text_interpolation) @string
