"""What a path means at a place of a snapshot.

Takes Imports, a Site and a path; gives a Value: definitions, instances of a type, a module, a collection, what is
outside the repository, or None for what cannot be known. It follows what the sources say (assignments, declared types,
returned values, bases) a few steps far; nothing is guessed, and no name means more than what is visible there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from birthmark.graph.arguments import Arguments
from birthmark.graph.bare_names import BareNames
from birthmark.graph.bindings import Binding
from birthmark.graph.hierarchy import Hierarchy
from birthmark.graph.imports import Hit, Imports, package_of
from birthmark.graph.kinds import ALIASES, NAMED_TYPES, TYPES, VALUES
from birthmark.graph.model import OUTSIDE, Site, Sort, Value
from birthmark.graph.modules import Module
from birthmark.graph.namespaces import find_qualified, find_rooted
from birthmark.graph.paths import LITERAL, ROOT, steps_of
from birthmark.graph.references import Reference
from birthmark.graph.symbols import PARAMETERS, Definition, in_force, scopes_around
from birthmark.languages.rules import ResolutionRules
from birthmark.model import EXPORTS, FUNCTION_LIKE
from birthmark.vocabulary import Resolution

_SELVES = frozenset({"self", "this", "$this"})
_OWN_TYPES = frozenset({"cls", "Self", "static"})
_SUPERS = frozenset({"super", "base", "parent"})
_DEEPEST = 12
_SINGLE = frozenset({Sort.MODULE, Sort.COLLECTION, Sort.POINTER, Sort.EXTERNAL})
_POINTED = frozenset({"get", "lock", "release", "value"})
_POINTER_MEMBERS = _POINTED | {"reset", "swap", "use_count", "expired", "has_value", "value_or", "emplace"}
_OWNERS = TYPES | FUNCTION_LIKE | VALUES
_INSTANTIATED = NAMED_TYPES | FUNCTION_LIKE
_SPACES = frozenset({"mod", "namespace"})


class Evaluator:
    """Evaluates the paths of one snapshot, and keeps what it found."""

    def __init__(self, imports: Imports) -> None:
        self.imports = imports
        self.hierarchy = Hierarchy(imports, self)
        self.bare_names = BareNames(self)
        self.arguments = Arguments(imports, self)
        self.active: set[tuple[str, int, str, int]] = set()  # bindings that are being evaluated
        self.known: dict[tuple[str, int, str, int, str], Value | None] = {}

    def evaluate(self, site: Site, path: str, depth: int = _DEEPEST) -> Value | None:
        steps = steps_of(path)
        if not steps or depth <= 0:
            return None
        if site.rules.calls_bare:
            return self.bare_names.evaluate(site, steps, depth)
        value, rest = self._head(site, steps, depth)
        while rest and value is not None:
            step, is_called = rest[0], rest[1:] and rest[1][0] == "("
            if step in site.rules.binding_members and is_called and _is_function(value):
                rest = rest[2:]  # `f.bind(x)` is `f`.
                continue
            is_field = site.rules.parts_fields and value.sort is Sort.INSTANCE and not is_called
            held = self.hierarchy.held(value.targets[0], step, depth) if is_field else None
            found = held or self.step(site.rules, value, step, depth)
            same = self._unwrapped(site.rules, value, step) if found in (None, OUTSIDE) else None
            value, rest = same or found, rest[2 if same and is_called else 1 :]
        return value

    def _unwrapped(self, rules: ResolutionRules, value: Value, step: str) -> Value | None:
        """What a member of a wrapper or a collection gives, which says no more of it than that."""
        if value.sort not in (Sort.INSTANCE, Sort.COLLECTION):
            return None
        return value.element if step in rules.element_members else value if step in rules.same_members else None

    # Names

    def _head(self, site: Site, steps: tuple[str, ...], depth: int) -> tuple[Value | None, tuple[str, ...]]:
        name, rest = steps[0], steps[1:]
        if name == LITERAL:
            return OUTSIDE, rest
        if name == ROOT and rest:
            if site.rules.has_root:
                return self._rooted(site, rest)
            if not site.rules.declares_first:
                return self._head(site, rest, depth)
            hit = self.imports.lookup(site.rules, Module(site.path), rest[0])
            return (self.value_of(hit) if hit is not None else OUTSIDE), rest[1:]
        own = self._own(site, name)
        if own is not None:
            is_made = name == "this" and rest[:1] == ("()",)  # `new this()`
            return own, rest[1:] if is_made else rest
        if name in site.rules.path_prefixes and not site.names.is_bound(site.source, name):
            return self._prefixed(site, steps)
        if rest and rest[0].startswith('("') and name in site.rules.module_calls:
            module = self.imports.modules.find(site.rules, site.path, rest[0][2:-2])
            return (Value(Sort.MODULE, Resolution.IMPORT, (), module) if module else OUTSIDE), rest[1:]
        for n_steps in range(len(steps), 1, -1):
            whole = ".".join(steps[:n_steps])  # `import a.b` binds the two at once.
            if whole in site.names.bindings and (value := self._imported(site, whole)) and value is not OUTSIDE:
                return value, steps[n_steps:]
        if (
            site.rules.names_namespace
            and rest
            and (found := find_qualified(self.imports, site, steps))
            and found[1] > 1
        ):
            return self.value_of(found[0]), steps[found[1] :]
        if rest and (part := f"{name}.{rest[0]}") in site.names.bound_names:
            value = self._bind_part(site, name, part, depth)
            if value is not None:
                return value, rest[1:]
        value = self.bind(site, name, depth)
        if value is None and site.rules.sees_modules:
            module = self.imports.modules.find(site.rules, site.path, name)
            value = Value(Sort.MODULE, Resolution.IMPORT, (), module) if module else None
        if value is None and rest and site.rules.declares_first:
            return self._declared(site, steps)
        return value, rest

    def _declared(self, site: Site, steps: tuple[str, ...]) -> tuple[Value | None, tuple[str, ...]]:
        """What is declared where it is used and defined anywhere: the one type of that name in a scope around."""
        if site.names.is_bound(site.source, steps[0]):
            return None, ()
        n_names = next((at for at, step in enumerate(steps) if step[0] in "([{*"), len(steps))
        for scope in (*scopes_around(site.source.qualified_name if site.source else ""), ""):
            for n_steps in range(n_names, 0, -1):
                whole = ".".join(filter(None, (scope, *steps[:n_steps])))
                named = self.imports.named(steps[n_steps - 1], site.rules)
                types = [one for one in named if one.qualified_name == whole and one.kind in TYPES]
                if not types and (space := self.imports.namespace(site.rules, whole)):
                    return Value(Sort.MODULE, Resolution.IMPORT, (), space), steps[n_steps:]
                if types:
                    is_one = len(types) == 1
                    return Value(Sort.DEFINITION, Resolution.IMPORT, tuple(types)) if is_one else None, steps[n_steps:]
        return None, ()

    def _rooted(self, site: Site, steps: tuple[str, ...]) -> tuple[Value | None, tuple[str, ...]]:
        found = find_rooted(self.imports, site.rules, steps)
        return (self.value_of(found[0]), steps[found[1] :]) if found is not None else (OUTSIDE, ())

    def _own(self, site: Site, name: str) -> Value | None:
        sorts = {_SELVES: Sort.INSTANCE, _OWN_TYPES: Sort.DEFINITION, _SUPERS: Sort.SUPER}
        sort = next((sort for words, sort in sorts.items() if name in words), None)
        if sort is None or (name in site.rules.path_prefixes and name != "self"):
            return None
        bound = [
            one for ordinal in site.names.enclosing(site.source) for one in site.names.values.get((ordinal, name), ())
        ]
        if any(one.value or one.role == "local" for one in bound) or (bound and sort is Sort.SUPER):
            return None  # a variable that is called so
        if sort is Sort.SUPER and name not in site.rules.supers:
            return None
        owner = self.owner(site)
        if owner is None and name == "this" and site.source is not None and self.hierarchy.has_members(site.source):
            owner = site.source  # a function that is called with `new`, or an object
        sort = Sort.DEFINITION if name in site.rules.own_types else sort
        return Value(sort, Resolution.EXACT, (owner,)) if owner is not None else None

    def constructed(self, site: Site, name: str) -> Value | None:
        """The type whose constructor `this(...)` or `super(...)` calls; None for other names."""
        own = self._own(site, name)
        if own is None or own.sort is not Sort.SUPER:
            return own and own._replace(sort=Sort.DEFINITION)
        bases, is_open = self.hierarchy.bases(own.targets[0])
        classes = tuple(one for one in bases if one.kind != "interface")
        if classes:
            return Value(Sort.DEFINITION, Resolution.HIERARCHY, classes[:1])
        return OUTSIDE if is_open or not bases else None

    def owner(self, site: Site) -> Definition | None:
        """The type that `self` is an instance of."""
        if site.source is None:
            return None
        chain = site.names.owner(site.source)
        found = [one for one in site.names.member(*_split(chain)) if one.kind in _OWNERS]
        if found:
            return found[0]
        value = self.bind(site._replace(source=None), chain) if chain and "." not in chain else None
        if value is not None and value.sort is Sort.DEFINITION and value.targets[0].kind in NAMED_TYPES:
            return value.targets[0]
        named = self.imports.named(chain.rpartition(".")[2], site.rules) if chain else []
        types = [one for one in named if one.kind in TYPES and one.qualified_name == chain]
        if len(types) != 1 and chain and site.rules.declares_first:
            outer = site._replace(source=None, line=0)
            value = self.evaluate(outer, chain) or self._from_others(outer, chain.rpartition(".")[2])
            types = [one for one in value.targets if one.kind in TYPES] if value is not None else types
        near = [one for one in types if package_of(one.path, site.rules) == package_of(site.path, site.rules)]
        return next(iter(near or types), None)

    def _prefixed(self, site: Site, steps: tuple[str, ...]) -> tuple[Value | None, tuple[str, ...]]:
        """A path that starts at a module: as far as it is names."""
        n_names = next((at for at, step in enumerate(steps) if step[0] in "([{*"), len(steps))
        names = steps[: max(1, n_names - 1)]
        scopes = site.names.visible(site.source, "calls")
        scope = next((one for one in scopes if site.names.kinds.get(one) == "mod"), "")
        module = self.imports.modules.find(site.rules, site.path, site.rules.separator.join(names), scope)
        return (Value(Sort.MODULE, Resolution.IMPORT, (), module) if module else None), steps[len(names) :]

    def bind(self, site: Site, name: str, depth: int = _DEEPEST) -> Value | None:
        """What a bare name means: bound in a scope around, defined there, imported, or bound by others."""
        if site.rules.calls_bare:
            return self.bare_names.bind(site, name, depth)
        if name in site.rules.own_types:
            return self._own(site, name)
        names = site.names
        scopes = [*names.visible(site.source, "calls")]
        is_inner = is_inside = True
        for ordinal in names.enclosing(site.source):
            definition = names.definitions[ordinal] if ordinal >= 0 else None
            scope = definition.qualified_name if definition else ""
            if definition is not None and scope not in scopes and definition.kind not in FUNCTION_LIKE:
                continue
            if is_inside and (definition is None or definition.kind not in FUNCTION_LIKE):
                is_inside = False
                if inherited := self._inherited(site, name, depth):
                    return inherited
            bound = _in_force(names.values.get((ordinal, name), ()), site.line, is_inner=is_inner)
            local = names.seen(scope, name)
            solid = [one for one in local if one.kind not in ALIASES]
            if solid and not any(one.line > solid[-1].start_line for one in bound):
                return Value(Sort.DEFINITION, Resolution.EXACT, tuple(in_force(solid, site.rules)))
            if bound:
                imported = self._imported(site, name) if ordinal < 0 else None
                value = imported or self._value_of(site, bound, depth)
                is_meant = local and not bound[-1].until  # A parameter of an anonymous function hides it.
                return value or (Value(Sort.DEFINITION, Resolution.EXACT, tuple(local)) if is_meant else None)
            if ordinal >= 0 and local:
                return self._held(Value(Sort.DEFINITION, Resolution.EXACT, tuple(local)))
            if ordinal >= 0 and any(holds_in == scope for holds_in, _ in names.bindings.get(name, ())):
                return self._imported(site, name)  # what is imported inside a function
            if site.rules.sees_class and definition is not None and definition.kind in TYPES:
                above = self.hierarchy.member(definition, name, depth, is_super=True)
                if above is not None and any(one.kind != "constructor" for one in above.targets):
                    return above  # A class sees what it inherits before what is around it.
            is_inner = is_inner and definition is not None and definition.kind not in FUNCTION_LIKE
        for scope in scopes:
            if members := names.seen(scope, name):
                imported = self._imported(site, name) if all(one.kind in ALIASES for one in members) else None
                return imported or Value(Sort.DEFINITION, Resolution.EXACT, tuple(members))
        return self._imported(site, name) or self._inherited(site, name, depth) or self._from_others(site, name)

    def _bind_part(self, site: Site, name: str, part: str, depth: int) -> Value | None:
        """What is assigned to a part of a variable, if it is the variable that the name means there."""
        for ordinal in site.names.enclosing(site.source):
            heads, parts = site.names.values.get((ordinal, name), ()), site.names.values.get((ordinal, part), ())
            inner = [one.line for one in heads if one.until and one.line <= site.line <= one.until]
            if inner:
                parts = [one for one in parts if one.until and one.line >= inner[-1]]
            if heads or parts:
                return self.bind(site, part, depth) if parts else None
        return None

    def _imported(self, site: Site, name: str) -> Value | None:
        values = [self._import_value(site, one) for one in site.names.bound(name, site.source)]
        return next((value for value in values if value is not OUTSIDE), OUTSIDE) if values else None

    def _import_value(self, site: Site, reference: Reference, depth: int = _DEEPEST) -> Value:
        """What an import binds: what the module says to export under the name, or else what it defines."""
        if site.rules.default_name and reference.name not in ("", "*"):
            module = self.imports.module(site.path, site.rules, reference)
            value = Value(Sort.MODULE, Resolution.IMPORT, (), module)
            exported = self._exported(site.rules, value, reference.name, depth) if module is not None else None
            if exported is None and module is not None and reference.name == site.rules.default_name:
                exported = self._exported(site.rules, value, "", depth)
            if exported is None and module is not None:
                exported = self._passed_on(site.rules, value, reference.name, depth)
            if exported is not None:
                return exported
        return self.value_of(self.imports.follow(site.path, site.rules, reference))

    def _inherited(self, site: Site, name: str, depth: int) -> Value | None:
        """A member of a base, where methods see their siblings by bare names."""
        owner = self.owner(site) if site.rules.sees_class else None
        if owner is None or owner.kind not in TYPES:
            return None
        found = self.hierarchy.member(owner, name, depth)
        return found if found is not None and any(one.kind != "constructor" for one in found.targets) else None

    def _from_others(self, site: Site, name: str) -> Value | None:
        hit = self._from_namespaces(site, name) if site.rules.has_namespaces else None
        hit = hit or self.imports.from_wildcards(site.path, site.rules, name)
        if hit is None and site.rules.names_namespace and (found := find_qualified(self.imports, site, (name,))):
            hit = found[0]
        if hit is None and site.rules.shares_folder:
            folder = Module(None, package_of(site.path, site.rules))
            members = self.imports.members(site.rules, folder, name)
            hit = Hit(Resolution.IMPORT, members) if members else None
        if hit is None and site.rules.shares_all:
            named = [one for one in self.imports.named(name, site.rules) if one.parent is None and one.kind != "impl"]
            hit = Hit(Resolution.IMPORT, named) if len(named) == 1 else None
        return self.value_of(hit) if hit is not None else None

    def _from_namespaces(self, site: Site, name: str) -> Hit | None:
        """What other files have in the namespaces around a place."""
        inner = site.source.qualified_name if site.source is not None else ""
        around = next((one for one in scopes_around(inner) if site.names.kinds.get(one) == "namespace"), None)
        for scope in scopes_around(around or site.names.namespace):
            if members := self.imports.members(site.rules, Module(None, None, scope), name):
                return Hit(Resolution.IMPORT, members)
        return None

    def value_of(self, hit: Hit) -> Value:
        if hit.targets:
            targets = in_force(hit.targets, self.imports.rules(hit.targets[0].language))
            return self._held(Value(Sort.DEFINITION, hit.resolution, tuple(targets), hit.module))
        if hit.module is not None:
            return Value(Sort.MODULE, hit.resolution, (), hit.module)
        return OUTSIDE

    def _held(self, value: Value) -> Value:
        """What a variable of another file means, if that is known."""
        if len(value.targets) != 1 or value.targets[0].kind not in ALIASES:
            return value
        target = value.targets[0]
        held = self._field(target, _DEEPEST // 2)
        return held._replace(resolution=_weaker(value.resolution, held.resolution)) if held is not None else value

    def _field(self, target: Definition, depth: int) -> Value | None:
        names = self.imports.names(target.path, self.imports.rules(target.language))
        owner = next((ordinal for ordinal in names.enclosing(target) if ordinal != names.ordinals[target.identity]), -1)
        return self.field(target.path, target.language, owner, target.name, depth)

    def field(self, path: str, language: str, owner: int, name: str, depth: int) -> Value | None:
        """What a member of a type, an object or a module means."""
        rules = self.imports.rules(language)
        names = self.imports.names(path, rules)
        bound = names.values.get((owner, name), ())
        source = names.definitions[owner] if owner >= 0 else None
        return self._value_of(Site(path, rules, names, source, 0), bound, depth) if bound else None

    def _value_of(self, site: Site, bound: Sequence[Binding], depth: int) -> Value | None:
        """Of all that a name means there; None if they do not agree."""
        known = [one for one in bound if one.value and one.value != LITERAL]
        if not known and all(one.role in PARAMETERS for one in bound):
            return _joined(self.arguments.passed(site, bound[0], depth), Resolution.DISPATCH)
        known = known or [*bound]
        values = {value: None for one in known if (value := self._binding(site, one, depth)) is not None}
        return _joined(values)

    def variable(self, site: Site, bound: Sequence[Binding], depth: int) -> Value | None:
        """What a variable means on a line."""
        return self._value_of(site, _in_force(bound, site.line), depth)

    def _binding(self, site: Site, binding: Binding, depth: int) -> Value | None:
        key = (site.path, binding.owner, binding.name, binding.line)
        if key in self.active or not binding.value:
            return None
        cached = (*key, binding.value)
        if cached not in self.known:
            source = site.names.definitions[binding.entity] if binding.entity >= 0 else None
            self.active.add(key)
            here = self._part(site, binding)
            before = site._replace(source=source, line=binding.line - 1)
            value = here or self.evaluate(before, binding.value, depth - 1)
            self.active.discard(key)
            if depth < _DEEPEST // 2:
                return value
            self.known[cached] = value
        return self.known[cached]

    def _part(self, site: Site, binding: Binding) -> Value | None:
        """The function that is written where it is bound to a part of a local object."""
        if (binding.value, binding.line) not in site.names.parts:
            return None
        here = [one for one in site.names.by_name.get(binding.value, ()) if one.start_line == binding.line]
        return Value(Sort.DEFINITION, Resolution.EXACT, tuple(here)) if here else None

    # Steps

    def step(self, rules: ResolutionRules, value: Value, step: str, depth: int = _DEEPEST) -> Value | None:
        if value.sort is Sort.EXTERNAL:
            return value
        if step == "*":
            return Value(Sort.COLLECTION, value.resolution, (), None, value)
        if step == "^":
            return Value(Sort.POINTER, value.resolution, (), None, value)
        if step == "[]":
            if self._is_array(rules, value, depth):
                return value
            return self.member(rules, value, step, depth) if value.sort is Sort.INSTANCE else value.element
        if step == "{}" and value.sort in (Sort.COLLECTION, Sort.POINTER):
            return value  # another name of a collection
        if step == "{}":
            value = self.main_export(rules, value) or value
            kinds = _INSTANTIATED | (_SPACES if rules.mixes_modules else frozenset())
            types = tuple(one for one in value.targets if one.kind in kinds)
            return value._replace(sort=Sort.INSTANCE, targets=types) if types else None
        if step[0] == "(":
            return self.call(rules, value, depth)
        return self.member(rules, value, step, depth)

    def _is_array(self, rules: ResolutionRules, value: Value, depth: int) -> bool:
        """Whether it is a pointer to the first of several."""
        if not rules.indexes_pointers or value.sort is not Sort.INSTANCE:
            return False
        return all(self.hierarchy.member(one, "operator[]", depth) is None for one in value.targets)

    def call(self, rules: ResolutionRules, value: Value, depth: int = _DEEPEST) -> Value | None:
        """What calling it gives."""
        if value.sort in (Sort.SUPER, Sort.POINTER):
            return value
        if value.sort is Sort.MODULE and value.module is not None and value.module.path is not None:
            exported = self._exported(rules, value, "", depth)
            return self.call(rules, exported, depth - 1) if exported is not None and depth > 0 else None
        if value.sort is Sort.INSTANCE:
            called = self.member(rules, value, "__call__", depth - 1)
            return self.call(rules, called, depth - 1) if called is not None and depth > 0 else None
        if value.sort is not Sort.DEFINITION:
            return None
        types = tuple(one for one in value.targets if one.kind in NAMED_TYPES)
        if types:
            return value._replace(sort=Sort.INSTANCE, targets=types)
        owners = [self.hierarchy.owner(one) for one in value.targets if one.kind == "member"]
        if owners and owners[0] is not None:
            return value._replace(sort=Sort.INSTANCE, targets=(owners[0],))
        return self._result(value, depth)

    def _result(self, value: Value, depth: int) -> Value | None:
        results: dict[Value, None] = {}
        for target in value.targets:
            names = self.imports.names(target.path, self.imports.rules(target.language))
            ordinal = names.ordinals[target.identity]
            found = self.field(target.path, target.language, ordinal, "", depth - 1)
            is_declared = any(one.value.endswith("}") for one in names.values.get((ordinal, ""), ()))
            if found is None and not is_declared and self.hierarchy.has_members(target):
                found = Value(Sort.INSTANCE, value.resolution, (target,))  # a function that is called with `new`
            if found is not None:
                results[found._replace(resolution=_weaker(value.resolution, found.resolution))] = None
        return _joined(results)

    def member(self, rules: ResolutionRules, value: Value, name: str, depth: int = _DEEPEST) -> Value | None:
        if value.sort is Sort.EXTERNAL:
            return value
        if value.sort is Sort.COLLECTION and name == "find":
            return None
        if value.sort is Sort.COLLECTION:
            return OUTSIDE
        if value.sort is Sort.POINTER and value.element is not None:
            if name in _POINTER_MEMBERS:
                return value if name in _POINTED else OUTSIDE
            return self.member(rules, value.element, name, depth)
        if value.sort is Sort.MODULE:
            return self._in_module(rules, value, name, depth)
        is_type = value.sort is Sort.DEFINITION and all(one.kind in TYPES for one in value.targets)
        if is_type and (name in _SELVES or name in _SUPERS):
            return self._outer(value, name)
        if name in rules.type_members and value.sort is Sort.INSTANCE:
            return value._replace(sort=Sort.DEFINITION)
        if name in rules.creators and value.sort is Sort.DEFINITION:
            return value
        if name in rules.calling_members and _is_function(value):
            return value
        if name == rules.instance_member and value.sort is Sort.DEFINITION:
            return value._replace(sort=Sort.INSTANCE)
        found: dict[Value, None] = {}
        for target in value.targets:
            one = self._member_of(value, target, name, depth)
            if one is not None:
                found[one] = None
        return _joined(found)

    def _outer(self, value: Value, name: str) -> Value:
        """`Outer.this`, `Outer.super` and `Interface.super`: of an interface, its own method is meant."""
        is_super = name in _SUPERS and value.targets[0].kind != "interface"
        return value._replace(sort=Sort.SUPER if is_super else Sort.INSTANCE)

    def called_member(self, site: Site, receiver: str, name: str) -> Value | None:
        """What is called as a member: a field of a type is meant itself, since others may assign to it."""
        if receiver == ROOT:
            return self.evaluate(site, f"{ROOT}.{name}")
        part = f"{receiver}.{name}"
        value = self._bind_part(site, receiver, part, _DEEPEST) if part in site.names.bound_names else None
        if value is not None:
            return value
        value = self.evaluate(site, receiver)
        if value is None:
            return None
        if value.sort is Sort.POINTER and value.element is not None:
            if name in _POINTER_MEMBERS:
                return OUTSIDE
            value = value.element
        if value.sort is Sort.COLLECTION:
            return OUTSIDE
        if value.sort is Sort.INSTANCE and len(value.targets) == 1:
            field = self.hierarchy.field(value.targets[0], name)
            if field is not None:
                return field._replace(resolution=_weaker(value.resolution, field.resolution))
        found = self.step(site.rules, value, name)
        if name in site.rules.calling_members and found is not None and found.resolution is not Resolution.EXACT:
            return found._replace(is_claimed=False)
        is_other = found is not None and found.module != value.module
        return self.main_export(site.rules, found) if is_other else found

    def called_name(self, site: Site, name: str) -> Value | None:
        """What is called by a bare name. A variable of a module that holds what is elsewhere is meant itself."""
        value = self.main_export(site.rules, self.bind(site, name))
        if not site.rules.keeps_variables:
            return value
        imported = site.names.bound(name, site.source)
        if imported:
            hit = self.imports.follow(site.path, site.rules, imported[0])
            return Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets)) if _is_variable(hit.targets) else value
        bound = [(at, one) for at in site.names.enclosing(site.source) for one in site.names.values.get((at, name), ())]
        if not bound or any((*steps_of(one.value), "")[0] in site.rules.module_calls for _, one in bound):
            return value
        is_local = bound[0][0] >= 0 or bound[0][1].until > 0
        is_fixed = not is_local or (
            len(bound) == 1 and bound[0][1].role == "local" and not self._defines(site, bound[0])
        )
        if is_fixed and value is not None and value.sort is Sort.DEFINITION and value.resolution is Resolution.EXACT:
            return value
        own = tuple(site.names.member("", name))
        if not is_local and _is_variable(own):
            return Value(Sort.DEFINITION, Resolution.EXACT, own)
        return value._replace(is_claimed=False) if value is not None else None

    def _defines(self, site: Site, bound: tuple[int, Binding]) -> bool:
        """Whether a function is assigned to the name as well."""
        scope = site.names.definitions[bound[0]].qualified_name if bound[0] >= 0 else ""
        return bool(site.names.member(scope, bound[1].name))

    def _member_of(self, value: Value, target: Definition, name: str, depth: int) -> Value | None:
        rules = self.imports.rules(target.language)
        if target.kind in _SPACES and not rules.mixes_modules:
            return self._in_space(value, target, name)
        if value.sort is Sort.DEFINITION and not name[:1].isupper():
            name = f"{rules.static_prefix}{name}"
        one = self.hierarchy.member(target, name, depth, is_super=value.sort is Sort.SUPER)
        if one is None and target.kind == "member" and (owner := self.hierarchy.owner(target)) is not None:
            one = self.hierarchy.member(owner, name, depth)  # a constant of an enumeration
        if one is None or one is OUTSIDE:
            return one
        return one._replace(resolution=_weaker(value.resolution, one.resolution))

    def _in_space(self, value: Value, target: Definition, name: str) -> Value | None:
        rules = self.imports.rules(target.language)
        if target.kind == "mod" and (child := self.imports.modules.child(rules, Module(target.path), target.name)):
            hit = self.imports.lookup(rules, child, name)
            return self.value_of(hit) if hit is not None else None
        whole = Module(None if target.kind == "namespace" else target.path, None, target.qualified_name)
        members = self.imports.members(rules, whole, name)
        if not members and (space := self.imports.namespace(rules, f"{target.qualified_name}.{name}")):
            return Value(Sort.MODULE, value.resolution, (), space)
        return self.value_of(Hit(value.resolution, members)) if members else None

    def _in_module(self, rules: ResolutionRules, value: Value, name: str, depth: int) -> Value | None:
        assert value.module is not None
        exported = self._exported(rules, value, name, depth)
        if exported is not None:
            return exported
        passed_on = self._passed_on(rules, value, name, depth) if rules.default_name else None
        if passed_on is not None:
            return passed_on
        hit = self.imports.lookup(rules, value.module, name)
        if hit is None and value.module.path is None and value.module.folder is None:
            return None if self.imports.named(name, rules) else OUTSIDE  # Others may add to a namespace.
        return self.value_of(hit) if hit is not None else value._replace(module=value.module._replace(scope=""))

    def _passed_on(self, rules: ResolutionRules, value: Value, name: str, depth: int) -> Value | None:
        """What a module exports under a name from another one."""
        module = value.module
        if module is None or module.path is None or module.scope or depth <= 0:
            return None
        names = self.imports.names(module.path, rules)
        if names.member("", name):
            return None
        site = Site(module.path, rules, names, None, 0)
        passed_on = names.passed_on(name, "")
        if passed_on is not None:
            return self._import_value(site, passed_on, depth - 2)
        for reference in names.wildcards:
            other = self.imports.module(module.path, rules, reference)
            found = self._exported(rules, value._replace(module=other), name, depth - 2) if other else None
            if found is not None:
                return found
        return None

    def main_export(self, rules: ResolutionRules, value: Value | None) -> Value | None:
        """What a module is when it is called, or named as a type: `module.exports = f`."""
        if value is None or value.sort is not Sort.MODULE:
            return value
        return self._exported(rules, value, "", _DEEPEST) or value

    def _exported(self, rules: ResolutionRules, value: Value, name: str, depth: int) -> Value | None:
        """What a module exports under a name, where it says so by assignments; "" for all of it."""
        module = value.module
        if module is None or module.path is None or module.scope or depth <= 0:
            return None
        names = self.imports.names(module.path, rules)
        bound = names.values.get((EXPORTS, name), ())
        found = self._value_of(Site(module.path, rules, names, None, 0), bound, depth - 1) if bound else None
        if found is None and name and (EXPORTS, "") in names.values:
            whole = self._exported(rules, value, "", depth - 1) if depth > 0 else None
            found = self.member(rules, whole, name, depth - 1) if whole is not None else None
        return found and found._replace(resolution=_weaker(Resolution.IMPORT, found.resolution))


def _in_force(bound: Sequence[Binding], line: int, *, is_inner: bool = True) -> list[Binding]:
    """What holds on a line: the innermost of those that hold for some lines, or the last one before it.

    What a function inside another one sees there may be assigned later.
    """
    ranged = [one for one in bound if one.until and one.line <= line <= one.until]
    if ranged:
        same = [one for one in ranged if (one.line, one.until) == (ranged[-1].line, ranged[-1].until)]
        pairs = zip(same, (*same[1:], same[-1]), strict=True)  # Of a type and a value, the last says more.
        return [one for one, following in pairs if one.is_typed == following.is_typed]
    lasting = [one for one in bound if not one.until]
    before = [one for one in lasting if one.line <= line] if line and is_inner else []
    if not before:
        return lasting
    last = [one for one in before if one.line == before[-1].line and one.value]
    if not last:  # What was declared with a type keeps it.
        return [one for one in before if one.is_typed][-1:] or before[-1:]
    return last[-1:]


def _is_function(value: Value) -> bool:
    return value.sort is Sort.DEFINITION and all(one.kind in FUNCTION_LIKE for one in value.targets)


def _is_variable(definitions: Sequence[Definition]) -> bool:
    return len(definitions) == 1 and definitions[0].kind in VALUES


def _joined(values: Iterable[Value], resolution: Resolution | None = None) -> Value | None:
    """One, or several that are of one sort, which are alternatives."""
    values = [*values]
    if len(values) <= 1:
        return values[0] if values else None
    if len({value.sort for value in values}) > 1 or values[0].sort in _SINGLE:
        return None
    targets = dict.fromkeys(target for value in values for target in value.targets)
    weakest = max((value.resolution for value in values), key=_RANK.__getitem__)
    return Value(values[0].sort, resolution or weakest, tuple(targets))


_RANK = {resolution: rank for rank, resolution in enumerate(Resolution)}


def _weaker(one: Resolution, other: Resolution) -> Resolution:
    return max(one, other, key=_RANK.__getitem__)


def _split(chain: str) -> tuple[str, str]:
    scope, _, name = chain.rpartition(".")
    return scope, name
