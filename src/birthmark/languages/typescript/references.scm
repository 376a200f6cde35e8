(call_expression function: (_) @name arguments: (_) @arguments) @call
(new_expression constructor: (_) @name arguments: (_)? @arguments) @new

((import_statement (import_clause (identifier) @alias) source: (_) @source) @import (#set! name "default"))
((import_statement (import_clause (namespace_import (_) @alias)) source: (_) @source) @import (#set! name "*"))
(import_statement
  (import_clause (named_imports (import_specifier name: _ @name alias: (_)? @alias))) source: (_) @source) @import
(import_statement . "import" . source: (_) @source) @import
(import_statement (import_clause (named_imports . "{" . "}")) source: (_) @source) @import
(import_statement (import_require_clause (identifier) @alias source: (_) @source)) @import
(import_alias (identifier) @alias [(identifier) (nested_identifier)] @name) @import
(call_expression function: (import) arguments: (arguments . (string) @source)) @import
(variable_declarator
  name: (identifier) @alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @source .)) @import
  (#eq? @_require "require"))
((call_expression function: (identifier) @_require arguments: (arguments . (string) @source .)) @import
  (#eq? @_require "require"))
; What is taken out of a module at once is imported by name as well.
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (_) @name)
    (pair_pattern key: (_) @name value: (identifier)? @alias)
  ])
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @source .))
  (#eq? @_require "require")) @import

; What is exported from another module is imported from it as well.
(export_statement (export_clause (export_specifier name: _ @name alias: _? @alias)) source: (_) @source) @import
((export_statement "*" source: (_) @source) @import (#set! name "*"))
((export_statement (namespace_export (_) @alias) source: (_) @source) @import (#set! name "*"))

((export_statement "default"? @_default declaration: (_ name: (_) @name)) @export (#not-eq? @_default "default"))
(export_statement
  declaration: [
    (ambient_declaration [(_ name: (_) @name) (_ (variable_declarator name: (identifier) @name))])
    (import_alias . (identifier) @name)
    (lexical_declaration (variable_declarator name: (identifier) @name))
    (variable_declaration (variable_declarator name: (identifier) @name))
    (lexical_declaration
      (variable_declarator
        name: (_ [
          (identifier) @name
          (shorthand_property_identifier_pattern) @name
          (rest_pattern . (identifier) @name)
          (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name)
          (pair_pattern value: (identifier) @name)
        ])))
  ]) @export
((export_statement ["default" "="]) @export (#set! name "default"))
(export_statement "namespace" . (identifier) @name) @export
(export_specifier name: _ @name !alias) @export
(export_specifier alias: _ @name) @export
(namespace_export (_) @name) @export
((export_statement "*") @export (#set! name "*"))
