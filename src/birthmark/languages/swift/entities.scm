; Types. What an extension holds belongs to the type it extends.
(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body) @entity.class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @entity.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @entity.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @entity.enum
(class_declaration declaration_kind: "extension"
  name: (user_type (type_identifier) @owner . (type_arguments)) @name body: (_) @body) @entity.impl
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @entity.impl
(protocol_declaration name: (_) @name body: (_) @body) @entity.interface
(enum_entry name: (simple_identifier) @name . raw_value: (_) @body) @entity.member
(enum_entry name: (simple_identifier) @name) @entity.member
(typealias_declaration name: (type_identifier) @name "=" . (_) @body) @entity.typedef
(associatedtype_declaration name: (type_identifier) @name "=" . (_) @body) @entity.typedef
(associatedtype_declaration name: (type_identifier) @name) @entity.typedef

; How operators bind.
(operator_declaration
  "operator"
  . ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "%=" "++" "--"
     "&" "|" "^" "<<" ">>" "~" (bang) (custom_operator)] @name) @entity.typedef
(precedence_group_declaration (simple_identifier) @name (precedence_group_attributes) @body) @entity.typedef
(precedence_group_declaration . (simple_identifier) @name .) @entity.typedef

; Functions, also those that are called by an operator. `name` is also the field of the type that is returned.
(function_declaration name: (simple_identifier) @name body: (_) @body) @entity.fn
(function_declaration
  name: ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "%=" "++" "--"
    "&" "|" "^" "<<" ">>" "~" (bang) (custom_operator)] @name
  body: (_) @body) @entity.fn
(protocol_function_declaration name: (simple_identifier) @name) @entity.fn
(protocol_function_declaration
  name: ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "%=" "++" "--"
    "&" "|" "^" "<<" ">>" "~" (bang) (custom_operator)] @name) @entity.fn
(init_declaration name: "init" @name body: (_) @body) @entity.constructor
(init_declaration name: "init" @name !body) @entity.constructor
(deinit_declaration "deinit" @name body: (_) @body) @entity.method
(macro_declaration "macro" . (simple_identifier) @name definition: (macro_definition body: (_) @body)) @entity.macro
(macro_declaration "macro" . (simple_identifier) @name !definition) @entity.macro

; Subscripts and computed properties with their accessors. Where `get` is left out, the block is the getter.
(protocol_body (subscript_declaration "subscript" @name) @entity.method)
(subscript_declaration "subscript" @name (computed_property) @body) @entity.method
(subscript_declaration "subscript" @name
  (computed_property (computed_getter (statements) @body) @entity.method) (#set! prefix "get:"))
(subscript_declaration "subscript" @name
  (computed_property (computed_setter (statements) @body) @entity.method) (#set! prefix "set:"))
(subscript_declaration "subscript" @name
  (computed_property (computed_modify (statements) @body) @entity.method) (#set! prefix "modify:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  computed_value: (computed_property . (statements) @body) @entity.method (#set! prefix "get:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  computed_value: (computed_property (computed_getter (statements) @body) @entity.method) (#set! prefix "get:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  computed_value: (computed_property (computed_setter (statements) @body) @entity.method) (#set! prefix "set:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  computed_value: (computed_property (computed_modify (statements) @body) @entity.method) (#set! prefix "modify:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  (willset_didset_block (willset_clause (statements) @body) @entity.method) (#set! prefix "willSet:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  (willset_didset_block (didset_clause (statements) @body) @entity.method) (#set! prefix "didSet:"))
(subscript_declaration "subscript" @name
  (computed_property (computed_setter "{") @entity.method) (#set! prefix "set:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  computed_value: (computed_property (computed_getter "{") @entity.method) (#set! prefix "get:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  computed_value: (computed_property (computed_setter "{") @entity.method) (#set! prefix "set:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  (willset_didset_block (willset_clause) @entity.method) (#set! prefix "willSet:"))
(property_declaration name: (pattern bound_identifier: (_) @name)
  (willset_didset_block (didset_clause) @entity.method) (#set! prefix "didSet:"))

; Closures that are bound to a name.
(property_declaration name: (pattern bound_identifier: (_) @name)
  . value: (lambda_literal (statements) @body) @bound) @entity.fn
(property_declaration name: (pattern bound_identifier: (_) @name)
  . (type_annotation) . value: (lambda_literal (statements) @body) @bound) @entity.fn
(property_declaration name: (pattern bound_identifier: (_) @name)
  . value: (lambda_literal) @body @bound) @entity.fn
(property_declaration name: (pattern bound_identifier: (_) @name)
  . (type_annotation) . value: (lambda_literal) @body @bound) @entity.fn

; What `let` binds outside of a type is a constant; in a type it is a field, as are variables.
[
  (source_file
    (property_declaration (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (_) @name)
      . value: (_) @body) @entity.const)
  (source_file
    (property_declaration (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (_) @name)
      . (type_annotation) . value: (_) @body) @entity.const)
  (statements
    (property_declaration (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (_) @name)
      . value: (_) @body) @entity.const)
  (statements
    (property_declaration (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (_) @name)
      . (type_annotation) . value: (_) @body) @entity.const)
  (statements
    (property_declaration (value_binding_pattern mutability: "let")
      name: (pattern (pattern (simple_identifier) @name)) value: (_) @body) @entity.const)
]
(statements
  (property_declaration (value_binding_pattern mutability: "let")
    name: (pattern bound_identifier: (_) @name)) @entity.const)
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (_) @body) @entity.var
(property_declaration name: (pattern bound_identifier: (_) @name)
  . (type_annotation) . value: (_) @body) @entity.var
(property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @entity.var
(property_declaration name: (pattern bound_identifier: (_) @name)) @entity.var
(property_declaration name: (pattern (pattern (simple_identifier) @name)) value: (_) @body) @entity.var
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @entity.field

(inheritance_specifier inherits_from: (user_type (type_identifier) .) @inherits)
(inheritance_specifier inherits_from: (user_type (type_identifier) @inherits . (type_arguments) .))

(lambda_literal) @function

(attribute) @attribute
(comment) @comment
(multiline_comment) @comment
(shebang_line) @comment
(line_str_text) @string
(multi_line_str_text) @string
(str_escaped_char) @string
(raw_str_part) @string
(raw_str_end_part) @string
(regex_literal) @string
