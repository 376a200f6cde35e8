; Components; see language.toml.
([(start_tag (tag_name) @name @content) (self_closing_tag (tag_name) @name @content)] @expression
  (#match? @name "^[A-Z]"))
