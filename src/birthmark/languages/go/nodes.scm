; The receiver comes first. Parameters without a name count, those of function types do not: they belong to no function.
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @name) @parameter))
(method_declaration receiver: (parameter_list (parameter_declaration !name) @parameter) (#set! name "_"))
(function_declaration
  parameters: (parameter_list
    [
      (parameter_declaration name: (identifier) @name @parameter)
      (variadic_parameter_declaration name: (identifier) @name @parameter)
    ]))
(function_declaration
  parameters: (parameter_list
    [(parameter_declaration !name) (variadic_parameter_declaration !name)] @parameter)
  (#set! name "_"))
(method_declaration
  parameters: (parameter_list
    [
      (parameter_declaration name: (identifier) @name @parameter)
      (variadic_parameter_declaration name: (identifier) @name @parameter)
    ]))
(method_declaration
  parameters: (parameter_list
    [(parameter_declaration !name) (variadic_parameter_declaration !name)] @parameter)
  (#set! name "_"))
(method_elem
  parameters: (parameter_list
    [
      (parameter_declaration name: (identifier) @name @parameter)
      (variadic_parameter_declaration name: (identifier) @name @parameter)
    ]))
(method_elem
  parameters: (parameter_list
    [(parameter_declaration !name) (variadic_parameter_declaration !name)] @parameter)
  (#set! name "_"))
(func_literal
  parameters: (parameter_list
    [
      (parameter_declaration name: (identifier) @name @parameter)
      (variadic_parameter_declaration name: (identifier) @name @parameter)
    ]))
(func_literal
  parameters: (parameter_list
    [(parameter_declaration !name) (variadic_parameter_declaration !name)] @parameter)
  (#set! name "_"))

; Named results are variables.
(function_declaration result: (parameter_list (parameter_declaration name: (identifier) @name) @variable))
(method_declaration result: (parameter_list (parameter_declaration name: (identifier) @name) @variable))
(func_literal result: (parameter_list (parameter_declaration name: (identifier) @name) @variable))

; The blank identifier binds nothing.
(range_clause
  left: (expression_list (identifier) @name @variable)
  ":="
  right: (_) @value
  (#not-eq? @name "_"))
(receive_statement
  left: (expression_list (identifier) @name @variable)
  ":="
  right: (_) @value
  (#not-eq? @name "_"))
(type_switch_statement alias: (expression_list (identifier) @name @variable) value: (_) @value)

(if_statement) @scope.if
(if_statement alternative: (block) @scope.else)
(for_statement) @scope.for
[(expression_switch_statement) (type_switch_statement)] @scope.switch
(select_statement) @scope.select
[(expression_case) (type_case) (communication_case)] @scope.case
(default_case) @scope.default
(statement_list (block) @scope.block)

(selector_expression) @property

(assignment_statement left: (expression_list (index_expression) @name)) @mutation.array
(inc_statement (index_expression) @name) @mutation.array
(dec_statement (index_expression) @name) @mutation.array
(assignment_statement left: (expression_list (selector_expression) @name)) @mutation.object
(inc_statement (selector_expression) @name) @mutation.object
(dec_statement (selector_expression) @name) @mutation.object

