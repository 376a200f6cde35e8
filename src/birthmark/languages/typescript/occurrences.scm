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

(export_statement "=" . (identifier) @mention.exports)
