; Functions. The name stands under the pointers of the result. The further forms are a name in parentheses, a function
; that returns a function pointer, and names that a macro makes: `PREFIX(f)(int a) {}`, `TEST(f) {}`.
(function_definition
  declarator: [
    (function_declarator
      declarator: [
        (identifier) @name
        (parenthesized_declarator [(identifier) @name (_ (function_declarator declarator: (identifier) @name))])
        (function_declarator (parameter_list . (parameter_declaration . (type_identifier) @name .) .))
      ])
    (pointer_declarator (function_declarator declarator: (identifier) @name))
    (pointer_declarator (function_declarator (parenthesized_declarator (identifier) @name)))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
    (pointer_declarator (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name))))
    (parenthesized_declarator (identifier) @name)
  ]
  body: (_) @body) @entity.fn

; Prototypes. They and all other declarations span their declarator, so that those of `int a, *b;` are apart; a wrap
; adds what stands around a single one. Those that end in a macro, as `int f(int) __THROW;`, often do not parse.
(declaration
  declarator: [
    (function_declarator
      declarator: [
        (identifier) @name
        (parenthesized_declarator [(identifier) @name (_ (function_declarator declarator: (identifier) @name))])
        (function_declarator (parameter_list . (parameter_declaration . (type_identifier) @name .) .))
      ])
    (pointer_declarator (function_declarator declarator: (identifier) @name))
    (pointer_declarator (function_declarator (parenthesized_declarator (identifier) @name)))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
    (pointer_declarator (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name))))
  ] @entity.fn)
(ERROR (function_declarator declarator: (identifier) @name) @entity.fn)
(ERROR (pointer_declarator (function_declarator declarator: (identifier) @name)) @entity.fn)

(struct_specifier name: (type_identifier) @name body: (_) @body) @entity.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @entity.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @entity.enum
(enumerator name: (identifier) @name value: (_)? @body) @entity.member

; What is declared with a struct that has no name of its own holds the fields. Of several typedefs the plain one does,
; which comes last for it.
(type_definition type: (_ !name body: (_)) declarator: (_ (type_identifier) @name) @bound) @entity.typedef
(type_definition type: (_ !name body: (_)) "," declarator: (type_identifier) @name @bound) @entity.typedef
(type_definition type: (enum_specifier !name body: (_) @body) . declarator: (type_identifier) @name @bound) @entity.enum
(type_definition type: (_ !name body: (_) @body) . declarator: (type_identifier) @name @bound) @entity.struct
(field_declaration
  type: (_ !name body: (_))
  declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)] @bound) @entity.field
(declaration
  (type_qualifier "const")
  type: (_ !name body: (_))
  declarator: (_ [(identifier) @name (_ declarator: (identifier) @name)] value: (_) @body) @bound (#set! bind "local")) @entity.const
(declaration
  type: (_ !name body: (_))
  declarator: [
    (identifier) @name
    (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)] value: (_)? @body)
  ] @bound (#set! bind "local")) @entity.var

; Elsewhere a name may stand deep in its declarator: `int (*table[2])(int)` is a function of a pointer of an array.
(type_definition
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (_ declarator: [(type_identifier) (primitive_type)] @name)
    (_ declarator: (parenthesized_declarator (type_identifier) @name .))
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
    (_ declarator: (_ declarator: [(type_identifier) @name (_ [(type_identifier) @name (_ (type_identifier) @name)])]))
  ] @entity.typedef)
(field_declaration
  declarator: [
    (field_identifier) @name
    (_ [(field_identifier) @name (_ (field_identifier) @name) (_ (_ (field_identifier) @name))])
    (_ declarator: (_ (_ (_ (field_identifier) @name))))
  ] @entity.field)
(declaration
  (type_qualifier ["const" "constexpr"])
  declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator [(identifier) @name (_ declarator: (identifier) @name)])
    (_ [(identifier) @name (_ declarator: (identifier) @name)] value: (_) @body)
    (_ (_ declarator: (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])) value: (_) @body)
    (_ (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name))) value: (_) @body)
  ] @entity.const (#set! bind "local"))
(init_declarator
  declarator: (pointer_declarator (type_qualifier "const") [(identifier) @name (_ declarator: (identifier) @name)])
  value: (_) @body (#set! bind "local")) @entity.const
(init_declarator
  declarator: [
    (identifier) @name
    (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])])
    (_ declarator: (parenthesized_declarator (_ [(identifier) @name (_ declarator: (identifier) @name)])))
    (_ declarator: (_ (parenthesized_declarator (_ declarator: (identifier) @name))))
  ]
  value: (_) @body (#set! bind "local")) @entity.var
(declaration
  declarator: [
    (identifier) @name
    (array_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ declarator: (identifier) @name)])])
    (pointer_declarator [(identifier) @name (_ declarator: (identifier) @name)])
    (pointer_declarator (array_declarator (_ declarator: (identifier) @name)))
    (pointer_declarator (pointer_declarator (_ declarator: (identifier) @name)))
    (pointer_declarator (_ (parenthesized_declarator (_ declarator: (identifier) @name))))
    (function_declarator (parenthesized_declarator (_ [(identifier) @name (_ declarator: (identifier) @name)])))
  ] @entity.var (#set! bind "local"))
[(declaration type: [(_ !body) (_ name: (_))]) (field_declaration type: [(_ !body) (_ name: (_))])] @wrap
; `extern "C" int f(void);` is one definition; a block is not.
[(type_definition) (linkage_specification body: [(declaration) (function_definition)])] @wrap

(preproc_def name: (identifier) @name value: (_)? @body) @entity.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @entity.macro
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier)] @attribute
(comment) @comment
[(string_literal) (char_literal) (system_lib_string)] @string
; The text of a macro is not parsed, so where it holds a literal all of it is kept as written.
((preproc_arg) @string (#match? @string "[\"']"))
