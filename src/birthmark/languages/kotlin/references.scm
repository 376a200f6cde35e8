; `f(1) { }` is a call in a call; the inner one, with the name, is the call.
(call_expression . (_) @name (value_arguments) @arguments) @call
(call_expression
  . [(identifier) (navigation_expression) (parenthesized_expression) (index_expression) (this_expression)
    (super_expression) (unary_expression)] @name
  (annotated_lambda) @arguments) @call
((infix_expression . (_) . (identifier) @name . (_)) @call
  (#not-match? @name "^(class|object)$"))
(constructor_delegation_call ["this" "super"] @name (value_arguments) @arguments) @call
(delegation_specifier
  (constructor_invocation (user_type (identifier) .) @name (value_arguments) @arguments) @call)
(delegation_specifier
  (constructor_invocation
    (user_type (identifier) @name . (type_arguments) .) (value_arguments) @arguments) @call)

; The parts of `a.b.C` stand side by side: the source goes from the first to the last but one.
(import (qualified_identifier) @source "*" @name) @import
((import
  (qualified_identifier . (identifier) @source (identifier) @source . (identifier) @name .)
  . (identifier)? @alias) @import
  (#not-match? @import "[*]"))
((import (qualified_identifier . (identifier) @source . (identifier) @name .) . (identifier)? @alias) @import
  (#not-match? @import "[*]"))
((import (qualified_identifier . (identifier) @name .) . (identifier)? @alias) @import
  (#not-match? @import "[*]"))
