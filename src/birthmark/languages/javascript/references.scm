(call_expression function: (_) @name arguments: (_) @arguments) @call
(new_expression constructor: (_) @name arguments: (_)? @arguments) @new
; A component is called with its attributes; names in lower case are elements of the page.
((jsx_self_closing_element name: [(identifier) (member_expression)] @name) @call (#match? @name "^[A-Z]|[.]"))
((jsx_element open_tag: (jsx_opening_element name: [(identifier) (member_expression)] @name)) @call
  (#match? @name "^[A-Z]|[.]"))
(jsx_self_closing_element name: (identifier) @mentions.none)
(jsx_opening_element name: (identifier) @mentions.none)
(jsx_closing_element) @mentions.none

((import_statement (import_clause (identifier) @alias) source: (_) @source) @import (#set! name "default"))
((import_statement (import_clause (namespace_import (_) @alias)) source: (_) @source) @import (#set! name "*"))
(import_statement
  (import_clause (named_imports (import_specifier name: _ @name alias: (_)? @alias))) source: (_) @source) @import
(import_statement . "import" . source: (_) @source) @import
(import_statement (import_clause (named_imports . "{" . "}")) source: (_) @source) @import
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
((export_statement "default") @export (#set! name "default"))
(export_specifier name: _ @name !alias) @export
(export_specifier alias: _ @name) @export
(namespace_export (_) @name) @export
((export_statement "*") @export (#set! name "*"))

; CommonJS
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (_) @name)
  (#any-of? @_exports "exports" "module.exports")) @export
((assignment_expression left: (member_expression object: (identifier)) @_left) @export
  (#eq? @_left "module.exports")
  (#set! name "default"))
(assignment_expression
  left: (member_expression object: (identifier)) @_left
  right: (object [
    (shorthand_property_identifier) @name
    (pair key: [(property_identifier) (string)] @name)
    (method_definition name: (_) @name)
  ])
  (#eq? @_left "module.exports")) @export
