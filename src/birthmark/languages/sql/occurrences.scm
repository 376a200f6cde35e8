; Regions: types of columns and parameters, and what is filled, emptied or changed
(column_definition custom_type: (_) @mentions.types)
(function_argument custom_type: (_) @mentions.types)
(function_declaration custom_type: (_) @mentions.types)
(create_function custom_type: (_) @mentions.types)
(cast custom_type: (_) @mentions.types)
(insert (object_reference) @mentions.writes)
(update . (keyword_update) (relation (object_reference) @mentions.writes))
(statement (delete) . (from . (keyword_from) . (object_reference) @mentions.writes))
(statement [(keyword_into) (keyword_truncate) (keyword_table)] . (object_reference) @mentions.writes)
(alter_table (object_reference) @mentions.writes)
(drop_table (object_reference) @mentions.writes)
(drop_view (object_reference) @mentions.writes)

; Tables, views and types
(object_reference schema: (_)? @receiver name: (_) @name) @mention.reads

; Columns where their table is named
(field (object_reference) @receiver name: (_) @name) @mention.reads
(create_table (object_reference) @receiver
  (column_definitions (constraints (constraint (ordered_columns (column name: (_) @name) @mention.reads)))))
(insert (object_reference) @receiver (list (column (identifier) @name) @mention.writes))
(update (relation (object_reference) @receiver) (assignment left: (field . name: (_) @name) @mention.writes))
(create_index (object_reference) @receiver (index_fields (field column: (_) @name) @mention.reads))
(column_definition (keyword_references) (object_reference) @receiver . (identifier) @name @mention.reads)
(constraint (keyword_references) (object_reference) @receiver . (identifier) @name @mention.reads)
