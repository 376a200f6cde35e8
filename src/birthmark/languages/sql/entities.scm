; A name may be qualified: `app.users` is `users` in `app`.

; Tables, and views of both kinds. Of a name in square brackets the brackets are errors.
(create_table
  [(keyword_table) (keyword_exists) (ERROR)]
  .
  (object_reference schema: (_) @parent name: (_) @name)
  [(column_definitions) (create_query)] @body) @entity.table
(create_table
  [(keyword_table) (keyword_exists) (ERROR)]
  .
  (object_reference !schema name: (_) @name)
  [(column_definitions) (create_query)] @body) @entity.table
(create_table
  [(keyword_table) (keyword_exists) (ERROR)]
  .
  (object_reference schema: (_) @parent name: (_) @name)) @entity.table
(create_table
  [(keyword_table) (keyword_exists) (ERROR)]
  .
  (object_reference !schema name: (_) @name)) @entity.table
(create_view (object_reference schema: (_) @parent name: (_) @name) (create_query) @body) @entity.view
(create_view (object_reference !schema name: (_) @name) (create_query) @body) @entity.view
(create_materialized_view (object_reference schema: (_) @parent name: (_) @name) (create_query) @body) @entity.view
(create_materialized_view (object_reference !schema name: (_) @name) (create_query) @body) @entity.view

; Columns, also those that are added later.
(create_table (column_definitions (column_definition name: (_) @name) @entity.field))
(create_type (column_definitions (column_definition name: (_) @name) @entity.field))
(alter_table
  (object_reference) @parent
  (add_column (column_definition name: (_) @name) @entity.field))

; Constraints that have a name. Of some forms the grammar knows no more than that; a keyword is captured because a query
; looks only once for what it does not capture.
(constraint name: (_) @name) @entity.member
(constraints (ERROR (keyword_constraint) @_key . (identifier) @name @entity.member))
(column_definitions (ERROR (keyword_constraint) @_key . (identifier) @name @entity.member))
(alter_table
  (object_reference) @parent
  (add_constraint (keyword_constraint) (identifier) @name (constraint) @body) @entity.member)

; Indexes and triggers belong to their table: an index is a member of it, a trigger a method.
(create_index column: (_) @name (keyword_on) (object_reference) @parent (index_fields) @body) @entity.member
(create_trigger
  (keyword_trigger)
  (object_reference name: (_) @name)
  (keyword_on)
  .
  (object_reference) @parent) @entity.method

(create_function
  (keyword_function)
  .
  (object_reference schema: (_) @parent name: (_) @name)
  (function_body) @body) @entity.fn
(create_function
  (keyword_function)
  .
  (object_reference !schema name: (_) @name)
  (function_body) @body) @entity.fn

; Types: enumerations, records, and all others.
(create_type (object_reference schema: (_) @parent name: (_) @name) (enum_elements) @body) @entity.enum
(create_type (object_reference !schema name: (_) @name) (enum_elements) @body) @entity.enum
(enum_elements enum_element: (_) @name @entity.member)
(create_type (object_reference schema: (_) @parent name: (_) @name) (column_definitions) @body) @entity.struct
(create_type (object_reference !schema name: (_) @name) (column_definitions) @body) @entity.struct
(create_type (object_reference schema: (_) @parent name: (_) @name)) @entity.typedef
(create_type (object_reference !schema name: (_) @name)) @entity.typedef

(create_schema [(keyword_schema) (keyword_exists)] . (identifier) @name) @entity.namespace
(create_database [(keyword_database) (keyword_exists)] . (identifier) @name) @entity.namespace
(create_sequence
  [(keyword_sequence) (keyword_exists)]
  .
  (object_reference schema: (_) @parent name: (_) @name)) @entity.var
(create_sequence
  [(keyword_sequence) (keyword_exists)]
  .
  (object_reference !schema name: (_) @name)) @entity.var

; What the grammar does not understand it still often reads up to the name. How far the definition goes is not known
; then, as an error may be as long as the file.
(ERROR
  (keyword_create) @_key
  .
  [(keyword_temp) (keyword_temporary) (keyword_unlogged)]*
  .
  (keyword_table)
  .
  [(keyword_if) (keyword_not) (keyword_exists)]*
  .
  (object_reference schema: (_) @parent name: (_) @name) @entity.table)
(ERROR
  (keyword_create) @_key
  .
  [(keyword_temp) (keyword_temporary) (keyword_unlogged)]*
  .
  (keyword_table)
  .
  [(keyword_if) (keyword_not) (keyword_exists)]*
  .
  (object_reference !schema name: (_) @name) @entity.table)
(ERROR
  (keyword_create) @_key
  .
  [(keyword_or) (keyword_replace) (keyword_temp) (keyword_temporary) (keyword_recursive) (keyword_materialized)]*
  .
  (keyword_view)
  .
  [(keyword_if) (keyword_not) (keyword_exists)]*
  .
  (object_reference schema: (_) @parent name: (_) @name) @entity.view)
(ERROR
  (keyword_create) @_key
  .
  [(keyword_or) (keyword_replace) (keyword_temp) (keyword_temporary) (keyword_recursive) (keyword_materialized)]*
  .
  (keyword_view)
  .
  [(keyword_if) (keyword_not) (keyword_exists)]*
  .
  (object_reference !schema name: (_) @name) @entity.view)
(ERROR
  (keyword_create) @_key
  .
  [(keyword_or) (keyword_replace)]*
  .
  (keyword_function)
  .
  (object_reference schema: (_) @parent name: (_) @name) @entity.fn)
(ERROR
  (keyword_create) @_key
  .
  [(keyword_or) (keyword_replace)]*
  .
  (keyword_function)
  .
  (object_reference !schema name: (_) @name) @entity.fn)
(ERROR
  (keyword_create) @_key
  .
  [(keyword_or) (keyword_replace)]*
  .
  (keyword_trigger)
  .
  (object_reference schema: (_) @parent name: (_) @name) @entity.method)
(ERROR
  (keyword_create) @_key
  .
  [(keyword_or) (keyword_replace)]*
  .
  (keyword_trigger)
  .
  (object_reference !schema name: (_) @name) @entity.method)

[(comment) (marginalia)] @comment
; Numbers and `true` are literals too, but must stay apart from the words beside them.
((literal) @string (#match? @string "['\"$]"))
((identifier) @string (#match? @string "^[\"`]"))
