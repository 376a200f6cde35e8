"""The definitions of a snapshot that are inside of no other one, by name.

A method may have its owner elsewhere: `func (t T) f()`. It is inside of nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from birthmark.graph.answers import name_lookup
from birthmark.graph.modules.imports import Imports
from birthmark.graph.symbols import Definition
from birthmark.languages.rules import ResolutionRules


class OuterSymbols(Protocol):
    def outer_named(self, name: str) -> Sequence[Definition]:
        """All of that simple name that are inside of no other one of their file."""


class OuterNames:
    """Answers for one snapshot, and caches its answers."""

    def __init__(self, symbols: OuterSymbols, imports: Imports) -> None:
        self.symbols, self.imports = symbols, imports
        self.known: dict[tuple[str, ResolutionRules], frozenset[int]] = {}

    def has(self, name: str, rules: ResolutionRules) -> bool:
        """Whether any of that name is inside of no other one."""
        self.imports.answers.read(name_lookup(name))
        return bool(self._identities(name, rules))

    def is_outer(self, definition: Definition) -> bool:
        """What it is inside of, its own name says; so nothing more is looked up for that."""
        rules = self.imports.rules(definition.language)
        return definition.parent is None or definition.identity in self._identities(definition.name, rules)

    def _identities(self, name: str, rules: ResolutionRules) -> Collection[int]:
        key = name, rules
        if key not in self.known:
            named = self.symbols.outer_named(name)
            self.known[key] = frozenset(one.identity for one in named if self.imports.rules(one.language) is rules)
        return self.known[key]
