"""The definitions of a snapshot that are inside of no other one, by name."""

from __future__ import annotations

from birthmark.graph.imports import Imports
from birthmark.graph.symbols import Definition
from birthmark.languages.rules import ResolutionRules


class OuterNames:
    """Answers for one snapshot, and caches its answers."""

    def __init__(self, imports: Imports) -> None:
        self.imports = imports
        self.known: dict[tuple[str, ResolutionRules], bool] = {}
        self.inner: dict[int, bool] = {}
        self.files: dict[str, dict[str, list[Definition]]] = {}  # definitions by path and qualified name

    def has(self, name: str, rules: ResolutionRules) -> bool:
        """Whether any of that name is inside of no other one."""
        named = self.imports.named(name, rules)
        key = (name, rules)
        if key not in self.known:
            self.known[key] = any(map(self.is_outer, named))
        return self.known[key]

    def is_outer(self, definition: Definition) -> bool:
        """A method may have its owner elsewhere: `func (t T) f()`. That it has, its own name says; no more is read."""
        if definition.parent is None:
            return True
        identity = definition.identity
        if identity not in self.inner:
            around = self._named_in(definition.path).get(definition.parent, ())
            self.inner[identity] = any(contains(one, definition) for one in around)
        return not self.inner[identity]

    def _named_in(self, path: str) -> dict[str, list[Definition]]:
        if path not in self.files:
            found = self.files[path] = {}
            for one in self.imports.symbols.inside(path):
                found.setdefault(one.qualified_name, []).append(one)
        return self.files[path]


def contains(outer: Definition, inner: Definition) -> bool:
    return outer.start_line <= inner.start_line and inner.end_line <= outer.end_line
