; Regions
(import_alias) @mentions.none
(export_statement "namespace" . (identifier) @mentions.none)
(index_signature name: (identifier) @mentions.none)
(tuple_type (_ name: (identifier) @mentions.none))
(type_predicate name: (identifier) @mentions.none)
(type_query) @mentions.types

; All names
(identifier) @mention.reads
(type_identifier) @mention.types
(nested_type_identifier module: (identifier) @mention.types)
(nested_type_identifier module: (_) @receiver name: (type_identifier) @name) @mention.types
(nested_identifier object: (_) @receiver property: (property_identifier) @name) @mention.types

(export_statement "=" . (identifier) @mention.exports)
