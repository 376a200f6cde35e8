(call function: (_) @name arguments: (_) @arguments) @call

; Each imported name is an import of its own.
(import_statement name: (dotted_name) @source @import)
(import_statement name: (aliased_import name: (dotted_name) @source alias: (_) @alias) @import)
(import_from_statement module_name: (_) @source name: (dotted_name) @name @import)
(import_from_statement
  module_name: (_) @source name: (aliased_import name: (dotted_name) @name alias: (_) @alias) @import)
(import_from_statement module_name: (_) @source (wildcard_import) @name @import)
((future_import_statement name: (dotted_name) @name @import) (#set! source "__future__"))

(module
  (expression_statement
    (assignment left: (identifier) @_all (#eq? @_all "__all__")
      right: [(list (string (string_content) @name) @export) (tuple (string (string_content) @name) @export)])))
