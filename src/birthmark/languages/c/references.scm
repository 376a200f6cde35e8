(call_expression
  function: [
    (identifier)
    (field_expression)
    (subscript_expression)
    (call_expression)
    (parenthesized_expression (_ !operator))
    (parenthesized_expression (field_expression))
  ] @name
  arguments: (_) @arguments) @call
; `(*callback)(x)` calls `callback`.
(call_expression
  function: (parenthesized_expression (pointer_expression argument: (_) @name))
  arguments: (_) @arguments) @call

(preproc_include path: (_) @source (#set! strip "<>")) @import
