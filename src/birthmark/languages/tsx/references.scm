; A component is called with its attributes; names in lower case are elements of the page.
((jsx_self_closing_element name: [(identifier) (member_expression)] @name) @call (#match? @name "^[A-Z]|[.]"))
((jsx_element open_tag: (jsx_opening_element name: [(identifier) (member_expression)] @name)) @call
  (#match? @name "^[A-Z]|[.]"))
(jsx_self_closing_element name: (identifier) @mentions.none)
(jsx_opening_element name: (identifier) @mentions.none)
(jsx_closing_element) @mentions.none
