(identifier) @mention.reads

; CommonJS
(assignment_expression
  left: (_) @_exports
  right: [(identifier) @mention.exports (object (shorthand_property_identifier) @mention.exports)]
  (#match? @_exports "^(module[.])?exports([.]|$)"))
