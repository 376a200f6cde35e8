; Regions; they come first, as those around a name of the same span.
(package_header) @mentions.none
(import) @mentions.none
(value_argument . (identifier) @mentions.none . "=")
(this_expression (identifier) @mentions.none)
(return_expression label: (identifier) @mentions.none)
(user_type) @mentions.types

; All names. The parts of a type stand side by side.
(identifier) @mention.reads
(navigation_expression . (_) @receiver (identifier) @name .) @mention.reads
(user_type . (identifier)+ @receiver . (identifier) @name) @mention.types
; `"$name ..."` is text for the grammar.
((string_literal (string_content) @_sign . (string_content) @name) @mention.reads (#eq? @_sign "$") (#set! word ""))

; Names that are assigned
(assignment left: (identifier) @mention.writes)
(assignment left: (navigation_expression . (_) @receiver (identifier) @name .)) @mention.writes
(unary_expression argument: (identifier) @mention.writes operator: ["++" "--"])
(unary_expression argument: (navigation_expression . (_) @receiver (identifier) @name .) operator: ["++" "--"]) @mention.writes

; Annotations
(annotation [(user_type (identifier) @mention.decorates .) (constructor_invocation (user_type (identifier) @mention.decorates .))])
(file_annotation [(user_type (identifier) @mention.decorates .) (constructor_invocation (user_type (identifier) @mention.decorates .))])
