; What Sorbet is told of the types of a method
(call !receiver method: (identifier) @_sig block: (_) @mentions.types (#eq? @_sig "sig"))

; All names; methods are called, also where they are written like attributes, and so are bare names of no variable.
[(constant) (instance_variable) (class_variable) (global_variable)] @mention.reads
(scope_resolution scope: (_) @receiver name: (constant) @name) @mention.reads
(scope_resolution . "::" @receiver name: (constant) @name) @mention.reads

; Variables that are assigned where they are not defined
(assignment left: [(instance_variable) (class_variable) (global_variable)] @mention.writes)
(operator_assignment left: [(identifier) (instance_variable) (class_variable) (global_variable)] @mention.writes)
(left_assignment_list [(instance_variable) (class_variable) (global_variable)] @mention.writes)
(destructured_left_assignment [(instance_variable) (class_variable) (global_variable)] @mention.writes)
(rest_assignment [(instance_variable) (class_variable) (global_variable)] @mention.writes)
(exception_variable [(instance_variable) (class_variable) (global_variable)] @mention.writes)
