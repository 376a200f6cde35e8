(create_function (function_arguments (function_argument (identifier) @name) @parameter))
; A parameter without a name starts with its type.
(create_function
  (function_arguments
    (function_argument
      .
      [
        (bigint) (binary) (bit) (char) (datetimeoffset) (decimal) (double) (enum) (float) (int) (interval) (mediumint)
        (nchar) (numeric) (nvarchar) (smallint) (time) (timestamp) (tinyint) (varbinary) (varchar) (keyword_boolean)
        (keyword_bytea) (keyword_date) (keyword_inet) (keyword_json) (keyword_jsonb) (keyword_money) (keyword_name)
        (keyword_oid) (keyword_regclass) (keyword_text) (keyword_uuid) (keyword_xml) (object_reference)
      ]) @parameter)
  (#set! name "_"))

; The columns that a function returns can be assigned in it.
(create_function (column_definitions (column_definition name: (_) @name) @variable))
(function_declaration (identifier) @name) @variable
(cte . (identifier) @name (statement) @value) @variable

(case) @scope.case
(subquery) @scope.subquery
(block) @scope.block
(transaction) @scope.transaction

(relation (object_reference) @property)
(statement (object_reference) @property)
(insert (object_reference) @property)
(from (object_reference) @property)
(column_definition (keyword_references) (object_reference) @property)
(constraint (keyword_references) (object_reference) @property)
(field (object_reference)) @property

; Rows are added to a table and taken from it; their fields are set.
(insert (object_reference) @name) @mutation.array
(statement (delete) (from . (keyword_from) . (object_reference) @name)) @mutation.array
(update (relation (object_reference) @name)) @mutation.object
(alter_table (object_reference) @name) @mutation.object

