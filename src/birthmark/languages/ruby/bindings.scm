; A bare name is a call where no variable has that name.
(_primary/identifier) @mention.calls
(pair key: (hash_key_symbol) @mention.calls !value)

; Parameters
[
  (method_parameters (identifier) @name @bind.parameter)
  (lambda_parameters (identifier) @name @bind.parameter)
  (block_parameters (identifier) @name @bind.parameter)
  (destructured_parameter (identifier) @name @bind.parameter)
]
(optional_parameter name: (_) @name) @bind.optional
(keyword_parameter name: (_) @name) @bind.optional
(splat_parameter name: (_) @name) @bind.rest
(hash_splat_parameter name: (_) @name) @bind.rest
(block_parameter name: (_) @name) @bind.optional

; Assignments
(assignment left: [(identifier) (constant)] @name
  right: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @value) @bind.local
(assignment left: (identifier) @name
  right: [(array) (hash) (string) (chained_string) (integer) (float) (simple_symbol) (delimited_symbol)
    (string_array) (symbol_array) (heredoc_beginning) (regex) (range)] @value) @bind.local
(assignment left: (identifier) @name
  right: [(binary) (unary) (conditional) (if) (unless) (case) (case_match) (begin) (parenthesized_statements) (element_reference)
    (assignment) (operator_assignment) (nil) (true) (false) (self) (lambda) (super) (yield) (class_variable) (global_variable)
    (right_assignment_list) (rescue_modifier) (if_modifier) (while) (subshell)]) @bind.local
(operator_assignment left: (identifier) @name) @bind.local
(left_assignment_list [(identifier) @name (rest_assignment (identifier) @name)] @bind.local)
(destructured_left_assignment [(identifier) @name (rest_assignment (identifier) @name)] @bind.local)
(for pattern: (identifier) @name @bind.local)
(rescue (exceptions . [(constant) (scope_resolution)] @type .) variable: (exception_variable (identifier) @name) @bind.local)
(exception_variable (identifier) @name) @bind.local

