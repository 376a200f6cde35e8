; What JavaScript and TypeScript have in common; each adds its own regions and then `(identifier) @mention.reads`.
; Regions
(import_statement) @mentions.none
(export_statement source: (_)) @mentions.none
(export_specifier alias: (_) @mentions.none)

; All names but identifiers
(shorthand_property_identifier) @mention.reads
(member_expression
  object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @name) @mention.reads

; Names that are assigned; the definitions of variables are none of them.
(assignment_expression left: (identifier) @mention.writes)
(augmented_assignment_expression left: (identifier) @mention.writes)
(update_expression argument: (identifier) @mention.writes)
(for_in_statement !kind left: (identifier) @mention.writes)
(assignment_expression left: (array_pattern (identifier) @mention.writes))
(assignment_expression left: (object_pattern [
  (shorthand_property_identifier_pattern) @mention.writes
  (pair_pattern value: (identifier) @mention.writes)
]))
([
  (assignment_expression left: (member_expression object: (_) @receiver property: (_) @name) @mention.writes)
  (augmented_assignment_expression left: (member_expression object: (_) @receiver property: (_) @name) @mention.writes)
  (update_expression argument: (member_expression object: (_) @receiver property: (_) @name) @mention.writes)
  (unary_expression
    operator: "delete" argument: (member_expression object: (_) @receiver property: (_) @name) @mention.writes)
  (array_pattern (member_expression object: (_) @receiver property: (_) @name) @mention.writes)
  (pair_pattern value: (member_expression object: (_) @receiver property: (_) @name) @mention.writes)
])

; What is taken out of a value is read as well as defined.
((variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
    (pair_pattern key: (property_identifier) @name)
  ])
  value: [(identifier) (member_expression) (call_expression) (await_expression) (this)] @receiver) @mention.reads
  (#not-match? @receiver "^require\\b")
  (#set! also ""))

; Exports
(export_specifier name: (identifier) @mention.exports)
(export_statement value: (identifier) @mention.exports)
