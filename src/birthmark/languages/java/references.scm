; The receiver of `Outer.super.call()` is two nodes.
(method_invocation
  object: (_) @receiver (super)? @receiver name: (identifier) @name arguments: (argument_list) @arguments) @call
(method_invocation !object name: (identifier) @name arguments: (argument_list) @arguments) @call
(explicit_constructor_invocation
  object: (_) @receiver constructor: (_) @name arguments: (argument_list) @arguments) @call
(explicit_constructor_invocation !object constructor: (_) @name arguments: (argument_list) @arguments) @call

(object_creation_expression
  type: [(type_identifier) (scoped_type_identifier)] @name arguments: (argument_list) @arguments) @new
(object_creation_expression
  type: (generic_type . [(type_identifier) (scoped_type_identifier)] @name) arguments: (argument_list) @arguments) @new

(import_declaration (scoped_identifier scope: (_) @source name: (identifier) @name) . ";") @import
(import_declaration [(identifier) (scoped_identifier)] @source (asterisk) @name) @import
(import_declaration (identifier) @name . ";") @import
(requires_module_directive module: (_) @source) @import
(uses_module_directive type: (_) @source) @import
(exports_module_directive package: (_) @name) @export
(opens_module_directive package: (_) @name) @export
(provides_module_directive provided: (_) @name) @export
