(function_call_expression function: (_) @name arguments: (_) @arguments) @call
(member_call_expression object: (_) @receiver name: (_) @name arguments: (_) @arguments) @call
(nullsafe_member_call_expression object: (_) @receiver name: (_) @name arguments: (_) @arguments) @call
(scoped_call_expression scope: (_) @receiver name: (_) @name arguments: (_) @arguments) @call
(object_creation_expression
  [(name) (qualified_name) (variable_name) (member_access_expression) (scoped_property_access_expression)
   (parenthesized_expression) (subscript_expression)] @name
  (arguments) @arguments) @new
(object_creation_expression
  . [(name) (qualified_name) (variable_name) (member_access_expression) (scoped_property_access_expression)
     (parenthesized_expression) (subscript_expression)] @name .) @new
(object_creation_expression (anonymous_class "class" @name)) @new
(attribute [(name) (qualified_name)] @name parameters: (_) @arguments) @new
(print_intrinsic "print" @name (_) @arguments) @call
(exit_statement "exit" @name) @call

; `use A\B` takes B from A; a group takes each of its names.
(namespace_use_declaration
  (namespace_use_clause (qualified_name prefix: (namespace_name) @source (name) @name) alias: (_)? @alias) @import)
(namespace_use_declaration (namespace_use_clause . (name) @name alias: (_)? @alias) @import)
(namespace_use_declaration
  (namespace_use_clause . (qualified_name . prefix: "\\" . (name) @name) alias: (_)? @alias) @import)
(namespace_use_declaration
  (namespace_name) @source
  (namespace_use_group (namespace_use_clause . [(name) (qualified_name)] @name alias: (_)? @alias) @import))
(require_expression (_) @source) @import
(require_once_expression (_) @source) @import
(include_expression (_) @source) @import
(include_once_expression (_) @source) @import
