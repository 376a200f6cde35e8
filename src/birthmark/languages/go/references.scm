(call_expression function: (_) @name arguments: (_) @arguments) @call
; `f[int](x)` cannot be told from a conversion to a generic type.
(type_conversion_expression type: (generic_type type: (_) @name) operand: (_) @arguments) @call

(composite_literal type: [(type_identifier) (qualified_type)] @name body: (_) @arguments) @new
(composite_literal type: (generic_type type: (_) @name) body: (_) @arguments) @new

(import_spec name: (_)? @alias path: (_) @source) @import
