"""Values that variables, fields and parameters hold: those of the Bindings of a name, and the arguments of callers.

A name may be bound several times; which of them count depends on the line. An argument counts where callers name it and
there is no doubt about the function. It is stored as a Reference `passes` with the alias `f#0`, or `f#key`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.answers import Known
from birthmark.graph.evaluation.model import DEEPEST, OUTSIDE, Site, Sort, Value, joined, weaker
from birthmark.graph.evaluation.path_heads import OWN_TYPES
from birthmark.graph.file_names import SELVES, FileNames
from birthmark.graph.modules.imports import Hit, Imports
from birthmark.graph.reading.paths import LITERAL
from birthmark.graph.reading.references import PARAMETERS, Binding
from birthmark.graph.symbols import ALIASES, TYPES, Definition
from birthmark.languages.rules import ResolutionRules
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

_RECEIVERS = SELVES | OWN_TYPES  # parameters that no argument is for


class Variables:
    """Evaluates bindings, and keeps what it found."""

    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known: Known = {}

    def value_of(self, hit: Hit) -> Value:
        """Return the value of a name that leads there: of a variable, the value it holds."""
        if hit.targets:
            return self.held(Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets), hit.module))
        if hit.module is not None:
            return Value(Sort.MODULE, hit.resolution, (), hit.module)
        return OUTSIDE

    def held(self, value: Value) -> Value:
        """Return the value of a variable of another file, if that is known."""
        if len(value.targets) != 1 or value.targets[0].kind not in ALIASES:
            return value
        target = value.targets[0]
        owner = self.imports.names_of(target).outer(target)
        held = self.field(target, owner, target.name, DEEPEST // 2)
        return held._replace(resolution=weaker(value.resolution, held.resolution)) if held is not None else value

    def field(self, near: Definition, owner: int, name: str, depth: int) -> Value | None:
        """Return the value of a member of a type, an object or a module; the owner is counted in the file of `near`."""
        rules, names = self.imports.rules(near.language), self.imports.names_of(near)
        bound = names.values_of(owner, name)
        source = names.definitions[owner] if owner >= 0 else None
        return self.value(Site(near.path, rules, names, source, 0), bound, depth) if bound else None

    def value_on_line(self, site: Site, bound: Sequence[Binding], depth: int) -> Value | None:
        """Return the value of a variable on a line."""
        return self.value(site, bindings_on_line(bound, site.line), depth)

    def value(self, site: Site, bound: Sequence[Binding], depth: int) -> Value | None:
        """Of all that a name means there; None if they do not agree."""
        known = [one for one in bound if one.value and one.value != LITERAL]
        if not known and bound and all(one.role == "rest" for one in bound):
            return Value(Sort.COLLECTION, Resolution.EXACT)  # `*args` and `**kwargs` are never of a type of ours.
        if not known and all(one.role in PARAMETERS for one in bound):
            return joined(self.evaluator.arguments.passed(site, bound[0], depth), Resolution.DISPATCH)
        known = [one for one in known if one.value[0] != "<"] or known or [*bound]
        values = {value: None for one in known if (value := self._bound_value(site, one, depth)) is not None}
        return joined(values)

    def _bound_value(self, site: Site, binding: Binding, depth: int) -> Value | None:
        """None as well where it is bound to itself, by whatever way."""
        if not binding.value:
            return None
        key = site.path, binding.owner, binding.name, binding.line, binding.value, min(depth, DEEPEST // 2)
        return self.imports.answers.once(self.known, key, self._evaluate, site, binding, depth)

    def _evaluate(self, site: Site, binding: Binding, depth: int) -> Value | None:
        source = site.names.definitions[binding.entity] if binding.entity >= 0 else None
        before = site._replace(source=source, line=binding.line - 1)
        return self._part(site, binding) or self.evaluator.evaluate(before, binding.value, depth - 1)

    def _part(self, site: Site, binding: Binding) -> Value | None:
        """The function that is written where it is bound to a part of a local object."""
        if (binding.value, binding.line) not in site.names.parts:
            return None
        here = [one for one in site.names.by_name.get(binding.value, ()) if one.start_line == binding.line]
        return Value(Sort.DEFINITION, Resolution.EXACT, tuple(here)) if here else None


def bindings_on_line(bound: Sequence[Binding], line: int, *, is_inner: bool = True) -> list[Binding]:
    """Return what holds on a line: the innermost of those that hold for some lines, or the last one before it.

    What a function inside another one sees there may be assigned later.
    """
    ranged = [one for one in bound if one.until and one.line <= line <= one.until]
    if ranged:
        same = [one for one in ranged if (one.line, one.until) == (ranged[-1].line, ranged[-1].until)]
        same = [one for one in same if one.value] or same
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


class Arguments:
    """From a parameter to what is passed for it, and back."""

    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def passed(self, site: Site, parameter: Binding, depth: int) -> list[Value]:
        """All that callers pass for a parameter."""
        function = site.names.definitions[parameter.owner] if parameter.owner >= 0 else None
        is_reached = self.imports.answers.reaches(depth - 1)
        if function is None or not is_reached or parameter.until or not self._is_only(function):
            return []
        name, names = _called_name(function), _parameters(site.names, parameter.owner)
        if parameter.name not in names:
            return []
        values: dict[Value, None] = {}
        for alias in (f"{name}#{names.index(parameter.name)}", f"{name}#{parameter.name}"):
            for path, source, passed in self.imports.passed(alias):
                there = Site(path, site.rules, self.imports.names(path, site.rules), source, passed.line)
                written = passed.name if passed.receiver is None else f"{passed.receiver}.{passed.name}"
                value = self.evaluator.evaluate(there, written, depth // 2)
                if value is not None and value.sort is not Sort.EXTERNAL:
                    values[value] = None
        return [*values]

    def parameters(self, alias: str, rules: ResolutionRules) -> Iterator[str]:
        """Return the names of an argument in the function it is passed to."""
        function, _, which = alias.partition("#")
        for one in self.imports.named(function, rules):
            for called in self._constructors(one) if one.kind in TYPES else [one]:
                names = self.imports.names(called.path, rules)
                known = _parameters(names, names.ordinals[called.identity])
                if which in known:
                    yield which
                elif which.isdigit() and int(which) < len(known):
                    yield known[int(which)]

    def _constructors(self, definition: Definition) -> list[Definition]:
        inside = self.imports.names_of(definition).definitions
        return [one for one in inside if one.kind == "constructor" and one.parent == definition.qualified_name]

    def _is_only(self, function: Definition) -> bool:
        """Return True if no other function has its name, so that all calls by that name are calls of it."""
        named = self.imports.named(_called_name(function), self.imports.rules(function.language))
        return sum(one.kind in FUNCTION_LIKE or one.kind in TYPES for one in named) == 1


def _called_name(function: Definition) -> str:
    """Return the name by which it is called: of a constructor, that of its type."""
    is_constructor = function.kind == "constructor" and function.parent is not None
    return (function.parent or "").rpartition(".")[2] if is_constructor else function.name


def _parameters(names: FileNames, ordinal: int) -> list[str]:
    return [one.name for one in names.parameters_of(ordinal) if one.name not in _RECEIVERS]
