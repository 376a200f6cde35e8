; Parameters; nodes.scm has those without a default or a type.
(parameters (default_parameter name: (identifier) @name value: [(identifier) (attribute) (call)] @value) @bind.optional)
(parameters (default_parameter name: (identifier) @name value: [(none) (string) (integer) (true) (false) (list) (dictionary) (tuple)]) @bind.optional)
(parameters (typed_parameter . (identifier) @name type: (type) @type) @bind.parameter)
(parameters (typed_default_parameter name: (identifier) @name type: (type) @type) @bind.optional)
(parameters (typed_parameter . [(list_splat_pattern (identifier) @name) (dictionary_splat_pattern (identifier) @name)]) @bind.rest)
(lambda_parameters (default_parameter name: (identifier) @name) @bind.optional)

; Assignments
(assignment left: (identifier) @name right: [(identifier) (attribute) (call) (await)] @value !type) @bind.local
(assignment left: (identifier) @name type: (type) @type) @bind.local
(assignment left: (identifier) @name !type
  right: [(string) (concatenated_string) (integer) (float) (list) (dictionary) (tuple) (set) (none) (true) (false)
    (list_comprehension) (dictionary_comprehension) (set_comprehension)] (#set! value "#")) @bind.local
(assignment left: (identifier) @name !type
  right: [(binary_operator) (lambda) (conditional_expression) (boolean_operator) (subscript) (not_operator) (comparison_operator)
    (assignment) (yield) (parenthesized_expression) (generator_expression) (unary_operator) (expression_list)]) @bind.local
(assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @bind.local
(augmented_assignment left: (identifier) @name) @bind.local
(named_expression name: (identifier) @name value: (_) @value) @bind.local
(for_statement left: (identifier) @name right: [(identifier) (attribute) (call)] @value (#set! step "[]")) @bind.local
(for_statement left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @bind.local
(for_in_clause left: (identifier) @name right: [(identifier) (attribute) (call)] @value (#set! step "[]")) @bind.local
(for_in_clause left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @bind.local
(with_item value: (as_pattern (call) @value alias: (as_pattern_target (identifier) @name)) @bind.local)
(with_item value: (as_pattern [(identifier) (attribute)] @value alias: (as_pattern_target (identifier) @name)) @bind.local)
(except_clause value: (as_pattern (_) @type alias: (as_pattern_target (identifier) @name)) @bind.local)

; Attributes of `self`
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  right: [(identifier) (attribute) (call) (await)] @value !type (#eq? @_self "self")) @bind.member
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) type: (type) @type
  (#eq? @_self "self")) @bind.member

; What @overload declares
(decorated_definition
  (decorator [(identifier) (attribute)] @_overload)
  definition: (function_definition) @bind.declared
  (#match? @_overload "^([a-z_]+[.])?overload$"))

; Results
(function_definition return_type: (type) @type) @bind.result
(return_statement [(identifier) (attribute) (call) (await)] @value) @bind.result

; A test that says what a name is in its branch
(if_statement
  condition: (call function: (identifier) @_test arguments: (argument_list . (identifier) @name . (_) @type .))
  consequence: (block) @bind.narrowed (#eq? @_test "isinstance"))

; A decorator is called where the definition is, the nearest one with what is defined.
(decorated_definition
  (decorator [(identifier) (attribute)] @value) @mention.calls . definition: (_ name: (identifier) @name))
(decorator [(identifier) (attribute)] @value) @mention.calls

; A name of the file that a function assigns to
(global_statement (identifier) @name @bind.global)
