; Regions; they come first, as those around a name of the same span.
(package_identifier) @mentions.none
(import_declaration) @mentions.none
(export_declaration) @mentions.exports
(arguments (assignment_expression left: (identifier) @mentions.none))
(interpolated_string_expression interpolator: (identifier) @mentions.none)

; All names
(identifier) @mention.reads
(type_identifier) @mention.types
(field_expression value: (_) @receiver field: (identifier) @name) @mention.reads
(stable_identifier . (_)+ @receiver . (identifier) @name) @mention.reads
(stable_type_identifier . (_)+ @receiver . (type_identifier) @name .) @mention.types
(projected_type type: (_) @receiver selector: (type_identifier) @name) @mention.types

; Names that are assigned
(assignment_expression left: (identifier) @mention.writes)
(assignment_expression left: (field_expression value: (_) @receiver field: (identifier) @name)) @mention.writes
((infix_expression left: (identifier) @mention.writes operator: (operator_identifier) @_operator)
  (#match? @_operator "^[-+*/%&|^]+=$"))
((infix_expression left: (field_expression value: (_) @receiver field: (identifier) @name)
  operator: (operator_identifier) @_operator) @mention.writes
  (#match? @_operator "^[-+*/%&|^]+=$"))

; Annotations
(annotation name: [(type_identifier) @mention.decorates (generic_type type: (type_identifier) @mention.decorates)])
