; Parameters; nodes.scm has those without a default or a type.
(parameters (default_parameter name: (identifier) @name value: [(identifier) (attribute) (call)] @value) @bind.optional)
(parameters (default_parameter name: (identifier) @name value: [(none) (string) (integer) (true) (false) (list) (dictionary) (tuple)]) @bind.optional)
(parameters (typed_parameter . (identifier) @name type: (type) @type) @bind.parameter)
(parameters (typed_default_parameter name: (identifier) @name type: (type) @type) @bind.optional)
(parameters (typed_parameter . [(list_splat_pattern (identifier) @name) (dictionary_splat_pattern (identifier) @name)]) @bind.rest)
(lambda_parameters (default_parameter name: (identifier) @name) @bind.optional)

; Assignments
(assignment left: (identifier) @name !type
  right: [(identifier) (attribute) (call) (await) (subscript) (list) (dictionary) (tuple) (expression_list)] @value) @bind.local
(assignment left: (identifier) @name right: (assignment right: [(identifier) (attribute) (call)] @value)) @bind.local
(assignment left: (identifier) @name
  right: (assignment right: (assignment right: [(identifier) (attribute) (call)] @value))) @bind.local
(assignment left: (identifier) @name type: (type) @type) @bind.local
(assignment left: (identifier) @name !type
  right: [(string) (concatenated_string) (integer) (float) (set) (none) (true) (false)
    (list_comprehension) (dictionary_comprehension) (set_comprehension)] (#set! value "#")) @bind.local
(assignment left: (identifier) @name !type
  right: [(binary_operator) (lambda) (conditional_expression) (boolean_operator) (not_operator) (comparison_operator)
    (assignment) (yield) (parenthesized_expression) (generator_expression) (unary_operator)]) @bind.local
(assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @bind.local
; The parts of what is taken apart: the first three
(assignment left: [(pattern_list . (identifier) @name) (tuple_pattern . (identifier) @name)]
  right: [(identifier) (attribute) (call) (tuple) (list) (expression_list)] @value (#set! step "[0]")) @bind.local
(assignment left: [(pattern_list . (_) . (identifier) @name) (tuple_pattern . (_) . (identifier) @name)]
  right: [(identifier) (attribute) (call) (tuple) (list) (expression_list)] @value (#set! step "[1]")) @bind.local
(assignment left: [(pattern_list . (_) . (_) . (identifier) @name) (tuple_pattern . (_) . (_) . (identifier) @name)]
  right: [(identifier) (attribute) (call) (tuple) (list) (expression_list)] @value (#set! step "[2]")) @bind.local
(for_statement left: [(pattern_list . (identifier) @name) (tuple_pattern . (identifier) @name)]
  right: [(identifier) (attribute) (call) (tuple) (list)] @value (#set! step "[][0]")) @bind.local
(for_statement left: [(pattern_list . (_) . (identifier) @name) (tuple_pattern . (_) . (identifier) @name)]
  right: [(identifier) (attribute) (call) (tuple) (list)] @value (#set! step "[][1]")) @bind.local
(augmented_assignment left: (identifier) @name) @bind.local
; A part that is assigned by its key
(assignment
  left: (subscript value: (identifier) @owner subscript: [(string (string_content) @name) (integer) @name])
  right: [(identifier) (attribute) (call)] @value) @bind.assigned
(named_expression name: (identifier) @name value: (_) @value) @bind.local
(for_statement left: (identifier) @name
  right: [(identifier) (attribute) (call) (tuple) (list) (subscript)] @value (#set! step "[]")) @bind.local
(for_statement left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @bind.local
(for_in_clause left: (identifier) @name
  right: [(identifier) (attribute) (call) (tuple) (list) (subscript)] @value (#set! step "[]")) @bind.local
(for_in_clause left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @bind.local
(with_item value: (as_pattern (call) @value alias: (as_pattern_target (identifier) @name)) @bind.local)
(with_item value: (as_pattern [(identifier) (attribute)] @value alias: (as_pattern_target (identifier) @name)) @bind.local)
(except_clause value: (as_pattern (_) @type alias: (as_pattern_target (identifier) @name)) @bind.local)

; Attributes of `self`
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  right: [(identifier) (attribute) (call) (await) (subscript) (list) (dictionary) (tuple)] @value
  !type (#eq? @_self "self")) @bind.member
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) type: (type) @type
  (#eq? @_self "self")) @bind.member

; What @overload declares
(decorated_definition
  (decorator [(identifier) (attribute)] @_overload)
  definition: (function_definition) @bind.declared
  (#match? @_overload "^([a-z_]+[.])?overload$"))

; Results; what is declared comes before what is returned.
(function_definition return_type: (type) @type (#set! name ":")) @bind.result
(return_statement [
  (identifier) (attribute) (call) (await) (subscript) (list) (dictionary) (tuple) (expression_list)
] @value) @bind.result
(return_statement (conditional_expression . [(identifier) (attribute) (call)] @value)) @bind.result
(return_statement (conditional_expression [(identifier) (attribute) (call)] @value .)) @bind.result
(yield . [(identifier) (attribute) (call)] @value (#set! step "*")) @bind.result

; A test that says what a name is in its branch
(if_statement
  condition: (call function: (identifier) @_test arguments: (argument_list . (identifier) @name . (_) @type .))
  consequence: (block) @bind.narrowed (#eq? @_test "isinstance"))

; A decorator is called where the definition is, the nearest one with what is defined.
(decorated_definition
  (decorator [(identifier) (attribute)] @value) @mention.calls . definition: (_ name: (identifier) @name))
(decorator [(identifier) (attribute)] @value) @mention.calls

; Calls that are not written: of the methods by which loops and `with` use an object, of what is handed to `map`
(for_statement right: [(identifier) (call)] @value (#set! step ".__iter__")) @mention.calls
(for_statement right: [(identifier) (call)] @value (#set! step ".__iter__().__next__")) @mention.calls
(for_in_clause right: [(identifier) (call)] @value (#set! step ".__iter__")) @mention.calls
(for_in_clause right: [(identifier) (call)] @value (#set! step ".__iter__().__next__")) @mention.calls
(with_item value: [(identifier) (call)] @value (#set! step ".__enter__")) @mention.calls
(with_item value: [(identifier) (call)] @value (#set! step ".__exit__")) @mention.calls
(with_item value: (as_pattern . [(identifier) (call)] @value) (#set! step ".__enter__")) @mention.calls
(with_item value: (as_pattern . [(identifier) (call)] @value) (#set! step ".__exit__")) @mention.calls
((call function: (identifier) @_applies arguments: (argument_list (identifier) @value)) @mention.calls
  (#any-of? @_applies "map" "filter" "reduce") (#set! step ""))
(raise_statement . [(identifier) (attribute)] @value (#set! step "")) @mention.calls

; A name of the file that a function assigns to
(global_statement (identifier) @name @bind.global)