; Types that are written as calls: `T.let(x, Shop)`, and `sig { params(x: Shop).returns(Till) }` above a method
(assignment left: (identifier) @name
  right: (call receiver: (constant) @_t arguments: (argument_list . (_) . [(constant) (scope_resolution)] @type .))
  (#eq? @_t "T")) @bind.local
(assignment left: (instance_variable) @name
  right: (call receiver: (constant) @_t arguments: (argument_list . (_) . [(constant) (scope_resolution)] @type .))
  (#eq? @_t "T")) @bind.member
(body_statement
  (call !receiver method: (identifier) @_sig block: (block body: (block_body
    (call method: (identifier) @_returns arguments: (argument_list . [(constant) (scope_resolution)] @type .)))))
  . [(method) (singleton_method)] @bind.result (#eq? @_sig "sig") (#eq? @_returns "returns"))
(body_statement
  (call !receiver method: (identifier) @_sig block: (block body: (block_body
    (call receiver: (call method: (identifier) @_params arguments: (argument_list
      (pair key: (hash_key_symbol) @name value: [(constant) (scope_resolution)] @type)))))))
  . [(method) (singleton_method)] @bind.parameter (#eq? @_sig "sig") (#eq? @_params "params"))

; What a pattern binds
(in_clause pattern: (identifier) @name @bind.local)
(as_pattern name: (identifier) @name @bind.local)
(array_pattern (identifier) @name @bind.local)
(find_pattern (identifier) @name @bind.local)
(keyword_pattern key: (hash_key_symbol) @name !value) @bind.local
(keyword_pattern value: (identifier) @name @bind.local)

; Variables of an instance
(assignment left: (instance_variable) @name
  right: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @value) @bind.member
(operator_assignment left: (instance_variable) @name "||="
  right: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @value) @bind.member

; Results: what is returned, and what a method ends with
(return (argument_list . [(call) (identifier) (constant) (scope_resolution) (instance_variable) (self)] @value .)) @bind.result
(method body: (body_statement
  [(call) (identifier) (constant) (scope_resolution) (instance_variable) (self)] @value @bind.result .))
(singleton_method body: (body_statement
  [(call) (identifier) (constant) (scope_resolution) (instance_variable) (self)] @value @bind.result .))
(method body: (body_statement (operator_assignment left: (instance_variable) right: (call) @value) @bind.result .))
(method body: [(call) (identifier) (instance_variable)] @value @bind.result)
(singleton_method body: [(call) (identifier) (instance_variable)] @value @bind.result)

; Other names of methods
(alias name: (_) @name alias: (_) @value (#set! strip ":")) @bind.alias
(call !receiver method: (identifier) @_alias arguments: (argument_list . (simple_symbol) @name . (simple_symbol) @value .)
  (#any-of? @_alias "alias_method" "alias_attribute") (#set! strip ":")) @bind.alias

; Members of another object under a name of one's own
(call !receiver method: (identifier) @_word
  arguments: (argument_list (simple_symbol) @name @key
    (pair key: (hash_key_symbol) @_to value: [(simple_symbol) @value (string . (string_content) @value .)])) @_arguments
  (#eq? @_word "delegate") (#eq? @_to "to") (#not-match? @_arguments "prefix:") (#set! strip ":")) @bind.alias
(call !receiver method: (identifier) @_word
  arguments: (argument_list (simple_symbol) @name @key
    (pair key: (hash_key_symbol) @_to value: (simple_symbol) @value @prefix)) @_arguments
  (#eq? @_word "delegate") (#eq? @_to "to") (#match? @_arguments "prefix: *true")
  (#set! strip ":") (#set! join "_")) @bind.alias
(call !receiver method: (identifier) @_word
  arguments: [
    (argument_list (simple_symbol) @name @key
      (pair key: (hash_key_symbol) @_to value: [(simple_symbol) @value (string . (string_content) @value .)])
      (pair key: (hash_key_symbol) @_prefix value: [(simple_symbol) @prefix (string . (string_content) @prefix .)]))
    (argument_list (simple_symbol) @name @key
      (pair key: (hash_key_symbol) @_prefix value: [(simple_symbol) @prefix (string . (string_content) @prefix .)])
      (pair key: (hash_key_symbol) @_to value: [(simple_symbol) @value (string . (string_content) @value .)]))
  ]
  (#eq? @_word "delegate") (#eq? @_to "to") (#eq? @_prefix "prefix") (#set! strip ":") (#set! join "_")) @bind.alias
(call !receiver method: (identifier) @_word
  arguments: (argument_list . [(simple_symbol) @value (string . (string_content) @value .)] (simple_symbol) @name @key)
  (#any-of? @_word "def_delegators" "def_instance_delegators") (#set! strip ":")) @bind.alias
(call !receiver method: (identifier) @_word
  arguments: [
    (argument_list . [(simple_symbol) @value (string . (string_content) @value .)] . (simple_symbol) @name @key .)
    (argument_list . [(simple_symbol) @value (string . (string_content) @value .)]
      . (simple_symbol) @key . (simple_symbol) @name .)
  ]
  (#any-of? @_word "def_delegator" "def_instance_delegator") (#set! strip ":")) @bind.alias
(call !receiver method: (identifier) @_word
  arguments: (argument_list . (simple_symbol) @name . [(constant) (scope_resolution)] @type)
  (#any-of? @_word "prop" "const" "attribute") (#set! strip ":") (#set! prefix "@")) @bind.member

; Tests that say what a name is in their branch
(case value: (identifier) @name
  (when . pattern: (pattern [(constant) (scope_resolution)] @type) . body: (then) @bind.narrowed))
(if condition: (call receiver: (identifier) @name method: (identifier) @_test
    arguments: (argument_list . [(constant) (scope_resolution)] @type .))
  consequence: (then) @bind.narrowed (#any-of? @_test "is_a?" "kind_of?" "instance_of?"))
