; Directives that are named like a function or a variable, and components; see language.toml.
((attribute (attribute_name) @name @content) @expression (#match? @name "^(use|transition|in|out|animate):"))
((attribute . (attribute_name) @name @content .) @expression (#match? @name "^(bind|class|style):"))
([(start_tag (tag_name) @name @content) (self_closing_tag (tag_name) @name @content)] @expression
  (#match? @name "^[A-Z]"))
