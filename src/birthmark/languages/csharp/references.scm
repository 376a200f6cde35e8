(invocation_expression function: (_) @name arguments: (_) @arguments) @call
(constructor_initializer ["base" "this"] @name (argument_list) @arguments) @call
(object_creation_expression type: (_) @name arguments: (_)? @arguments) @new
; `Point p = new(1, 2);` names its type only once.
(variable_declaration
  type: (_) @name
  (variable_declarator (implicit_object_creation_expression (argument_list) @arguments) @new))

(using_directive !name [(identifier) (qualified_name) (alias_qualified_name)] @source) @import
(using_directive name: (identifier) @alias . (_) @source) @import
(extern_alias_directive name: (identifier) @source) @import
