(simple_parameter name: (_) @name default_value: (_) @value) @parameter
(simple_parameter name: (_) @name !default_value) @parameter
(variadic_parameter name: (_) @name) @parameter
(property_promotion_parameter name: (_) @name default_value: (_) @value) @parameter
(property_promotion_parameter name: (_) @name !default_value) @parameter

(foreach_statement . (_) @value "as" . (variable_name) @name @variable)
(foreach_statement . (_) @value "as" . (by_ref (variable_name) @name) @variable)
(foreach_statement . (_) @value (pair (variable_name) @name @variable))
(foreach_statement . (_) @value (pair (by_ref (variable_name) @name) @variable))
(foreach_statement . (_) @value (list_literal (variable_name) @name @variable))
(foreach_statement . (_) @value (pair (list_literal (variable_name) @name @variable)))
(for_statement initialize: (assignment_expression left: (variable_name) @name right: (_) @value) @variable)
(for_statement initialize: (sequence_expression
  (assignment_expression left: (variable_name) @name right: (_) @value) @variable))
(parenthesized_expression (assignment_expression left: (variable_name) @name right: (_) @value) @variable)
(binary_expression right: (assignment_expression left: (variable_name) @name right: (_) @value) @variable)
(unary_op_expression (assignment_expression left: (variable_name) @name right: (_) @value) @variable)
(return_statement (assignment_expression left: (variable_name) @name right: (_) @value) @variable)
(argument (assignment_expression left: (variable_name) @name right: (_) @value) @variable)
(catch_clause name: (variable_name) @name @variable)
(static_variable_declaration name: (_) @name value: (_) @value) @variable
(static_variable_declaration name: (_) @name !value) @variable
(global_declaration (variable_name) @name @variable)

(if_statement) @scope.if
(else_if_clause) @scope.elseif
(else_clause) @scope.else
(for_statement) @scope.for
(foreach_statement) @scope.foreach
(while_statement) @scope.while
(do_statement) @scope.do
(switch_statement) @scope.switch
(case_statement) @scope.case
(default_statement) @scope.default
(match_expression) @scope.match
(try_statement) @scope.try
(catch_clause) @scope.catch
(finally_clause) @scope.finally

(member_access_expression) @property
(nullsafe_member_access_expression) @property
(scoped_property_access_expression) @property
(class_constant_access_expression) @property

(assignment_expression left: (subscript_expression) @name) @mutation.array
(augmented_assignment_expression left: (subscript_expression) @name) @mutation.array
(update_expression argument: (subscript_expression) @name) @mutation.array
(unset_statement (subscript_expression) @name @mutation.array)
(list_literal (subscript_expression) @name @mutation.array)
(assignment_expression
  left: [(member_access_expression) (scoped_property_access_expression)] @name) @mutation.object
(augmented_assignment_expression
  left: [(member_access_expression) (scoped_property_access_expression)] @name) @mutation.object
(update_expression argument: [(member_access_expression) (scoped_property_access_expression)] @name) @mutation.object
(unset_statement [(member_access_expression) (scoped_property_access_expression)] @name @mutation.object)
(list_literal [(member_access_expression) (scoped_property_access_expression)] @name @mutation.object)
