; Inside a function `T name(argument);` reads like a prototype, but is a variable.
(compound_statement
  (declaration
    type: [(type_identifier) (qualified_identifier) (template_type)]
    declarator: (function_declarator
      declarator: (identifier) @name
      parameters: (parameter_list
        (parameter_declaration !declarator type: [(type_identifier) (qualified_identifier)])) @body) @entity.var))

; A macro makes other things look like functions: `class API Widget {`, `API namespace a {`, `int f() NOEXCEPT {`.
(function_definition type: (class_specifier !body) declarator: (identifier) @name body: (_) @body) @entity.class
(function_definition type: (struct_specifier !body) declarator: (identifier) @name body: (_) @body) @entity.struct
(function_definition type: (class_specifier !body) (ERROR (identifier) @inherits))
(function_definition
  declarator: (identifier) @_word (ERROR (identifier) @name) body: (_) @body
  (#eq? @_word "namespace")) @entity.namespace
(function_definition
  (ERROR
    (function_declarator . [(identifier) (field_identifier) (operator_name) (destructor_name)] @name) @bound .)
  body: (_) @body) @entity.fn
(function_definition (ERROR (init_declarator . (identifier) @name (argument_list)) @bound .) body: (_) @body) @entity.fn

; Functions, and methods in their class. The name stands under the pointers and references of the result. In `API T f()`
; the macro is read as the result, and the result as part of the name with a `::` that is missing.
(function_definition declarator: (function_declarator . (identifier) @name) . (try_statement) @body) @entity.fn
(function_definition
  declarator: [
    (function_declarator
      declarator: [
        (identifier) @name (field_identifier) @name (operator_name) @name (template_function) @name
        (destructor_name) @name (attributed_declarator . (_) @name)
        (parenthesized_declarator [(identifier) @name (_ (function_declarator declarator: (_) @name))])
        (qualified_identifier (MISSING "::") name: [(identifier) (operator_name) (template_function)] @name)
        (qualified_identifier (qualified_identifier (MISSING "::") name: [(identifier) (operator_name)] @name))
      ])
    (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (template_function)] @name))
    (pointer_declarator (_ (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name)))
    (pointer_declarator (_ (_ (function_declarator declarator: [(identifier) (field_identifier)] @name))))
    (operator_cast "operator" @name type: (_) @name declarator: (_ ["*" "&" "&&"]? @name))
  ]
  body: (_)? @body) @entity.fn
; Prototypes and other declarations span their declarator, so that those of `int a, *b;` are apart; a wrap adds what
; stands around a single one.
(declaration
  declarator: [
    (function_declarator
      declarator: [
        (identifier) @name (operator_name) @name (destructor_name) @name (template_function) @name
        (parenthesized_declarator [(identifier) @name (_ (function_declarator declarator: (identifier) @name))])
        (qualified_identifier (MISSING "::") name: [(identifier) (operator_name) (template_function)] @name)
        (qualified_identifier (qualified_identifier (MISSING "::") name: [(identifier) (operator_name)] @name))
      ])
    (_ (function_declarator declarator: [(identifier) (operator_name) (destructor_name) (template_function)] @name))
    (init_declarator (_ (function_declarator declarator: [(identifier) (operator_name)] @name)))
    (pointer_declarator (_ (function_declarator declarator: [(identifier) (operator_name)] @name)))
    (pointer_declarator (_ (_ (function_declarator declarator: (identifier) @name))))
    (operator_cast "operator" @name type: (_) @name declarator: (_ ["*" "&" "&&"]? @name))
  ] @entity.fn)
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name) (template_method)] @name)
    (_ (function_declarator declarator: [(field_identifier) (operator_name) (template_method)] @name))
    (pointer_declarator (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name)))
    (pointer_declarator (_ (_ (function_declarator declarator: (field_identifier) @name))))
  ]) @entity.fn
(ERROR (function_declarator declarator: [(identifier) (field_identifier) (destructor_name)] @name) @entity.fn)

; Definitions outside of their class. What has no result is a constructor or, by its name, a destructor.
(function_definition
  !type
  declarator: (function_declarator
    [
      (qualified_identifier scope: [(namespace_identifier) (template_type)] @parent name: (identifier) @name)
      (qualified_identifier scope: (_) @parent (qualified_identifier scope: (_) @parent name: (identifier) @name))
    ])
  body: (_)? @body) @entity.constructor
