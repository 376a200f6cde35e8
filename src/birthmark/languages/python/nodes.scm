; Those that are bound to no value are bindings as well, see bindings.scm.
((parameters (identifier) @name @parameter) (#set! bind "parameter"))
(parameters (default_parameter name: (_) @name value: (_) @value) @parameter)
(parameters (typed_parameter . (identifier) @name) @parameter)
(parameters (typed_parameter . (list_splat_pattern (identifier) @name)) @parameter)
(parameters (typed_parameter . (dictionary_splat_pattern (identifier) @name)) @parameter)
(parameters (typed_default_parameter name: (_) @name value: (_) @value) @parameter)
((parameters (list_splat_pattern (identifier) @name) @parameter) (#set! bind "rest"))
((parameters (dictionary_splat_pattern (identifier) @name) @parameter) (#set! bind "rest"))
((lambda_parameters (identifier) @name @parameter) (#set! bind "parameter"))
(lambda_parameters (default_parameter name: (_) @name value: (_) @value) @parameter)
((lambda_parameters (list_splat_pattern (identifier) @name) @parameter) (#set! bind "rest"))
((lambda_parameters (dictionary_splat_pattern (identifier) @name) @parameter) (#set! bind "rest"))

(for_statement left: (identifier) @name @variable right: (_) @value)
(for_statement left: (pattern_list (identifier) @name @variable) right: (_) @value)
(for_statement left: (tuple_pattern (identifier) @name @variable) right: (_) @value)
(for_in_clause left: (identifier) @name @variable right: (_) @value)
(for_in_clause left: (pattern_list (identifier) @name @variable) right: (_) @value)
(named_expression name: (identifier) @name value: (_) @value) @variable
(as_pattern (_) @value alias: (as_pattern_target (identifier) @name)) @variable

(if_statement) @scope.if
(elif_clause) @scope.elif
(else_clause) @scope.else
(for_statement) @scope.for
(while_statement) @scope.while
(try_statement) @scope.try
(except_clause) @scope.except
(finally_clause) @scope.finally
(with_statement) @scope.with
(match_statement) @scope.match
(case_clause) @scope.case

(attribute) @property

(assignment left: (subscript) @name) @mutation.array
(augmented_assignment left: (subscript) @name) @mutation.array
(delete_statement (subscript) @name) @mutation.array
(assignment left: (attribute) @name) @mutation.object
(augmented_assignment left: (attribute) @name) @mutation.object
(delete_statement (attribute) @name) @mutation.object

