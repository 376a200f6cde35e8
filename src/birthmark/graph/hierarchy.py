"""Types and their bases: where a member comes from, and what implements it.

Bases are read where a type is defined and followed across files. The order is depth first, each type once, which is
that of most languages; a base outside the repository is the end of what can be known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.bindings import Binding
from birthmark.graph.imports import Imports, package_of
from birthmark.graph.kinds import ALIASES, NAMED_TYPES, TYPES, VALUES
from birthmark.graph.model import OUTSIDE, Site, Sort, Value
from birthmark.graph.symbols import Definition, FileNames, in_force
from birthmark.languages.rules import ResolutionRules
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.values import Evaluator

_MOST_TYPES = 400  # above or below one
_ABSTRACT = frozenset({"trait", "interface"})
_EXTENDED = re.compile(r"(?:^.* for |^)[&*]?(?:mut )?([\w:]+)")  # the type in the name of an extension


class Hierarchy:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known_bases: dict[int, tuple[list[Definition], bool]] = {}
        self.known_subtypes: dict[int, list[Definition]] = {}
        self.known_added: dict[tuple[int, str], Value | None] = {}
        self.active: set[int] = set()  # extensions of which the type is being found out

    def bases(self, definition: Definition) -> tuple[list[Definition], bool]:
        """Those of a type that are in the repository, and whether there are others."""
        if definition.identity not in self.known_bases:
            self.known_bases[definition.identity] = [], False  # while it is being found out
            openings = self._openings(definition)
            self.known_bases[definition.identity] = openings or self._read_bases(definition)
        return self.known_bases[definition.identity]

    def _openings(self, definition: Definition) -> tuple[list[Definition], bool] | None:
        """The bases of all openings of a type: what is taken over last comes first, and the superclass at the end."""
        rules = self.imports.rules(definition.language)
        if not rules.mixes_modules:
            return None
        whole = definition.qualified_name
        read = [
            self._read_bases(one) for one in self.imports.named(definition.name, rules) if one.qualified_name == whole
        ]
        bases = [base for found, _ in reversed(read) for base in reversed(found) if base.qualified_name != whole]
        return bases, any(is_open for _, is_open in read)

    def main_opening(self, definitions: Sequence[Definition]) -> Sequence[Definition]:
        """Of several openings of one type the only one with a constructor, or else the only one with bases."""
        if len({one.qualified_name for one in definitions}) > 1 or definitions[0].kind not in TYPES:
            return definitions
        made, based = [], []
        for one in definitions:
            names = self.imports.names(one.path, self.imports.rules(one.language))
            members = [member for found in names.members.get(one.qualified_name, {}).values() for member in found]
            makers = [member.start_line for member in members if member.kind == "constructor"]
            made += [one] if any(one.start_line <= line <= one.end_line for line in makers) else []
            based += [one] if names.bases.get(names.ordinals[one.identity]) else []
        return made if len(made) == 1 else based if len(based) == 1 else definitions

    def _read_bases(self, definition: Definition) -> tuple[list[Definition], bool]:
        site = self._site_of(definition)
        names = site.names
        found: list[Definition] = []
        is_open = False
        for path in names.bases.get(names.ordinals[definition.identity], ()):
            value = self.evaluator.main_export(site.rules, self.evaluator.evaluate(site, path))
            kinds = NAMED_TYPES | {"mod"} if site.rules.mixes_modules else NAMED_TYPES
            types = [one for one in value.targets if one.kind in kinds] if value is not None else []
            found += [one for one in types if one.identity != definition.identity]
            is_open = is_open or not types
        for base in names.values.get((names.ordinals[definition.identity], ""), ()):
            if base.role == "base":
                found += self._extended(site, base, definition)
        around = names.ordinals[site.source.identity] if site.source is not None else -1
        for base in names.values.get((around, f"{definition.name}.*"), ()):
            found += self._extended(site, base, definition)
        found.sort(key=lambda one: one.kind != "trait")  # What a trait adds hides what is inherited.
        return found, is_open

    def _site_of(self, definition: Definition) -> Site:
        """Where a type is defined."""
        rules = self.imports.rules(definition.language)
        names = self.imports.names(definition.path, rules)
        around = next((one for one in names.enclosing(definition) if one != names.ordinals[definition.identity]), -1)
        source = names.definitions[around] if around >= 0 else None
        return Site(definition.path, rules, names, source, definition.start_line)

    def _extended(self, site: Site, base: Binding, definition: Definition) -> list[Definition]:
        """An object, or function, whose members another one takes over."""
        value = self.evaluator.main_export(site.rules, self.evaluator.evaluate(site, base.value))
        return [one for one in value.targets if one.identity != definition.identity] if value is not None else []

    def line(self, definition: Definition) -> Iterator[Definition]:
        """A type and all above it."""
        seen = {definition.identity}
        stack = [definition]
        while stack and len(seen) < _MOST_TYPES:
            one = stack.pop()
            yield one
            fresh = [base for base in self.bases(one)[0] if base.identity not in seen]
            seen |= {base.identity for base in fresh}
            stack += reversed(fresh)

    def member(self, definition: Definition, name: str, depth: int, *, is_super: bool = False) -> Value | None:
        """Of the first type in line that has it; what is outside, if a base is and none has it."""
        is_open = False
        skips_traits = self.imports.rules(definition.language).skips_traits
        line = [*self.line(definition)]
        for one in line:
            is_own = one.identity == definition.identity
            is_passed = is_super and (is_own or (skips_traits and one.kind == "trait"))
            found = None if is_passed else self.own_member(one, name, depth)
            if found is not None:
                return found if is_own else found._replace(resolution=inherited(found.resolution))
            is_open = is_open or self.bases(one)[1]
        key = definition.identity, name
        if key not in self.known_added:
            added = (self._added_member(one, name) for one in line)
            self.known_added[key] = next((one for one in added if one is not None), None)
        return self.known_added[key] or (OUTSIDE if is_open or is_super else None)

    def _added_member(self, definition: Definition, name: str) -> Value | None:
        """Of a base that a type has only where it is extended: by `impl Base for Type`, or an extension."""
        rules = self.imports.rules(definition.language)
        named = self.imports.named(name, rules) if rules.open_types else []
        for one in named if len(named) <= _MOST_TYPES else ():
            owner = self._extended_by(one)
            if owner is not None and owner.kind in _ABSTRACT and self._is_extended(definition, owner):
                return Value(Sort.DEFINITION, Resolution.HIERARCHY, (one,))
        return None

    def _is_extended(self, definition: Definition, base: Definition) -> bool:
        for _, extension, _ in self.imports.symbols.bases_named(base.name):
            name = _EXTENDED.search(extension.name) if extension.kind == "impl" else None
            value = self.evaluator.evaluate(self._site_of(extension), name[1].replace("::", ".")) if name else None
            if value is not None and definition in value.targets and base in self.bases(extension)[0]:
                return True
        return False

    def field(self, definition: Definition, name: str) -> Value | None:
        """The variable that the first type in line has under a name."""
        for one in self.line(definition):
            if members := self.members(one, name):
                if any(member.kind not in VALUES for member in members):
                    return None
                is_own = one.identity == definition.identity
                return Value(Sort.DEFINITION, Resolution.EXACT if is_own else Resolution.HIERARCHY, tuple(members[:1]))
        return None

    def held(self, definition: Definition, name: str, depth: int) -> Value | None:
        """What the variable that a type or its bases have under a name means, even if a method has the same name."""
        for one in self.line(definition):
            names = self.imports.names(one.path, self.imports.rules(one.language))
            ordinal = names.ordinals.get(one.identity, -1)
            found = self.evaluator.field(one.path, one.language, ordinal, name, depth - 1)
            if found is not None:
                return found
        return None

    def own_member(self, definition: Definition, name: str, depth: int) -> Value | None:
        rules = self.imports.rules(definition.language)
        names = self.imports.names(definition.path, rules)
        members = self.members(definition, name)
        bound = names.values.get((names.ordinals.get(definition.identity, -1), name), ())
        aliases = [one.value for one in bound if one.role == "alias"]
        if aliases and depth > 0:
            return self.member(definition, aliases[-1], depth - 1)
        solid = [one for one in members if one.kind not in ALIASES]
        if solid:
            return Value(Sort.DEFINITION, Resolution.EXACT, tuple(in_force(solid, rules)))
        ordinal = names.ordinals.get(definition.identity, -1)
        held = (
            self.evaluator.field(definition.path, definition.language, ordinal, name, depth - 1) if depth > 0 else None
        )
        if held is None and members and rules.field_mark and depth > 0:
            private = f"{rules.field_mark}{name}"
            held = self.evaluator.field(definition.path, definition.language, ordinal, private, depth - 1)
        if held is not None:
            return held
        if depth > 0 and (getters := names.member(definition.qualified_name, f"get:{name}")):
            return self.evaluator.call(rules, Value(Sort.DEFINITION, Resolution.EXACT, tuple(getters)), depth - 1)
        assigned = self._assigned(definition, names, name, depth)
        if assigned is not None:
            return assigned
        return Value(Sort.DEFINITION, Resolution.EXACT, tuple(members)) if members else None

    def _assigned(self, definition: Definition, names: FileNames, name: str, depth: int) -> Value | None:
        """A part that is assigned from outside: `x.part = f`."""
        part = f"{definition.name}.{name}"
        if depth <= 0 or part not in names.bound_names:
            return None
        around = next((one for one in names.enclosing(definition) if one != names.ordinals[definition.identity]), -1)
        return self.evaluator.field(definition.path, definition.language, around, part, depth - 1)

    def members(self, definition: Definition, name: str) -> Sequence[Definition]:
        """Those in its file, or else those that other files of its package add."""
        rules = self.imports.rules(definition.language)
        if rules.static_prefix and name.startswith(rules.static_prefix):
            return self._static_members(definition, name, rules)
        if definition.kind == "impl":
            inside = self.imports.names(definition.path, rules).by_name.get(name, ())
            first, last = definition.start_line, definition.end_line
            return [one for one in inside if first <= one.start_line and one.end_line <= last]
        names = self.imports.names(definition.path, rules)
        here = names.member(definition.qualified_name, name)
        if not here and rules.companion:
            here = names.member(f"{definition.qualified_name}.{rules.companion}", name)
        if not here and rules.setter_mark and name.endswith(rules.setter_mark):
            named = self.members(definition, name.removesuffix(rules.setter_mark))
            here = [one for one in named if one.kind in VALUES]
        if not rules.open_types or (here and not rules.has_namespaces and not rules.shares_all):
            return here
        named = self.imports.named(name, rules)
        others = [one for one in named if one.parent == definition.qualified_name and one.path != definition.path]
        return [*here, *self._added(definition, others)] or [one for one in named if self._extends(one, definition)]

    def _added(self, definition: Definition, members: list[Definition]) -> list[Definition]:
        """Those that other files add to a type, not those of another type of its name."""
        rules = self.imports.rules(definition.language)
        added = [one for one in members if self._is_added(one, definition, rules)]
        package = package_of(definition.path, rules)
        near = [one for one in added if package_of(one.path, rules) == package]
        return added if rules.shares_all else near or added

    def _is_added(self, member: Definition, definition: Definition, rules: ResolutionRules) -> bool:
        """Whether a type that a member is added to is this one, not one of the same name."""
        names = self.imports.names(member.path, rules)
        if self.owner(member) is not None:
            return rules.has_namespaces  # The type is opened again there, or it is another one.
        value = self.evaluator.bind(Site(member.path, rules, names, None, 0), definition.name)
        return value is None or any(one.identity == definition.identity for one in value.targets)

    def _extends(self, function: Definition, definition: Definition) -> bool:
        """Whether a function says of itself that it is used as a member of a type."""
        rules = self.imports.rules(function.language)
        names = self.imports.names(function.path, rules)
        path = names.extended.get(names.ordinals[function.identity])
        if path is None or function.identity in self.active:
            return False
        self.active.add(function.identity)
        value = self.evaluator.evaluate(Site(function.path, rules, names, function, function.start_line), path)
        self.active.discard(function.identity)
        return value is not None and any(one.identity == definition.identity for one in value.targets)

    def _static_members(self, definition: Definition, name: str, rules: ResolutionRules) -> Sequence[Definition]:
        """Those of the type itself, wherever it is opened; of a module all, since types take them over."""
        bare = name.removeprefix(rules.static_prefix)
        own, inner = definition.qualified_name, f"{definition.qualified_name}.{rules.static_prefix[:-1]}"
        prefixed = [*self.imports.named(name, rules), *self.imports.named(f"{definition.name}.{bare}", rules)]
        found = [one for one in prefixed if one.parent == own]
        found += [one for one in self.imports.named(bare, rules) if one.parent == inner]
        if not found and definition.kind == "mod":
            passed_on = [one for one in self.imports.named(bare, rules) if one.parent == f"{own}.{rules.static_module}"]
            return passed_on or self.members(definition, bare)
        return found

    def has_members(self, definition: Definition) -> bool:
        rules = self.imports.rules(definition.language)
        return bool(self.imports.names(definition.path, rules).members.get(definition.qualified_name))

    def subtypes(self, definition: Definition) -> list[Definition]:
        """All types below one."""
        if definition.identity not in self.known_subtypes:
            found = {one.identity: one for one in self._implicit_subtypes(definition)}
            fresh = [definition, *found.values()]
            while fresh and len(found) < _MOST_TYPES:
                one = fresh.pop()
                for _, subtype, _ in self.imports.symbols.bases_named(one.name):
                    bases = {base.identity for base in self.bases(subtype)[0]}
                    if subtype.identity not in found and one.identity in bases:
                        found[subtype.identity] = subtype
                        fresh.append(subtype)
            self.known_subtypes[definition.identity] = list(found.values())
        return self.known_subtypes[definition.identity]

    def _implicit_subtypes(self, definition: Definition) -> Iterator[Definition]:
        """The types that have all methods of an interface, where that alone makes them implement it."""
        rules = self.imports.rules(definition.language)
        line = [*self.line(definition)] if rules.implicit_interfaces and definition.kind == "interface" else []
        methods = [one for base in line for one in self._methods(base)]
        if not methods or any(self.bases(one)[1] for one in line):
            return  # What an interface from outside adds is not known.
        rarest = min((self.imports.named(one.name, rules) for one in methods), key=len)
        for named in rarest if len(rarest) <= _MOST_TYPES else ():
            owner = self._extended_by(named)
            if owner is not None and owner.kind != "interface":
                types = [owner, *self.subtypes(owner)]
                yield from (one for one in types if all(self._has_method(one, method) for method in methods))

    def _methods(self, definition: Definition) -> list[Definition]:
        names = self.imports.names(definition.path, self.imports.rules(definition.language))
        members = names.members.get(definition.qualified_name, {})
        return [one for named in members.values() for one in named if one.kind in FUNCTION_LIKE]

    def _has_method(self, definition: Definition, method: Definition) -> bool:
        value = self.member(definition, method.name, 1)
        targets = value.targets if value is not None else ()
        return any(one.kind in FUNCTION_LIKE and self._is_alike(one, method) for one in targets)

    def _is_alike(self, method: Definition, other: Definition) -> bool:
        """Whether two methods take and give the same, as far as that is known."""
        one, another = self._signature(method), self._signature(other)
        pairs = zip(one, another, strict=False)
        return len(one) == len(another) and all(mine == its or not mine or not its for mine, its in pairs)

    def _signature(self, method: Definition) -> list[str]:
        """The last names of the types of its parameters, and of its result; "" for what is not known."""
        names = self.imports.names(method.path, self.imports.rules(method.language))
        ordinal = names.ordinals[method.identity]
        bound = [*names.parameters.get(ordinal, ()), *names.values.get((ordinal, ""), ())[:1]]
        written = [one.value.rpartition(".")[2] for one in bound]
        known = [one for one in names.enclosing(method) if one >= 0]
        return ["" if any((one, name.rstrip("{}*")) in names.values for one in known) else name for name in written]

    def implementations(self, method: Definition, receiver: Definition | None = None) -> list[Definition]:
        """What types below that of a method, or below the receiver's, have in its place."""
        owner = self.owner(method)
        types = self.subtypes(owner) if owner is not None else []
        if receiver is not None and owner is not None and receiver.identity != owner.identity:
            below = {one.identity for one in (receiver, *self.subtypes(receiver))}
            types = [one for one in types if one.identity in below]
        found: dict[int, Definition] = {}
        for subtype in types:
            value = self.member(subtype, method.name, 1)
            found |= {one.identity: one for one in (value.targets if value else ()) if self._implements(one, method)}
        return list(found.values())

    def _implements(self, one: Definition, method: Definition) -> bool:
        if one.identity == method.identity or one.kind not in FUNCTION_LIKE or self.is_abstract(one):
            return False
        rules = self.imports.rules(method.language)
        return not rules.has_overloads or self._n_parameters(one) == self._n_parameters(method)

    def _n_parameters(self, function: Definition) -> int:
        names = self.imports.names(function.path, self.imports.rules(function.language))
        return len(names.parameters.get(names.ordinals[function.identity], ()))

    def overridden(self, method: Definition) -> Sequence[Definition]:
        """What the types above that of a method have under its name."""
        owner = self.owner(method)
        value = self.member(owner, method.name, 1, is_super=True) if owner is not None else None
        return [one for one in value.targets if one.kind in FUNCTION_LIKE] if value is not None else ()

    def is_open(self, method: Definition) -> bool:
        """Whether a type above that of a method is outside of the repository."""
        owner = self.owner(method)
        return owner is not None and any(self.bases(one)[1] for one in self.line(owner))

    def is_abstract(self, method: Definition) -> bool:
        """Whether it is declared without a body."""
        names = self.imports.names(method.path, self.imports.rules(method.language))
        return names.ordinals.get(method.identity, -1) in names.abstract

    def owner(self, member: Definition) -> Definition | None:
        names = self.imports.names(member.path, self.imports.rules(member.language))
        around = (names.definitions[ordinal] for ordinal in names.enclosing(member) if ordinal >= 0)
        return next((one for one in around if one.kind in TYPES), None)

    def _extended_by(self, member: Definition) -> Definition | None:
        """The type that has a member, also where that is not inside it."""
        rules = self.imports.rules(member.language)
        site = Site(member.path, rules, self.imports.names(member.path, rules), member, 0)
        return self.evaluator.owner(site) if member.parent else None


def inherited(resolution: Resolution) -> Resolution:
    return Resolution.HIERARCHY if resolution in (Resolution.EXACT, Resolution.IMPORT) else resolution
