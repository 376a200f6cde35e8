; Modules and classes; each opening of one is an entity of its own. In `Outer::Inner` the last is its name.
(module name: (constant) @name body: (_) @body) @entity.mod
(module name: (constant) @name !body) @entity.mod
(module name: (scope_resolution scope: (_) @parent name: (_) @name) body: (_) @body) @entity.mod
(module name: (scope_resolution scope: (_) @parent name: (_) @name) !body) @entity.mod
(module name: (scope_resolution !scope name: (_) @name)) @entity.mod
(class name: (constant) @name body: (_) @body) @entity.class
(class name: (constant) @name !body) @entity.class
(class name: (scope_resolution scope: (_) @parent name: (_) @name) body: (_) @body) @entity.class
(class name: (scope_resolution scope: (_) @parent name: (_) @name) !body) @entity.class
(class name: (scope_resolution !scope name: (_) @name) body: (_) @body) @entity.class
(class name: (scope_resolution !scope name: (_) @name) !body) @entity.class

; `class << self` is called `self`, so that what it holds is named like `def self.x`.
(singleton_class value: (_) @name body: (_) @body) @entity.class
(singleton_class value: (_) @name !body) @entity.class

; A refinement changes a class that is defined elsewhere.
(call !receiver method: (identifier) @_refine
  arguments: (argument_list . [(constant) (scope_resolution)] @name .) block: (_) @body @bound
  (#eq? @_refine "refine")) @entity.impl

; Modules do not promote what they hold, since in other languages they hold plain functions; nor do blocks, which
; here stand for the body of a class: `class_methods do`, `Class.new do`, `describe do`.
(module body: (body_statement (method name: (_) @name body: (_) @body) @entity.method))
(module body: (body_statement (method name: (_) @name !body) @entity.method))
(module (body_statement (call arguments: (argument_list (method name: (_) @name body: (_) @body) @entity.method))))
(module (body_statement (call arguments: (argument_list (method name: (_) @name !body) @entity.method))))
(module (body_statement (_ [(then (method name: (_) @name body: (_) @body) @entity.method)
                            (else (method name: (_) @name body: (_) @body) @entity.method)])))
(module (body_statement (_ [(then (method name: (_) @name !body) @entity.method)
                            (else (method name: (_) @name !body) @entity.method)])))
(do_block (body_statement (method name: (_) @name body: (_) @body) @entity.method))
(do_block (body_statement (method name: (_) @name !body) @entity.method))
(method name: (_) @name body: (_) @body) @entity.fn
(method name: (_) @name !body) @entity.fn
(singleton_method object: (self) name: (_) @name body: (_) @body (#set! prefix "self.")) @entity.method
(singleton_method object: (self) name: (_) @name !body (#set! prefix "self.")) @entity.method
(singleton_method
  object: [(constant) (identifier) (instance_variable) (class_variable) (global_variable)] @name
  name: (_) @name body: (_) @body) @entity.method
(singleton_method
  object: [(constant) (identifier) (instance_variable) (class_variable) (global_variable)] @name
  name: (_) @name !body) @entity.method

; Methods that are defined by a call.
(call !receiver method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name) block: (_) @body @bound
  (#eq? @_define "define_method") (#set! strip ":")) @entity.method
(call !receiver method: (identifier) @_define
  arguments: (argument_list . (string . (string_content) @name .)) block: (_) @body @bound
  (#eq? @_define "define_method")) @entity.method
(call method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name) block: (_) @body @bound
  (#eq? @_define "define_singleton_method") (#set! strip ":") (#set! prefix "self.")) @entity.method
(call !receiver method: (identifier) @_alias
  arguments: (argument_list . (simple_symbol) @name)
  (#eq? @_alias "alias_method") (#set! strip ":")) @entity.method
(alias name: [(identifier) (constant) (setter) (operator)] @name) @entity.method
(alias name: (simple_symbol) @name (#set! strip ":")) @entity.method
(alias name: (global_variable) @name alias: (_) @body) @entity.var

; Accessors, one field a symbol; alone in its call a symbol spans the call.
(call !receiver method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name @entity.field)
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr") (#set! strip ":"))
(call !receiver method: (identifier) @_attr
  arguments: (argument_list (string . (string_content) @name .) @entity.field)
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr"))
((call !receiver method: (identifier) @_attr) @wrap
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr"))
((call !receiver arguments: (argument_list . (call !receiver method: (identifier) @_attr) .)) @wrap
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr"))
(call !receiver arguments: (argument_list . [(method) (singleton_method)] .)) @wrap

; Words of libraries that define members, in a type: by each symbol, by the first, or by all but the first.
(call !receiver method: (identifier) @_word arguments: (argument_list (simple_symbol) @name @entity.field)
  (#any-of? @_word "attr_internal" "attr_internal_accessor" "attr_internal_reader" "attr_internal_writer")
  (#set! strip ":") (#set! within "type"))
(call !receiver method: (identifier) @_word arguments: (argument_list (simple_symbol) @name @entity.field)
  (#any-of? @_word "cattr_accessor" "cattr_reader" "cattr_writer" "mattr_accessor" "mattr_reader" "mattr_writer"
    "thread_cattr_accessor" "thread_mattr_accessor" "class_attribute" "config_accessor")
  (#set! strip ":") (#set! prefix "self.") (#set! within "type"))
(call !receiver method: (identifier) @_word
  arguments: (argument_list . [(simple_symbol) @name @entity.field (pair key: (hash_key_symbol) @name @entity.field)])
  (#any-of? @_word "prop" "const" "attribute" "attribute?" "property" "field" "option" "param"
    "has_many" "has_one" "belongs_to" "has_and_belongs_to_many" "has_one_attached" "has_many_attached" "has_rich_text"
    "has_secure_token" "composed_of" "enum" "embeds_many" "embeds_one" "embedded_in" "alias_attribute")
  (#set! strip ":") (#set! within "type"))
(call !receiver method: (identifier) @_word arguments: (argument_list . (simple_symbol) @name @entity.field)
  (#eq? @_word "scope") (#set! strip ":") (#set! prefix "self.") (#set! within "type"))
(call !receiver method: (identifier) @_word arguments: (argument_list . (_) (simple_symbol) @name @entity.field)
  (#any-of? @_word "def_delegators" "def_instance_delegators" "store_accessor")
  (#set! strip ":") (#set! within "type"))
(call !receiver method: (identifier) @_word
  arguments: [
    (argument_list . (_) . (simple_symbol) @name @entity.field .)
    (argument_list . (_) . (_) . (simple_symbol) @name @entity.field .)
  ]
  (#any-of? @_word "def_delegator" "def_instance_delegator") (#set! strip ":") (#set! within "type"))
; Under the names of others, maybe with a prefix: one that is given, or the name of the object.
(call !receiver method: (identifier) @_word
  arguments: (argument_list (simple_symbol) @name @entity.field (pair key: (hash_key_symbol) @_to)) @_arguments
  (#eq? @_word "delegate") (#eq? @_to "to") (#not-match? @_arguments "prefix:")
  (#set! strip ":") (#set! within "type"))
(call !receiver method: (identifier) @_word
  arguments: (argument_list (simple_symbol) @name @entity.field
    (pair key: (hash_key_symbol) @_prefix
      value: [(simple_symbol) @prefix (string . (string_content) @prefix .)]))
  (#eq? @_word "delegate") (#eq? @_prefix "prefix") (#set! strip ":") (#set! join "_") (#set! within "type"))
(call !receiver method: (identifier) @_word
  arguments: (argument_list (simple_symbol) @name @entity.field
    (pair key: (hash_key_symbol) @_to value: (simple_symbol) @prefix)) @_arguments
  (#eq? @_word "delegate") (#eq? @_to "to") (#match? @_arguments "prefix: *true")
  (#set! strip ":") (#set! join "_") (#set! within "type"))
((call !receiver method: (identifier) @_word !block) @wrap
  (#any-of? @_word "attr_internal" "attr_internal_accessor" "attr_internal_reader" "attr_internal_writer"
    "cattr_accessor" "cattr_reader" "cattr_writer" "mattr_accessor" "mattr_reader" "mattr_writer"
    "thread_cattr_accessor" "thread_mattr_accessor" "class_attribute" "config_accessor"
    "prop" "const" "attribute" "attribute?" "property" "field" "option" "param"
    "has_many" "has_one" "belongs_to" "has_and_belongs_to_many" "has_one_attached" "has_many_attached" "has_rich_text"
    "has_secure_token" "composed_of" "enum" "embeds_many" "embeds_one" "embedded_in" "alias_attribute" "scope"
    "def_delegators" "def_instance_delegators" "store_accessor" "def_delegator" "def_instance_delegator" "delegate"))

; Constants that hold a class.
(assignment left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new block: (_) @body @bound)
  (#any-of? @_class "Struct" "Data") (#any-of? @_new "new" "define")) @entity.struct
(assignment left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new !block arguments: (_) @body)
  (#any-of? @_class "Struct" "Data") (#any-of? @_new "new" "define")) @entity.struct
(assignment left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new block: (_) @body @bound)
  (#eq? @_class "Class") (#eq? @_new "new")) @entity.class
(assignment left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new !block)
  (#eq? @_class "Class") (#eq? @_new "new")) @entity.class
(assignment left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new block: (_) @body @bound)
  (#eq? @_class "Module") (#eq? @_new "new")) @entity.mod
(assignment left: (constant)
  right: (call receiver: (constant) @_class arguments: (argument_list (simple_symbol) @name @entity.field))
  (#any-of? @_class "Struct" "Data") (#set! strip ":"))
(superclass (call receiver: (constant) @_class arguments: (argument_list (simple_symbol) @name @entity.field))
  (#any-of? @_class "Struct" "Data") (#set! strip ":"))
(assignment left: (constant)
  right: (call receiver: (constant) @_class arguments: (argument_list . [(constant) (scope_resolution)] @inherits))
  (#eq? @_class "Class"))

; Lambdas and procs that are bound to a name.
(assignment left: [(constant) (identifier) (instance_variable) (class_variable) (global_variable)] @name
  right: (lambda body: (_) @body) @bound) @entity.fn
(assignment left: [(constant) (identifier)] @name
  right: (call !receiver method: (identifier) @_lambda block: (_) @body @bound)
  (#any-of? @_lambda "lambda" "proc")) @entity.fn
(assignment left: [(constant) (identifier)] @name
  right: (call receiver: (constant) @_proc method: (identifier) @_new block: (_) @body @bound)
  (#eq? @_proc "Proc") (#eq? @_new "new")) @entity.fn
(hash (pair key: (hash_key_symbol) @name value: (lambda body: (_) @body) @bound) @entity.fn)
(hash (pair key: (string . (string_content) @name .) value: (lambda body: (_) @body) @bound) @entity.fn)
(hash (pair key: (simple_symbol) @name value: (lambda body: (_) @body) @bound (#set! strip ":")) @entity.fn)

; Constants. The text of a heredoc stands behind the assignment.
(program (assignment left: (constant) @name) @entity.const . (heredoc_body) @body)
(body_statement (assignment left: (constant) @name) @entity.const . (heredoc_body) @body)
(assignment left: (constant) @name right: (_) @body) @entity.const
(assignment left: (scope_resolution scope: (_) @parent name: (_) @name) right: (_) @body) @entity.const
(assignment left: (left_assignment_list (constant) @name) right: (_) @body) @entity.const
(operator_assignment left: (constant) @name right: (_) @body) @entity.const

; Variables of the class itself
(class (body_statement (assignment left: [(instance_variable) (class_variable)] @name right: (_) @body) @entity.field))
(class
  (body_statement
    (operator_assignment left: [(instance_variable) (class_variable)] @name right: (_) @body) @entity.field))
(module
  (body_statement (assignment left: [(instance_variable) (class_variable)] @name right: (_) @body) @entity.field))
(module
  (body_statement
    (operator_assignment left: [(instance_variable) (class_variable)] @name right: (_) @body) @entity.field))
(singleton_class
  (body_statement (assignment left: [(instance_variable) (class_variable)] @name right: (_) @body) @entity.field))

; Those of an instance, which are assigned in methods; see `implied` in docs/how-to/add-a-language.md.
(assignment left: [(instance_variable) (class_variable)] @name right: (_) @body
  (#set! implied "class")) @entity.field
(operator_assignment left: [(instance_variable) (class_variable)] @name "||=" right: (_) @body
  (#set! implied "class")) @entity.field
(assignment left: (left_assignment_list [(instance_variable) (class_variable)] @name) right: (_) @body
  (#set! implied "class")) @entity.field

(program (assignment left: (identifier) @name) @entity.var . (heredoc_body) @body)
(assignment left: [(identifier) (global_variable)] @name right: (_) @body) @entity.var
(operator_assignment left: (global_variable) @name right: (_) @body) @entity.var
(assignment left: (left_assignment_list [(identifier) (global_variable)] @name) right: (_) @body) @entity.var
(assignment left: (left_assignment_list (rest_assignment (identifier) @name)) right: (_) @body) @entity.var
(assignment
  left: (left_assignment_list (destructured_left_assignment (identifier) @name)) right: (_) @body) @entity.var
(assignment
  left: (left_assignment_list (destructured_left_assignment (rest_assignment (identifier) @name)))
  right: (_) @body) @entity.var

; Base classes and mixins.
(superclass [(constant) (scope_resolution)] @inherits)
(superclass (call receiver: (_) @inherits))
(superclass (element_reference object: (_) @inherits))
(class (body_statement
  (call !receiver method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @implements)))
  (#any-of? @_mix "include" "extend" "prepend"))
(module (body_statement
  (call !receiver method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @implements)))
  (#any-of? @_mix "include" "extend" "prepend"))
(singleton_class (body_statement
  (call !receiver method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @implements)))
  (#any-of? @_mix "include" "extend" "prepend"))

(lambda body: (_) @body) @function
(call block: (_) @body @function)

(comment) @comment
(string_content) @string
(escape_sequence) @string
(heredoc_content) @string
(character) @string
(string_array) @string
(symbol_array) @string
(uninterpreted) @string
