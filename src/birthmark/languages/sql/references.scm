; The arguments stand in no node of their own, so a call is told from its namesakes by the whole of it.
(invocation (object_reference) @name) @call @arguments
(create_trigger (keyword_execute) (object_reference) @name @call)

(create_extension [(keyword_extension) (keyword_exists)] . (identifier) @source) @import
