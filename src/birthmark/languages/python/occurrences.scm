; Regions; they come first, as those around a name of the same span.
(import_statement) @mentions.none
(import_from_statement) @mentions.none
(future_import_statement) @mentions.none
(global_statement) @mentions.none
(nonlocal_statement) @mentions.none
(keyword_argument name: (identifier) @mentions.none)
(case_pattern (dotted_name . (identifier) .) @mentions.none)
(keyword_pattern . (identifier) @mentions.none)
(as_pattern_target (identifier) @mentions.none)
(type) @mentions.types

; All names
(identifier) @mention.reads
(attribute object: (_) @receiver attribute: (identifier) @name) @mention.reads

; Names that are assigned; the definitions of variables are none of them.
(assignment left: (identifier) @mention.writes)
(augmented_assignment left: (identifier) @mention.writes)
(assignment left: (attribute object: (_) @receiver attribute: (identifier) @name) @mention.writes)
(augmented_assignment left: (attribute object: (_) @receiver attribute: (identifier) @name) @mention.writes)
(pattern_list (attribute object: (_) @receiver attribute: (identifier) @name) @mention.writes)
(tuple_pattern (attribute object: (_) @receiver attribute: (identifier) @name) @mention.writes)
(as_pattern_target (attribute object: (_) @receiver attribute: (identifier) @name) @mention.writes)
(delete_statement (attribute object: (_) @receiver attribute: (identifier) @name) @mention.writes)
(delete_statement (expression_list (attribute object: (_) @receiver attribute: (identifier) @name) @mention.writes))
