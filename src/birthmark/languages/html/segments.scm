; The start tag tells the language: lang="ts", type="text/typescript".
(script_element (start_tag) @language (raw_text) @content) @segment.script
(style_element (start_tag) @language (raw_text) @content) @segment.style
