; What is called in round brackets or with a closure behind it; a subscript stands in the same node with square ones.
(call_expression . (_) @name . (call_suffix (value_arguments "(")) @arguments) @call
(call_expression
  . [(simple_identifier) (navigation_expression) (postfix_expression) (prefix_expression) (self_expression)] @name
  . (call_suffix . (lambda_literal)) @arguments) @call
(constructor_expression
  constructed_type: (user_type (type_identifier) @name . (type_arguments)) (constructor_suffix) @arguments) @new
(constructor_expression
  constructed_type: [(array_type) (dictionary_type)] @name (constructor_suffix) @arguments) @new
(macro_invocation (simple_identifier) @name) @call

(import_declaration (identifier . (simple_identifier) @source .)) @import
(import_declaration (identifier . (simple_identifier) @source . (simple_identifier) @name .)) @import
(import_declaration
  (identifier . (simple_identifier) @source (simple_identifier) @source . (simple_identifier) @name .)) @import
