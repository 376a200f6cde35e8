; `namespace A.B;` holds all of the file, or of the `#if` that it stands in.
(compilation_unit (file_scoped_namespace_declaration name: (_) @name)) @entity.namespace @body
(preproc_if (file_scoped_namespace_declaration name: (_) @name)) @entity.namespace @body
(namespace_declaration name: (_) @name body: (_) @body) @entity.namespace

(class_declaration name: (identifier) @name body: (_)? @body) @entity.class
(record_declaration "struct" name: (identifier) @name body: (_)? @body) @entity.struct
(record_declaration name: (identifier) @name body: (_)? @body) @entity.class
(struct_declaration name: (identifier) @name body: (_)? @body) @entity.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @entity.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @entity.enum
(enum_member_declaration name: (identifier) @name value: (_)? @body) @entity.member
(delegate_declaration name: (identifier) @name) @entity.typedef
(using_directive name: (identifier) @name . (_) @body) @entity.typedef

; The parameters of a record are its properties.
(record_declaration (parameter_list (parameter name: (identifier) @name) @entity.field))

(base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @inherits)
(base_list (primary_constructor_base_type type: (_) @inherits))

; A method that implements an interface explicitly is named with it: `IList.Add`.
(method_declaration
  (explicit_interface_specifier)? @name
  name: (identifier) @name
  body: (_)? @body) @entity.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @entity.constructor
(destructor_declaration "~" @name name: (identifier) @name body: (_)? @body) @entity.method
(operator_declaration "operator" @name operator: _ @name body: (_)? @body) @entity.method
(conversion_operator_declaration
  ["implicit" "explicit"] @name
  type: (_) @name
  body: (_)? @body) @entity.method
(local_function_statement name: (identifier) @name body: (_)? @body) @entity.fn

; Lambdas that give a field, property, variable or member of an initializer its value.
(field_declaration
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      [(lambda_expression body: (_) @body) (anonymous_method_expression (block) @body)] @bound))) @entity.fn
(property_declaration name: (identifier) @name value: (lambda_expression body: (_) @body) @bound) @entity.fn
(local_declaration_statement
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      [(lambda_expression body: (_) @body) (anonymous_method_expression (block) @body)] @bound))) @entity.fn
(initializer_expression
  (assignment_expression
    left: (identifier) @name
    right: (lambda_expression body: (_) @body) @bound) @entity.fn)

(field_declaration
  (modifier "const")
  (variable_declaration (variable_declarator name: (identifier) @name "=" (_) @body))) @entity.const
(field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name ("=" (_) @body)?))) @entity.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name ("=" (_) @body)?))) @entity.field

; Properties, indexers and events; what their accessors do are methods.
(property_declaration
  (explicit_interface_specifier)? @name
  name: (identifier) @name
  [value: (_) @body accessors: (accessor_list (accessor_declaration body: (_))) @body]) @entity.field
(property_declaration (explicit_interface_specifier)? @name name: (identifier) @name) @entity.field
(indexer_declaration accessors: (_)? @body value: (_)? @body (#set! name "this[]")) @entity.field
(event_declaration
  (explicit_interface_specifier)? @name
  name: (identifier) @name
  accessors: (_)? @body) @entity.field

(property_declaration
  name: (identifier) @name
  value: (arrow_expression_clause) @entity.method @body
  (#set! prefix "get:"))
(property_declaration
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration name: "get" body: (_) @body) @entity.method)
  (#set! prefix "get:"))
(property_declaration
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration name: ["set" "init"] body: (_) @body) @entity.method)
  (#set! prefix "set:"))
(indexer_declaration
  value: (arrow_expression_clause) @entity.method @body
  (#set! name "get:this[]"))
(indexer_declaration
  accessors: (accessor_list (accessor_declaration name: "get" body: (_) @body) @entity.method)
  (#set! name "get:this[]"))
(indexer_declaration
  accessors: (accessor_list (accessor_declaration name: ["set" "init"] body: (_) @body) @entity.method)
  (#set! name "set:this[]"))
(event_declaration
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration name: "add" body: (_) @body) @entity.method)
  (#set! prefix "add:"))
(event_declaration
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration name: "remove" body: (_) @body) @entity.method)
  (#set! prefix "remove:"))

; Local variables and constants, and those of a file without a class.
(local_declaration_statement
  (modifier "const")
  (variable_declaration (variable_declarator name: (identifier) @name "=" (_) @body))) @entity.const
(local_declaration_statement
  (variable_declaration (variable_declarator name: (identifier) @name ("=" (_) @body)?))) @entity.var
(local_declaration_statement
  (variable_declaration
    (variable_declarator (tuple_pattern name: (identifier) @name) "=" (_) @body))) @entity.var

(lambda_expression body: (_) @body) @function
(anonymous_method_expression (block) @body) @function
(attribute_list) @attribute
(comment) @comment
(string_literal) @string
(verbatim_string_literal) @string
(raw_string_literal) @string
(character_literal) @string
; In an interpolated string only the text counts; what stands in braces is code.
(interpolated_string_expression (string_content) @string)
(interpolation_format_clause) @string
