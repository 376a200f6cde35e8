; Regions; they come first, as those around a name of the same span.
(import_declaration) @mentions.none
(value_argument_label) @mentions.none
(parameter external_name: (simple_identifier) @mentions.none)
(enum_type_parameters (simple_identifier) @mentions.none . ":")
(tuple_type_item name: (simple_identifier) @mentions.none)
(tuple_expression name: (simple_identifier) @mentions.none)

; All names. The parts of a type stand side by side.
(simple_identifier) @mention.reads
(type_identifier) @mention.types
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name)) @mention.reads
(user_type . (type_identifier)+ @receiver . (type_identifier) @name) @mention.types

; `.open` is a member of the type that is expected there.
(prefix_expression operation: "." @receiver target: (simple_identifier) @name) @mention.reads
(property_declaration (type_annotation (_) @receiver)
  value: (prefix_expression operation: "." target: (simple_identifier) @name)) @mention.reads
(pattern "." @receiver . (simple_identifier) @name) @mention.reads
(switch_statement expr: (_) @receiver
  (switch_entry (switch_pattern (pattern "." . (simple_identifier) @name)))) @mention.reads

; Names that are assigned
(directly_assignable_expression (simple_identifier) @mention.writes)
(directly_assignable_expression
  (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name))) @mention.writes

(attribute (user_type (type_identifier) @mention.decorates .))
