(variable_declarator name: (identifier) @name !type value: [(jsx_element) (jsx_self_closing_element)]) @bind.local
