; Functions. Those without a body are written in assembly.
(function_declaration name: (identifier) @name body: (block) @body) @entity.fn
(function_declaration name: (identifier) @name !body) @entity.fn

; Methods stand outside their type; the receiver names it.
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @parent
        (pointer_type (type_identifier) @parent)
        (generic_type type: (type_identifier) @parent)
        (pointer_type (generic_type type: (type_identifier) @parent))
      ]))
  name: (field_identifier) @name
  body: (block) @body) @entity.method
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @parent
        (pointer_type (type_identifier) @parent)
        (generic_type type: (type_identifier) @parent)
        (pointer_type (generic_type type: (type_identifier) @parent))
      ]))
  name: (field_identifier) @name
  !body) @entity.method
(method_declaration name: (field_identifier) @name) @entity.method

; Function literals that get a name: of a variable, a field, or an element of a composite literal.
(var_spec
  name: (identifier) @name
  value: (expression_list . (func_literal body: (block) @body) @bound .)) @entity.fn
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (block) @body) @bound .)) @entity.fn
(assignment_statement
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (block) @body) @bound .)) @entity.fn
(keyed_element
  key: (literal_element [(identifier) (interpreted_string_literal) (raw_string_literal)] @name)
  value: (literal_element (func_literal body: (block) @body) @bound)) @entity.fn

; An assignment to a field also changes an object, which is no part of the function.
(assignment_statement
  left: (expression_list . (selector_expression field: (field_identifier) @name) .)
  right: (expression_list . (func_literal body: (block) @body) @bound @entity.fn .))
(assignment_statement
  left: (expression_list . (selector_expression) .)
  right: (expression_list . (func_literal) .)) @wrap

; Types.
(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @entity.struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @entity.interface
(type_spec name: (type_identifier) @name type: (_) @body) @entity.typedef
(type_alias name: (type_identifier) @name type: (_) @body) @entity.typedef
(field_declaration name: (field_identifier) @name) @entity.field
(method_elem name: (field_identifier) @name) @entity.method

; What a struct or an interface embeds. A union of types is a constraint and no base.
(field_declaration !name type: [(type_identifier) (qualified_type)] @inherits)
(field_declaration !name type: (generic_type type: (_) @inherits))
(interface_type (type_elem . [(type_identifier) (qualified_type)] @inherits .))
(interface_type (type_elem . (generic_type type: (_) @inherits) .))

; Constants and variables of the package; in a function they are local.
; Of several names of a constant the grammar gives the field `name` to the first only.
(const_spec (identifier) @name value: (_) @body) @entity.const
(const_spec (identifier) @name !value) @entity.const
(var_spec name: (identifier) @name value: (_) @body) @entity.var
(var_spec name: (identifier) @name !value) @entity.var
(short_var_declaration
  left: (expression_list (identifier) @name)
  right: (_) @body
  (#not-eq? @name "_")) @entity.var

; A declaration in brackets holds several specifications, any other just one.
(const_declaration) @wrap
(var_declaration) @wrap
(type_declaration) @wrap

(func_literal body: (block) @body) @function
(comment) @comment
[(interpreted_string_literal) (raw_string_literal) (rune_literal)] @string
