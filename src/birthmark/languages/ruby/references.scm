; What is created; any other method is called. An attribute is read by calling its method.
(call receiver: (_) @name method: (identifier) @_new arguments: (_) @arguments (#eq? @_new "new")) @new
(call receiver: (_) @name method: (identifier) @_new !arguments (#eq? @_new "new")) @new
(call receiver: (_) @receiver method: (_) @name arguments: (_) @arguments (#not-eq? @name "new")) @call
(call receiver: (_) @receiver method: (_) @name !arguments (#not-eq? @name "new")) @call
(call receiver: (_) @name !method arguments: (_) @arguments) @call
(call !receiver method: (_) @name arguments: (_) @arguments
  (#not-eq? @name "require") (#not-eq? @name "require_relative") (#not-eq? @name "autoload")) @call
(call !receiver method: (_) @name !arguments) @call

; A bare name is a call, or a variable. As a statement that another follows it can only be a call.
(body_statement (identifier) @name @call . (_))
(program (identifier) @name @call)
[
  (body_statement (super) @name @call)
  (block_body (super) @name @call)
  (then (super) @name @call)
  (else (super) @name @call)
  (method body: (super) @name @call)
  (if_modifier body: (super) @name @call)
  (unless_modifier body: (super) @name @call)
  (assignment right: (super) @name @call)
  (operator_assignment right: (super) @name @call)
  (binary (super) @name @call)
  (argument_list (super) @name @call)
  (call receiver: (super) @name @call)
]

(call !receiver method: (identifier) @_require arguments: (argument_list . (_) @source .)
  (#any-of? @_require "require" "require_relative")) @import
(call !receiver method: (identifier) @_autoload arguments: (argument_list . (simple_symbol) @name . (_) @source .)
  (#eq? @_autoload "autoload") (#set! strip ":")) @import
