; Closures that get a name: of a variable, a constant, or a field.
(let_declaration
  pattern: (identifier) @name
  value: (closure_expression body: (_) @body) @bound) @entity.fn
(const_item name: (identifier) @name value: (closure_expression body: (_) @body) @bound) @entity.fn
(static_item name: (identifier) @name value: (closure_expression body: (_) @body) @bound) @entity.fn
(assignment_expression left: (identifier) @name right: (closure_expression body: (_) @body) @bound) @entity.fn
(field_initializer
  field: (field_identifier) @name
  value: (closure_expression body: (_) @body) @bound) @entity.fn

; An assignment to a field also changes an object, which is no part of the function.
(assignment_expression
  left: (field_expression field: (field_identifier) @name)
  right: (closure_expression body: (_) @body) @bound @entity.fn)
(assignment_expression left: (field_expression) right: (closure_expression)) @wrap

; Functions. Those without a body stand in traits and foreign modules.
(function_item name: (identifier) @name body: (block) @body) @entity.fn
(function_signature_item name: (identifier) @name) @entity.fn

; Types.
(struct_item name: (type_identifier) @name body: (_) @body) @entity.struct
(struct_item name: (type_identifier) @name !body) @entity.struct
(union_item name: (type_identifier) @name body: (_) @body) @entity.struct
(field_declaration name: (field_identifier) @name) @entity.field
(enum_item name: (type_identifier) @name body: (_) @body) @entity.enum
(enum_variant name: (identifier) @name body: (_) @body) @entity.member
(enum_variant name: (identifier) @name value: (_) @body) @entity.member
(enum_variant name: (identifier) @name !body !value) @entity.member
(trait_item name: (type_identifier) @name body: (_) @body) @entity.trait
(type_item name: (type_identifier) @name type: (_) @body) @entity.typedef
(associated_type name: (type_identifier) @name) @entity.typedef

; The members of an impl speak of the bare type; its own name says which trait, and for which arguments.
(impl_item
  trait: (_) @name
  type: [
    (type_identifier) @owner
    (scoped_type_identifier name: (_) @owner)
    (generic_type type: (type_identifier) @owner)
    (generic_type type: (scoped_type_identifier name: (_) @owner))
    (reference_type type: (type_identifier) @owner)
    (reference_type type: (generic_type type: (type_identifier) @owner))
  ] @name
  body: (_) @body) @entity.impl
(impl_item trait: (_) @name type: (_) @owner @name body: (_) @body) @entity.impl
(impl_item
  !trait
  type: [
    (type_identifier) @owner
    (scoped_type_identifier name: (_) @owner)
    (generic_type type: (type_identifier) @owner)
    (generic_type type: (scoped_type_identifier name: (_) @owner))
  ] @name
  body: (_) @body) @entity.impl
(impl_item !trait type: (_) @owner @name body: (_) @body) @entity.impl

(impl_item trait: [(type_identifier) (scoped_type_identifier)] @implements)
(impl_item trait: (generic_type type: (_) @implements))
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier)] @inherits))
(trait_item bounds: (trait_bounds (generic_type type: (_) @inherits)))

; Modules may be documented from inside.
(mod_item
  name: (identifier) @name
  body: (declaration_list . (line_comment inner: (_))+ @documentation) @body) @entity.mod
(mod_item name: (identifier) @name body: (_) @body) @entity.mod
(mod_item name: (identifier) @name !body) @entity.mod
(macro_definition
  name: (identifier) @name
  (macro_rule) @body
  [(macro_rule) ";" (line_comment) (block_comment)]* @body) @entity.macro

; Constants and variables; in a function they are local.
(const_item name: (identifier) @name value: (_) @body) @entity.const
(const_item name: (identifier) @name !value) @entity.const
(static_item name: (identifier) @name value: (_) @body) @entity.var
(static_item name: (identifier) @name !value) @entity.var
(let_declaration pattern: (identifier) @name value: (_) @body) @entity.var
(let_declaration pattern: (identifier) @name !value) @entity.var

; What a macro is given are bare tokens. Items among them, as in `cfg_if! { … }`, are known by their keyword; they span
; no more than their name. The keyword is captured because a query looks only once for what it does not capture.
(token_tree
  "fn" @_key
  .
  (identifier) @name @entity.fn
  .
  (token_tree . "(")
  .
  [
    (identifier) (primitive_type) (lifetime) (metavariable) (self) (super) (crate) (mutable_specifier)
    (token_tree . ["(" "["]) "->" "<" ">" ">>" "::" ":" "," "&" "+" "*" "=" "?" "!" "where" "for" "impl" "const"
  ]*
  .
  (token_tree . "{") @body)
(token_tree "fn" @_key . (identifier) @name @entity.fn)
(token_tree "struct" @_key . (identifier) @name @entity.struct)
(token_tree "enum" @_key . (identifier) @name @entity.enum)
(token_tree "trait" @_key . (identifier) @name @entity.trait)
(token_tree "type" @_key . (identifier) @name @entity.typedef)
(token_tree "mod" @_key . (identifier) @name @entity.mod)
(token_tree "static" @_key . (identifier) @name @entity.var)
(token_tree (identifier) @_key . "!" . (identifier) @name @entity.macro (#eq? @_key "macro_rules"))

(closure_expression body: (_) @body) @function
; Inner attributes belong to what is around them, not to what follows, and so are no decorators.
(attribute_item) @attribute
[(line_comment) (block_comment)] @comment
[(string_literal) (raw_string_literal) (char_literal)] @string
