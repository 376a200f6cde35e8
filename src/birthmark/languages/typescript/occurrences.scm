; Regions
(import_alias) @mentions.none
(export_statement "namespace" . (identifier) @mentions.none)
(index_signature name: (identifier) @mentions.none)
(tuple_type (_ name: (identifier) @mentions.none))
(type_predicate name: (identifier) @mentions.none)
(type_annotation) @mentions.types
(type_alias_declaration) @mentions.types
(type_query) @mentions.types

; All names
(identifier) @mention.reads
(type_identifier) @mention.types
(nested_type_identifier module: (_) @receiver name: (type_identifier) @name) @mention.types
(nested_identifier object: (_) @receiver property: (property_identifier) @name) @mention.types

; x!.y
(member_expression
  object: (non_null_expression (_) @receiver)
  property: [(property_identifier) (private_property_identifier)] @name) @mention.reads
(assignment_expression
  left: (member_expression object: (non_null_expression (_) @receiver) property: (_) @name) @mention.writes)

((required_parameter
  pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
    (pair_pattern key: (property_identifier) @name)
  ])
  type: (type_annotation [(type_identifier) (nested_type_identifier) (generic_type)] @receiver)) @mention.reads
  (#set! also ""))

; Keys of an object whose type is declared
([
  (variable_declarator
    type: (type_annotation [(type_identifier) (nested_type_identifier) (generic_type)] @receiver)
    value: (object (pair key: (property_identifier) @name))) @mention.writes
  (as_expression
    (object (pair key: (property_identifier) @name)) [(type_identifier) (nested_type_identifier)] @receiver)
    @mention.writes
  (satisfies_expression
    (object (pair key: (property_identifier) @name)) [(type_identifier) (nested_type_identifier)] @receiver)
    @mention.writes
])

(export_statement "=" . (identifier) @mention.exports)
