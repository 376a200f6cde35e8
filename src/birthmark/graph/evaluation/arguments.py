"""What callers pass to a function, where they name it and there is no doubt about the function.

A name that is passed is stored as a Reference `passes` with the alias `f#0`, or `f#key`: the argument of `f` it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import Site, Sort, Value
from birthmark.graph.evaluation.owners import OWN_TYPES, SELVES
from birthmark.graph.kinds import TYPES
from birthmark.graph.modules.imports import Imports
from birthmark.graph.names.file_names import FileNames
from birthmark.graph.reading.bindings import Binding
from birthmark.graph.symbols import Definition
from birthmark.languages.rules import ResolutionRules
from birthmark.model import FUNCTION_LIKE

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

_RECEIVERS = SELVES | OWN_TYPES  # parameters that no argument is for


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
        """What an argument is called in the function it is passed to."""
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
        """Whether no other function has its name, so that all calls by that name are calls of it."""
        named = self.imports.named(_called_name(function), self.imports.rules(function.language))
        return sum(one.kind in FUNCTION_LIKE or one.kind in TYPES for one in named) == 1


def _called_name(function: Definition) -> str:
    """That of a constructor is its type's."""
    is_constructor = function.kind == "constructor" and function.parent is not None
    return (function.parent or "").rpartition(".")[2] if is_constructor else function.name


def _parameters(names: FileNames, ordinal: int) -> list[str]:
    return [one.name for one in names.parameters_of(ordinal) if one.name not in _RECEIVERS]
