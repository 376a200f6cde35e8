; Where variables hold
[(if_statement) (for_statement) (while_statement) (repeat_while_statement) (switch_entry) (do_statement) (catch_block)] @bind.block

; Parameters; `name` is also the field of a type.
(parameter name: (simple_identifier) @name name: (_) @type) @bind.parameter
(lambda_parameter name: (simple_identifier) @name) @bind.parameter
(lambda_parameter name: (simple_identifier) @name name: (_) @type) @bind.parameter
; A type parameter has what its constraint has.
(type_parameter . (type_identifier) @name) @bind.local
(type_parameter . (type_identifier) @name . (user_type) @value) @bind.local

; Variables and properties
(property_declaration name: (pattern bound_identifier: (_) @name) (type_annotation (_) @type)) @bind.local
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (_) @value) @bind.local
(protocol_property_declaration name: (pattern bound_identifier: (_) @name) (type_annotation (_) @type)) @bind.local
[
  (if_statement bound_identifier: (simple_identifier) @name . "=" . (_) @value)
  (guard_statement bound_identifier: (simple_identifier) @name . "=" . (_) @value)
  (while_statement bound_identifier: (simple_identifier) @name . "=" . (_) @value)
] @bind.local
(for_statement item: (pattern bound_identifier: (_) @name) collection: (_) @value (#set! step "[]")) @bind.local
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @bind.local
(for_statement item: (pattern (pattern (simple_identifier) @name))) @bind.local
(pattern (value_binding_pattern) bound_identifier: (_) @name) @bind.local
(pattern (value_binding_pattern) (pattern (simple_identifier) @name) @bind.local)
(typealias_declaration name: (type_identifier) @name "=" . (user_type) @value) @bind.local

; Results
[
  (function_declaration name: (simple_identifier)
    name: [(user_type) (optional_type) (array_type) (existential_type) (opaque_type)] @type)
  (protocol_function_declaration name: (simple_identifier)
    name: [(user_type) (optional_type) (array_type) (existential_type) (opaque_type)] @type)
] @bind.result
(protocol_function_declaration) @bind.abstract