(function_definition
  declarator: [
    (function_declarator
      (qualified_identifier
        scope: [(namespace_identifier) (template_type)] @parent
        name: [
          (identifier) @name (operator_name) @name (destructor_name) @name (template_function) @name
          (qualified_identifier scope: (_) @parent name: [(identifier) (operator_name) (destructor_name)] @name)
          (qualified_identifier (qualified_identifier scope: (_) @parent name: [(identifier) (operator_name)] @name))
        ]))
    (_
      (function_declarator
        (qualified_identifier
          scope: [(namespace_identifier) (template_type)] @parent
          name: [
            (identifier) @name (operator_name) @name (template_function) @name
            (qualified_identifier scope: (_) @parent name: [(identifier) (operator_name)] @name)
            (qualified_identifier (qualified_identifier scope: (_) @parent name: (identifier) @name))
          ])))
    (pointer_declarator (_ (function_declarator (qualified_identifier scope: (_) @parent name: (identifier) @name))))
    (qualified_identifier scope: (_) @parent name: (operator_cast "operator" @name type: (_) @name))
  ]
  body: (_)? @body) @entity.method
(declaration
  declarator: [
    (function_declarator
      (qualified_identifier scope: (_) @parent name: [(identifier) (operator_name) (destructor_name)] @name))
    (_ (function_declarator (qualified_identifier scope: (_) @parent name: (identifier) @name)))
  ] @entity.method)

