; The template is HTML with marks of its own.
(document
  (element (start_tag (tag_name) @_tag) _* @content (end_tag)) @segment.template
  (#eq? @_tag "template"))
