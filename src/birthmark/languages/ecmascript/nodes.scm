; What JavaScript and TypeScript have in common.
; Loop and catch variables
(for_in_statement kind: "const" left: (identifier) @name @constant right: (_) @value)
(for_in_statement kind: ["let" "var"] left: (identifier) @name @variable right: (_) @value)
(for_in_statement
  kind: "const"
  left: (_ [
    (identifier) @name @constant
    (shorthand_property_identifier_pattern) @name @constant
    (rest_pattern . (identifier) @name @constant)
    (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name @constant)
    (pair_pattern value: (identifier) @name @constant)
  ])
  right: (_) @value)
(for_in_statement
  kind: ["let" "var"]
  left: (_ [
    (identifier) @name @variable
    (shorthand_property_identifier_pattern) @name @variable
    (rest_pattern . (identifier) @name @variable)
    (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name @variable)
    (pair_pattern value: (identifier) @name @variable)
  ])
  right: (_) @value)
(catch_clause parameter: (identifier) @name @variable)
(catch_clause
  parameter: (object_pattern [
    (shorthand_property_identifier_pattern) @name @variable
    (pair_pattern value: (identifier) @name @variable)
  ]))

; `else if` is but another `if`.
(if_statement) @scope.if
(else_clause [
  (statement_block) (expression_statement) (return_statement) (throw_statement) (break_statement) (continue_statement)
  (for_statement) (for_in_statement) (while_statement) (do_statement) (switch_statement) (try_statement)
]) @scope.else
(for_statement) @scope.for
(for_in_statement) @scope.for
(while_statement) @scope.while
(do_statement) @scope.do
(switch_statement) @scope.switch
(switch_case) @scope.case
(switch_default) @scope.default
(try_statement) @scope.try
(catch_clause) @scope.catch
(finally_clause) @scope.finally
(with_statement) @scope.with

(member_expression) @property

; Of an element the array is named: what stands between the brackets may be any expression.
(assignment_expression left: (subscript_expression object: (_) @name)) @mutation.array
(augmented_assignment_expression left: (subscript_expression object: (_) @name)) @mutation.array
(update_expression argument: (subscript_expression object: (_) @name)) @mutation.array
(unary_expression operator: "delete" argument: (subscript_expression object: (_) @name)) @mutation.array
(assignment_expression left: (member_expression) @name) @mutation.object
(augmented_assignment_expression left: (member_expression) @name) @mutation.object
(update_expression argument: (member_expression) @name) @mutation.object
(unary_expression operator: "delete" argument: (member_expression) @name) @mutation.object
