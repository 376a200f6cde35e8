; The template is HTML with marks of its own.
(document
  (element (start_tag (tag_name) @_tag) _* @content (end_tag)) @segment.template
  (#eq? @_tag "template"))

; Attributes with an expression, and components; see language.toml.
((element (_ (attribute (attribute_name) @name (quoted_attribute_value (attribute_value) @content)))) @expression
  (#match? @name "^(v-|:|@|#|(slot-scope|ref)$)"))
([(start_tag (tag_name) @name @content) (self_closing_tag (tag_name) @name @content)] @expression
  (#match? @name "^[A-Z]"))
