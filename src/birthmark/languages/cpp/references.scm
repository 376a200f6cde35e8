(call_expression
  function: [
    (identifier)
    (field_expression)
    (qualified_identifier)
    (subscript_expression)
    (call_expression)
    (compound_literal_expression)
    (lambda_expression)
    (parenthesized_expression (_ !operator))
    (parenthesized_expression (field_expression))
  ] @name
  arguments: (_) @arguments) @call
(call_expression
  function: (template_function name: (_) @_name) @name
  arguments: (_) @arguments
  (#not-match? @_name "^(static|dynamic|const|reinterpret)_cast$")) @call
; `(*callback)(x)` calls `callback`.
(call_expression
  function: (parenthesized_expression (pointer_expression argument: (_) @name))
  arguments: (_) @arguments) @call

(new_expression type: (_) @name arguments: (_)? @arguments) @new
; `Point{1, 2}`; a bare `{}` has a type of no text.
((compound_literal_expression
  type: [(type_identifier) (qualified_identifier) (template_type)] @name
  value: (_) @arguments) @new
  (#not-eq? @name ""))

(preproc_include path: (_) @source (#set! strip "<>")) @import
(using_declaration "namespace" (_) @source) @import
(using_declaration . "using" . (qualified_identifier scope: (_) @source name: (_) @name)) @import
