; Regions; they come first, as those around a name of the same span.
(package_declaration) @mentions.none
(import_declaration) @mentions.none
(requires_module_directive) @mentions.none
(exports_module_directive) @mentions.none
(opens_module_directive) @mentions.none
(uses_module_directive) @mentions.none
(provides_module_directive) @mentions.exports
(labeled_statement . (identifier) @mentions.none)
(break_statement (identifier) @mentions.none)
(continue_statement (identifier) @mentions.none)
(record_pattern . (_) @mentions.types)

; All names
(identifier) @mention.reads
(type_identifier) @mention.types
(field_access object: (_) @receiver field: (identifier) @name) @mention.reads
(method_reference . (_) @receiver (identifier) @name .) @mention.reads
(scoped_identifier scope: (_) @receiver name: (identifier) @name) @mention.reads
(scoped_type_identifier . (_) @receiver (type_identifier) @name .) @mention.types

; A label is a constant of the enum that is asked for, or any other constant.
((switch_expression condition: (parenthesized_expression (_) @receiver)
  body: (switch_block (switch_block_statement_group (switch_label (identifier) @name)))) @mention.reads (#set! also ""))
((switch_expression condition: (parenthesized_expression (_) @receiver)
  body: (switch_block (switch_rule (switch_label (identifier) @name)))) @mention.reads (#set! also ""))

; Names that are assigned, also the elements of an annotation
(assignment_expression left: (identifier) @mention.writes)
(assignment_expression left: (field_access object: (_) @receiver field: (identifier) @name) @mention.writes)
(update_expression (identifier) @mention.writes)
(update_expression (field_access object: (_) @receiver field: (identifier) @name) @mention.writes)
(annotation name: (_) @receiver
  arguments: (annotation_argument_list (element_value_pair key: (identifier) @name @mention.writes)))

; Annotations
(marker_annotation name: (identifier) @mention.decorates)
(annotation name: (identifier) @mention.decorates)
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @name) @mention.decorates)
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @name) @mention.decorates)
