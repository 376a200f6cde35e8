; The start tag tells the language: lang="ts", type="text/typescript".
(script_element (start_tag) @language (raw_text) @content) @segment.script
(style_element (start_tag) @language (raw_text) @content) @segment.style

; Handlers of events; see language.toml.
((attribute (attribute_name) @name (quoted_attribute_value (attribute_value) @content)) @expression
  (#match? @name "^on[a-z]+$"))
