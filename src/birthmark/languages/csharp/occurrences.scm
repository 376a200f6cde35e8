; Regions; they come first, as those around a name of the same span.
(using_directive) @mentions.none
[(namespace_declaration name: (_) @mentions.none) (file_scoped_namespace_declaration name: (_) @mentions.none)]
[(preproc_if condition: (_) @mentions.none) (preproc_elif condition: (_) @mentions.none)]
(argument name: (identifier) @mentions.none)
(attribute_argument name: (identifier) @mentions.none . ":")
(tuple_element name: (identifier) @mentions.none)
(anonymous_object_creation_expression (identifier) @mentions.none . "=")
[(labeled_statement . (identifier) @mentions.none) (goto_statement (identifier) @mentions.none)]
(destructor_declaration name: (identifier) @mentions.none)
(method_declaration (explicit_interface_specifier) name: (identifier) @mentions.none)
(property_declaration (explicit_interface_specifier) name: (identifier) @mentions.none)
(explicit_interface_specifier) @mentions.types
(is_pattern_expression pattern: (constant_pattern (identifier) @mentions.types))
[(as_expression right: (_) @mentions.types) (array_creation_expression type: (_) @mentions.types)]
(type) @mentions.types

; All names. What is called is captured with its type arguments, so a name is captured with them as well.
(identifier) @mention.reads
(generic_name . (identifier) @name) @mention.reads
(member_access_expression expression: _ @receiver name: [(identifier) @name (generic_name . (identifier) @name)]) @mention.reads
(conditional_access_expression
  condition: (_) @receiver (member_binding_expression name: [(identifier) @name (generic_name . (identifier) @name)])) @mention.reads
(qualified_name qualifier: (_) @receiver name: [(identifier) @name (generic_name . (identifier) @name)]) @mention.reads
(subpattern . (identifier) @name . ":" @receiver) @mention.reads  ; of something unknown, or of the type of the pattern
(recursive_pattern type: (_) @receiver (property_pattern_clause (subpattern . (identifier) @name . ":"))) @mention.reads

; Names that are assigned, also those of members in an initializer
(assignment_expression left: (identifier) @mention.writes)
(assignment_expression left: (member_access_expression expression: _ @receiver name: (identifier) @name)) @mention.writes
(assignment_expression left: (tuple_expression (argument (identifier) @mention.writes)))
(assignment_expression left: (tuple_expression
  (argument (member_access_expression expression: _ @receiver name: (identifier) @name)))) @mention.writes
[(prefix_unary_expression ["++" "--"] (identifier) @mention.writes) (postfix_unary_expression (identifier) @mention.writes ["++" "--"])]
[
  (prefix_unary_expression ["++" "--"] (member_access_expression expression: _ @receiver name: (identifier) @name))
  (postfix_unary_expression (member_access_expression expression: _ @receiver name: (identifier) @name) ["++" "--"])
] @mention.writes
(initializer_expression (assignment_expression left: (identifier) @name "=" @receiver)) @mention.writes
(object_creation_expression type: (_) @receiver
  initializer: (initializer_expression (assignment_expression left: (identifier) @name))) @mention.writes
(variable_declaration type: (_) @receiver (variable_declarator
  (implicit_object_creation_expression (initializer_expression (assignment_expression left: (identifier) @name))))) @mention.writes
(with_expression . (_) @receiver (with_initializer . (identifier) @name)) @mention.writes
(attribute_argument name: (identifier) @name "=" @receiver) @mention.writes

; Attributes. Their classes are named with a suffix that may be left out.
(attribute name: (identifier) @mention.decorates)
(attribute name: (qualified_name qualifier: (_) @receiver name: (identifier) @name)) @mention.decorates
((attribute name: (identifier) @mention.decorates) (#set! suffix "Attribute") (#set! also ""))
