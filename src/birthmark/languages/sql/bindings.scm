; Names that a statement gives to relations; they hold in it.
(statement) @bind.block
(subquery) @bind.block
(relation (object_reference) @value alias: (identifier) @name) @bind.local
(relation [(subquery) (values) (invocation)] alias: (identifier) @name @bind.local)
(cte . (identifier) @name @bind.local)
