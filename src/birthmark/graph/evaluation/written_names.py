"""The meaning of a name where it is called, and where it is mentioned.

To call a variable is to call the function in it, unless others may assign to it; to mention it is to mean the variable
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import DEEPEST, OUTSIDE, Site, Sort, Value, joined, weaker
from birthmark.graph.evaluation.steps import POINTER_MEMBERS
from birthmark.graph.evaluation.variables import bindings_on_line
from birthmark.graph.file_names import SELVES
from birthmark.graph.modules.exports import find_qualified, find_rooted
from birthmark.graph.modules.imports import Imports
from birthmark.graph.reading.paths import ROOT, steps_of
from birthmark.graph.reading.references import PARAMETERS, Binding
from birthmark.graph.symbols import ALIASES, TYPES, VALUES, Definition
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

_FEW = 16  # types below one that are asked for what it does not have, and members of the name
_HAVE_MEMBERS = TYPES | {"member"}  # a member of an enumeration may have fields


class CalledNames:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def name(self, site: Site, name: str) -> Value | None:
        """Return what is called by a bare name. A variable of a module that holds what is elsewhere is meant itself."""
        field = self._own_field(site, name) if site.rules.calls_bare else None
        if field is not None:
            return field
        value = self.evaluator.exports.main_export(site.rules, self.evaluator.scopes.bind(site, name))
        if not site.rules.keeps_variables:
            return value
        imported = site.names.bound(name, site.source)
        if imported:
            hit = self.imports.follow(site.path, site.rules, imported[0])
            return Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets)) if _is_variable(hit.targets) else value
        scopes = ((at, site.names.values_of(at, name)) for at in site.names.enclosing(site.source))
        bound = next(([(at, one) for one in known] for at, known in scopes if known), [])
        if not bound or any((*steps_of(one.value), "")[0] in site.rules.module_calls for _, one in bound):
            return value
        if value is not None and value.is_function and all(one.role in PARAMETERS for _, one in bound):
            return value  # what callers pass
        is_local = bound[0][0] >= 0 or bound[0][1].until > 0
        is_fixed = not is_local or (
            len(bound) == 1 and bound[0][1].role == "local" and not self._defines(site, bound[0])
        )
        is_sure = value is not None and value.resolution in (Resolution.EXACT, Resolution.DISPATCH)
        if is_fixed and is_sure and value is not None and value.sort is Sort.DEFINITION:
            return value
        own = tuple(site.names.member("", name))
        if not is_local and _is_variable(own):
            return Value(Sort.DEFINITION, Resolution.EXACT, own)
        return value._replace(is_claimed=False) if value is not None else None

    def _own_field(self, site: Site, name: str) -> Value | None:
        """The attribute of `self` that a bare name reads."""
        receiver = self.evaluator.bare_names.receiver(site)
        is_instance = receiver is not None and receiver.sort is Sort.INSTANCE
        return self.evaluator.members.field(receiver.targets[0], name) if receiver and is_instance else None

    def _defines(self, site: Site, bound: tuple[int, Binding]) -> bool:
        """Return True if a function is assigned to the name as well."""
        scope = site.names.definitions[bound[0]].qualified_name if bound[0] >= 0 else ""
        return bool(site.names.member(scope, bound[1].name))

    def member(self, site: Site, receiver: str, name: str) -> Value | None:
        """Return what is called as a member: a field of a type is meant itself, since others may assign to it."""
        if receiver == ROOT:
            return self.evaluator.evaluate(site, f"{ROOT}.{name}")
        part = f"{receiver}.{name}"
        is_bound = part in site.names.bound_names
        value = self.evaluator.scopes.bind_part(site, receiver, part, DEEPEST) if is_bound else None
        if value is not None:
            return value
        value = self.evaluator.evaluate(site, receiver)
        if value is None:
            return None
        if value.sort is Sort.POINTER and value.element is not None:
            if name in POINTER_MEMBERS:
                return OUTSIDE
            value = value.element
        if value.sort is Sort.COLLECTION and not value.parts:
            return OUTSIDE
        if value.sort is Sort.INSTANCE and len(value.targets) == 1:
            field = self.evaluator.members.field(value.targets[0], name)
            if field is not None:
                return field._replace(resolution=weaker(value.resolution, field.resolution))
        found = self.evaluator.steps.step(site.rules, value, name)
        if name in site.rules.calling_members and found is not None and found.resolution is not Resolution.EXACT:
            return found._replace(is_claimed=False)
        if found is None and receiver in SELVES and value.sort is Sort.INSTANCE:
            return self._below(value.targets[0], name)
        is_other = found is not None and found.module != value.module
        return self.evaluator.exports.main_export(site.rules, found) if is_other else found

    def _below(self, owner: Definition, name: str) -> Value | None:
        """What the types below have under a name that a type calls on itself, and does not have."""
        named = self.imports.named(name, self.imports.rules(owner.language))
        subtypes = self.evaluator.implementations.subtypes(owner) if 0 < len(named) <= _FEW else ()
        if len(subtypes) > _FEW:
            return None
        found = (self.evaluator.members.find(one, name, DEEPEST // 2) for one in subtypes)
        called = dict.fromkeys(one for one in found if one is not None and one.is_function)
        value = joined(called, Resolution.DISPATCH)
        return value and value._replace(resolution=Resolution.DISPATCH)


def _is_variable(definitions: Sequence[Definition]) -> bool:
    return len(definitions) == 1 and definitions[0].kind in VALUES


class MentionedNames:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def name(self, site: Site, name: str) -> Value | None:
        """The definition that a bare name means itself, not what it holds."""
        if site.rules.calls_bare and (marked := self._marked_name(site, name)) is not None:
            return marked
        names, scopes = site.names, self.evaluator.scopes
        visible = [*names.visible(site.source, "calls")]
        for ordinal in names.enclosing(site.source):
            definition = names.definitions[ordinal] if ordinal >= 0 else None
            scope = definition.qualified_name if definition else ""
            if definition is not None and scope not in visible and definition.kind not in FUNCTION_LIKE:
                continue
            local = names.seen(scope, name)
            declared = [one for one in names.bound_in(ordinal, name) if one.role != "assigned"]
            if local or bindings_on_line(declared, site.line):
                may_be_imported = ordinal < 0 and all(one.kind in ALIASES for one in local)
                imported = self._imported_name(site, name) if may_be_imported else None
                return imported or (Value(Sort.DEFINITION, Resolution.EXACT, tuple(local)) if local else None)
            if definition is not None and site.rules.calls_bare and _hides_variables(definition, name):
                return None
        for scope in visible:
            if local := names.seen(scope, name):
                return Value(Sort.DEFINITION, Resolution.EXACT, tuple(local))
        return self._imported_name(site, name) or scopes.inherited(site, name, 1) or self._from_others(site, name)

    def _marked_name(self, site: Site, name: str) -> Value | None:
        """A constant, which all files see, or a variable of `self`, which may be declared without its mark."""
        names, mark = self.evaluator.bare_names, site.rules.field_mark
        if name[:1].isupper():
            return self._constant(site, name)
        receiver = names.receiver(site) if mark and name.startswith(mark) else None
        if receiver is None:
            return None
        found = self._member_of(receiver, name) or self._member_of(receiver, name.lstrip(mark))
        values = [one for one in found.targets if one.kind in VALUES] if found is not None else ()
        return found._replace(targets=tuple(values[:1])) if found and values else None

    def _constant(self, site: Site, name: str) -> Value | None:
        names = self.evaluator.bare_names
        hit = names.constant_around(site, name)
        receiver = names.receiver(site) if hit is None else None
        inherited = self._member_of(receiver, name) if receiver is not None else None
        hit = hit or (names.constant_at_top(site, name) if inherited is None else None)
        if hit is None:
            return inherited
        return Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets))

    def _from_others(self, site: Site, name: str) -> Value | None:
        hit = self.evaluator.scopes.hit_in_others(site, name)
        if hit is not None and hit.targets:
            return Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets), hit.module)
        return self.evaluator.variables.value_of(hit) if hit is not None else None

    def _imported_name(self, site: Site, name: str) -> Value | None:
        hits = [self.imports.follow(site.path, site.rules, one) for one in site.names.bound(name, site.source)]
        found = next((hit for hit in hits if hit.targets), None)
        if found is not None:
            return Value(Sort.DEFINITION, found.resolution, tuple(found.targets), found.module)
        return self.evaluator.exports.imported(site, name)

    def member(self, site: Site, receiver: str, name: str) -> Value | None:
        """The member itself, not what it holds."""
        if receiver == ROOT and not site.rules.names_namespace:
            return self.name(site._replace(source=None), name)
        value = self.evaluator.evaluate(site, receiver) if receiver != ROOT else None
        if value is None or value.sort in (Sort.EXTERNAL, Sort.COLLECTION):
            return self._in_namespace(site, (*steps_of(receiver), name)) or (value and OUTSIDE)
        if value.sort is Sort.MODULE and value.module is not None:
            hit = self.imports.lookup(site.rules, value.module, name)
            if hit is not None and hit.targets:
                return Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets), hit.module)
        return self._member_of(value, name) or self.evaluator.steps.step(site.rules, value, name)

    def _in_namespace(self, site: Site, steps: tuple[str, ...]) -> Value | None:
        if not site.rules.names_namespace:
            return None
        is_rooted = steps[0] == ROOT
        steps = steps[1:] if is_rooted else steps
        found = find_rooted(self.imports, site.rules, steps) if is_rooted else find_qualified(self.imports, site, steps)
        is_whole = found is not None and found[1] == len(steps)
        return Value(Sort.DEFINITION, found[0].resolution, tuple(found[0].targets)) if found and is_whole else None

    def _member_of(self, value: Value, name: str) -> Value | None:
        found = {
            member: one.identity == target.identity
            for target in value.targets
            if value.sort is not Sort.DEFINITION or target.kind in _HAVE_MEMBERS
            for one, members in self._first_members(target, name, is_super=value.sort is Sort.SUPER)
            for member in members
        }
        if not found:
            return None
        resolution = Resolution.EXACT if all(found.values()) else Resolution.HIERARCHY
        return Value(Sort.DEFINITION, weaker(value.resolution, resolution), tuple(found))

    def _first_members(
        self, target: Definition, name: str, *, is_super: bool
    ) -> Iterable[tuple[Definition, Sequence[Definition]]]:
        for one in self.evaluator.hierarchy.line(target):
            members = self.evaluator.members.named(one, name)
            if members and not (is_super and one.identity == target.identity):
                parts = self.imports.rules(one.language).parts_fields
                values = [member for member in members if member.kind not in FUNCTION_LIKE] if parts else ()
                return [(one, values or members)]
        return []


def _hides_variables(definition: Definition, name: str) -> bool:
    """Return True for methods and types where bare names are calls: of the variables around, they see global ones."""
    return name[:1].isidentifier() and (definition.kind == "method" or definition.kind not in FUNCTION_LIKE | VALUES)