(namespace_definition name: (namespace_identifier) @name body: (_) @body) @entity.namespace
(namespace_definition name: (nested_namespace_specifier) @name @owner body: (_) @body) @entity.namespace
(namespace_definition !name body: (_) @body (#set! name "<anonymous>")) @entity.namespace
(namespace_alias_definition name: (_) @name (_) @body) @entity.typedef

; The members of `template <> class Box<int>` speak of it as `Box`.
(class_specifier name: [(type_identifier) (template_type)] @name @owner body: (_) @body) @entity.class
(class_specifier name: (qualified_identifier scope: (_) @parent name: (_) @name @owner) body: (_) @body) @entity.class
(struct_specifier name: [(type_identifier) (template_type)] @name @owner body: (_) @body) @entity.struct
(struct_specifier name: (qualified_identifier scope: (_) @parent name: (_) @name @owner) body: (_) @body) @entity.struct
(union_specifier name: (_) @name @owner body: (_) @body) @entity.struct
(enum_specifier name: (_) @name @owner body: (_) @body) @entity.enum
(enumerator name: (identifier) @name value: (_)? @body) @entity.member
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherits)
(alias_declaration name: (_) @name type: (_) @body) @entity.typedef
(concept_definition name: (_) @name (_) @body) @entity.typedef

; What is declared with a nameless struct holds its fields. Of several typedefs the plain one does, so it comes last.
(type_definition type: (_ !name body: (_)) declarator: (_ (type_identifier) @name) @bound) @entity.typedef
(type_definition type: (_ !name body: (_)) "," declarator: (type_identifier) @name @bound) @entity.typedef
(type_definition type: (enum_specifier !name body: (_) @body) . declarator: (type_identifier) @name @bound) @entity.enum
(type_definition type: (_ !name body: (_) @body) . declarator: (type_identifier) @name @bound) @entity.struct
(declaration
  type: (_ !name body: (_))
  declarator: [(identifier) @name (_ declarator: (identifier) @name value: (_)? @body)] @bound
  (#set! bind "local")) @entity.var
(type_definition
  declarator: [
    (type_identifier) @name (primitive_type) @name
    (_ [(type_identifier) @name (primitive_type) @name (reference_declarator (type_identifier) @name)])
    (_ [(parenthesized_declarator (type_identifier) @name .) (parenthesized_declarator (_ (type_identifier) @name))])
    (_ declarator: (_ declarator: [(type_identifier) @name (_ [(type_identifier) @name (_ (type_identifier) @name)])]))
  ] @entity.typedef)

; A lambda that a field or variable is made of.
(field_declaration declarator: (_) @name . default_value: (lambda_expression body: (_) @body) @bound) @entity.fn
(init_declarator
  declarator: [(identifier) @name (reference_declarator (identifier) @name)]
  value: (lambda_expression body: (_) @body) @bound) @entity.fn

; Fields. What all objects share and none changes is a constant. What is declared with a named struct is beside it.
(field_declaration
  type: (_ name: (_) body: (_))
  declarator: [(field_identifier) @name (_ (field_identifier) @name)] @entity.field)
(field_declaration type: (_ name: (_) body: (_)) . declarator: (_)) @wrap
(field_declaration
  [(type_qualifier "constexpr") ((storage_class_specifier "static") (type_qualifier "const"))]
  declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)]
  . default_value: (_)? @body) @entity.const
(field_declaration
  type: [(_ !body) (_ !name)]
  declarator: [
    (field_identifier) @name
    (_ [(field_identifier) @name (_ (field_identifier) @name)])
    (_ declarator: (_ [(_ (field_identifier) @name) (_ (_ (field_identifier) @name))]))
  ]
  . default_value: (_)? @body) @entity.field

; Constants and variables; in a function they are local. Static members get their value outside of their class.
(declaration
  (type_qualifier ["const" "constexpr"])
  declarator: [
    (identifier) @name (reference_declarator (identifier) @name)
    (qualified_identifier scope: [(namespace_identifier) (template_type)] @parent name: (identifier) @name)
    (_
      declarator: [
        (identifier) @name (template_function) @name (structured_binding_declarator (identifier) @name)
        (reference_declarator [(identifier) @name (structured_binding_declarator (identifier) @name)])
        (qualified_identifier scope: [(namespace_identifier) (template_type)] @parent name: (identifier) @name)
        (qualified_identifier scope: (_) @parent (qualified_identifier scope: (_) @parent name: (identifier) @name))
        (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
        (_ declarator: (qualified_identifier scope: (_) @parent name: (identifier) @name))
      ]
      value: (_)? @body)
  ] @entity.const (#set! bind "local"))
(init_declarator
  declarator: (pointer_declarator (type_qualifier "const") [(identifier) @name (_ declarator: (identifier) @name)])
  value: (_) @body (#set! bind "local")) @entity.const
(declaration
  declarator: [
    (qualified_identifier scope: [(namespace_identifier) (template_type)] @parent name: (identifier) @name)
    (_
      declarator: [
        (qualified_identifier scope: [(namespace_identifier) (template_type)] @parent name: (identifier) @name)
        (qualified_identifier scope: (_) @parent (qualified_identifier scope: (_) @parent name: (identifier) @name))
        (_ declarator: (qualified_identifier scope: (_) @parent name: (identifier) @name))
      ]
      value: (_)? @body)
  ] @entity.field)
(declaration
  declarator: [
    (identifier) @name (reference_declarator (identifier) @name)
    (_
      declarator: [
        (identifier) @name (template_function) @name (structured_binding_declarator (identifier) @name)
        (reference_declarator [(identifier) @name (structured_binding_declarator (identifier) @name)])
        (attributed_declarator . (identifier) @name)
        (parenthesized_declarator (_ [(identifier) @name (_ declarator: (identifier) @name)]))
        (_ declarator: [(identifier) @name (_ declarator: (identifier) @name) (reference_declarator (_) @name)])
        (_ (parenthesized_declarator (_ [(identifier) @name (_ declarator: (identifier) @name)])))
      ]
      value: (_)? @body)
  ] @entity.var (#set! bind "local"))
[(declaration !type) (declaration type: [(_ !body) (_ name: (_))]) (type_definition) (template_declaration)] @wrap
; `extern "C" int f();` is one definition; a block is not.
[(friend_declaration) (linkage_specification body: [(declaration) (function_definition)])] @wrap
(preproc_def name: (identifier) @name value: (_)? @body) @entity.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @entity.macro
(lambda_expression body: (_) @body) @function
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier)] @attribute
(comment) @comment
[(string_literal) (raw_string_literal) (char_literal) (system_lib_string)] @string
; The text of a macro is not parsed, so where it holds a literal all of it is kept as written.
((preproc_arg) @string (#match? @string "[\"']"))
