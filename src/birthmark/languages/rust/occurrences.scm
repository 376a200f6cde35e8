; Regions. The type of an `impl` without a trait is its name.
[(use_declaration) (extern_crate_declaration) (label) (lifetime) (token_tree_pattern)] @mentions.none
(macro_invocation macro: (_) @mentions.none)
(impl_item !trait type: [(type_identifier) (scoped_type_identifier)] @mentions.none)
(impl_item !trait type: (generic_type type: (_) @mentions.none))
(parameter pattern: (identifier) @mentions.none)
(const_parameter name: (_) @mentions.none)
(type_binding name: (_) @mentions.none)
; Among the tokens of a macro: names of variables, parameters and fields.
(token_tree (identifier) @mentions.none . [":" "="])
((attribute . (identifier) @_name) @mentions.none
  (#any-of? @_name "allow" "cfg" "cfg_attr" "deny" "doc" "expect" "feature" "forbid" "inline" "repr" "test" "warn"))

; All names. In a macro they are bare tokens.
(identifier) @mention.reads
(scoped_identifier path: (_) @receiver name: (_) @name) @mention.reads
(field_expression value: (_) @receiver field: (field_identifier) @name) @mention.reads
(type_identifier) @mention.types
(scoped_type_identifier path: (_) @receiver name: (_) @name) @mention.types
(attribute (identifier) @mention.decorates)
(attribute (scoped_identifier path: (_) @receiver name: (_) @name) @mention.decorates)
((attribute . (identifier) @_name (token_tree (identifier) @mention.decorates)) (#eq? @_name "derive"))

; Names that are assigned
[
  (assignment_expression left: (identifier) @mention.writes)
  (compound_assignment_expr left: (identifier) @mention.writes)
]
[
  (assignment_expression left: (scoped_identifier path: (_) @receiver name: (_) @name) @mention.writes)
  (assignment_expression left: (field_expression value: (_) @receiver field: (field_identifier) @name) @mention.writes)
  (compound_assignment_expr left: (scoped_identifier path: (_) @receiver name: (_) @name) @mention.writes)
  (compound_assignment_expr left: (field_expression value: (_) @receiver field: (field_identifier) @name) @mention.writes)
]

; Fields in literals and patterns
(struct_expression
  name: [(type_identifier) @receiver (scoped_type_identifier) @receiver (generic_type_with_turbofish type: (_) @receiver)]
  body: (field_initializer_list
    [(field_initializer field: (_) @name) (shorthand_field_initializer (identifier) @name)] @mention.writes))
(struct_pattern type: (_) @receiver (field_pattern name: (field_identifier) @name) @mention.reads)
