; Regions; they come first, as those around a name of the same span. What is assigned is written, but not what leads there.
(namespace_use_declaration) @mentions.none
(named_type) @mentions.types
(binary_expression operator: "instanceof" right: (_) @mentions.types)
(assignment_expression left: (_) @mentions.writes)
(augmented_assignment_expression left: (_) @mentions.writes)
(reference_assignment_expression left: (_) @mentions.writes)
(update_expression argument: (_) @mentions.writes)
(unset_statement (_) @mentions.writes)
(subscript_expression . (_) . (_) @mentions.reads)
(member_access_expression object: (_) @mentions.reads)
(scoped_property_access_expression scope: (_) @mentions.reads)

; All names: variables, constants and types
(variable_name) @mention.reads
(primary_expression/name) @mention.reads
(named_type (name) @mention.reads)
(relative_name (name) @mention.reads)
(class_constant_access_expression . (name) @mention.reads)
(scoped_call_expression scope: (name) @mention.reads)
(scoped_property_access_expression scope: (name) @mention.reads)
(binary_expression operator: "instanceof" right: (name) @mention.reads)
(qualified_name . "\\"? @receiver . (namespace_name) @receiver "\\" . (name) @name) @mention.reads
(qualified_name . "\\" @receiver . (name) @name) @mention.reads

; Members
(class_constant_access_expression . (_) @receiver . (name) @name) @mention.reads
(member_access_expression object: (_) @receiver name: (name) @name) @mention.reads
(nullsafe_member_access_expression object: (_) @receiver name: (name) @name) @mention.reads
(scoped_property_access_expression scope: (_) @receiver name: (variable_name) @name (#set! strip "$")) @mention.reads

; Attributes; with arguments they are calls.
(attribute . [(name) (qualified_name)] @mention.decorates .)
