[
  (method_parameters (identifier) @name @parameter)
  (lambda_parameters (identifier) @name @parameter)
  (block_parameters !locals (identifier) @name @parameter)
  (block_parameters (identifier) @name @parameter ";")
  (destructured_parameter (identifier) @name @parameter)
]
(optional_parameter name: (_) @name value: (_) @value) @parameter
(keyword_parameter name: (_) @name value: (_) @value) @parameter
(keyword_parameter name: (_) @name !value) @parameter
(block_parameter name: (_) @name) @parameter
(block_parameter !name) @parameter
(forward_parameter) @parameter
[
  (method_parameters (splat_parameter name: (_) @name) @parameter)
  (lambda_parameters (splat_parameter name: (_) @name) @parameter)
  (block_parameters (splat_parameter name: (_) @name) @parameter)
  (destructured_parameter (splat_parameter name: (_) @name) @parameter)
  (method_parameters (hash_splat_parameter name: (_) @name) @parameter)
  (lambda_parameters (hash_splat_parameter name: (_) @name) @parameter)
  (block_parameters (hash_splat_parameter name: (_) @name) @parameter)
]
(method_parameters (splat_parameter !name) @parameter)
(block_parameters (splat_parameter !name) @parameter)
(method_parameters (hash_splat_parameter !name) @parameter)

(block_parameters locals: (identifier) @name @variable)
(exception_variable (identifier) @name) @variable
(for pattern: (identifier) @name @variable value: (in (_) @value))
(for pattern: (left_assignment_list (identifier) @name @variable) value: (in (_) @value))

; What a pattern binds.
(in_clause pattern: (identifier) @name @variable)
(as_pattern value: (_) @value name: (identifier) @name) @variable
(array_pattern (identifier) @name @variable)
(array_pattern (splat_parameter name: (_) @name) @variable)
(find_pattern (identifier) @name @variable)
(find_pattern (splat_parameter name: (_) @name) @variable)
(keyword_pattern key: (hash_key_symbol) @name !value) @variable
(keyword_pattern value: (identifier) @name @variable)
(hash_pattern (hash_splat_parameter name: (_) @name) @variable)

(if) @scope.if
(unless) @scope.unless
(elsif) @scope.elsif
(else) @scope.else
(for) @scope.for
(while) @scope.while
(until) @scope.until
(case) @scope.case
(case_match) @scope.case
(when) @scope.when
(in_clause) @scope.in
(begin) @scope.begin
(rescue) @scope.rescue
(ensure) @scope.ensure
(begin_block) @scope.BEGIN
(end_block) @scope.END

(instance_variable) @property
(class_variable) @property

(assignment left: (element_reference) @name) @mutation.array
(operator_assignment left: (element_reference) @name) @mutation.array
(left_assignment_list (element_reference) @name @mutation.array)
(binary left: (_) @name operator: "<<") @mutation.array
(assignment left: [(call) (instance_variable) (class_variable)] @name) @mutation.object
(operator_assignment left: [(call) (instance_variable) (class_variable)] @name) @mutation.object
(left_assignment_list [(call) (instance_variable) (class_variable)] @name @mutation.object)
