"""Types and their bases.

Bases are read where a type is defined and followed across files. The order is depth first, each type once, which is
that of most languages; a base outside the repository is the end of what can be known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from birthmark.graph.answers import Known
from birthmark.graph.evaluation.model import Site
from birthmark.graph.kinds import NAMED_TYPES, TYPES
from birthmark.graph.modules.imports import Imports
from birthmark.graph.reading.bindings import Binding
from birthmark.graph.symbols import Definition
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

MOST_TYPES = 400  # above or below one


class Hierarchy:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known_bases: Known = {}
        self.known_lines: Known = {}

    def bases(self, definition: Definition) -> tuple[list[Definition], bool]:
        """Those of a type that are in the repository, and whether there are others."""
        answers = self.imports.answers
        return answers.once(self.known_bases, definition.identity, self._find_bases, definition) or ([], False)

    def _find_bases(self, definition: Definition) -> tuple[list[Definition], bool]:
        return self._openings(definition) or self._read_bases(definition)

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

    def _read_bases(self, definition: Definition) -> tuple[list[Definition], bool]:
        site = self.site_of(definition)
        names = site.names
        found: list[Definition] = []
        is_open = False
        for path in names.bases.get(names.ordinals[definition.identity], ()):
            value = self.evaluator.exports.main_export(site.rules, self.evaluator.evaluate(site, path))
            kinds = NAMED_TYPES | {"mod"} if site.rules.mixes_modules else NAMED_TYPES
            types = [one for one in value.targets if one.kind in kinds] if value is not None else []
            found += [one for one in types if one.identity != definition.identity]
            is_open = is_open or not types
        for base in names.values_of(names.ordinals[definition.identity], ""):
            if base.role == "base":
                found += self._extended(site, base, definition)
        around = names.ordinals[site.source.identity] if site.source is not None else -1
        for base in names.values_of(around, f"{definition.name}.*"):
            found += self._extended(site, base, definition)
        found.sort(key=lambda one: one.kind != "trait")  # What a trait adds hides what is inherited.
        return found, is_open

    def _extended(self, site: Site, base: Binding, definition: Definition) -> list[Definition]:
        """An object, or function, whose members another one takes over."""
        value = self.evaluator.exports.main_export(site.rules, self.evaluator.evaluate(site, base.value))
        return [one for one in value.targets if one.identity != definition.identity] if value is not None else []

    def line(self, definition: Definition) -> list[Definition]:
        """A type and all above it."""
        answers = self.imports.answers
        return answers.once(self.known_lines, definition.identity, self._find_line, definition) or [definition]

    def _find_line(self, definition: Definition) -> list[Definition]:
        found, seen = [], {definition.identity}
        stack = [definition]
        while stack and len(seen) < MOST_TYPES:
            one = stack.pop()
            found.append(one)
            fresh = [base for base in self.bases(one)[0] if base.identity not in seen]
            seen |= {base.identity for base in fresh}
            stack += reversed(fresh)
        return found

    def is_open(self, method: Definition) -> bool:
        """Whether a type above that of a method is outside of the repository."""
        owner = self.owner(method)
        return owner is not None and any(self.bases(one)[1] for one in self.line(owner))

    def main_opening(self, definitions: Sequence[Definition]) -> Sequence[Definition]:
        """Of several openings of one type the only one with a constructor, or else the only one with bases."""
        if len({one.qualified_name for one in definitions}) > 1 or definitions[0].kind not in TYPES:
            return definitions
        made, based = [], []
        for one in definitions:
            names = self.imports.names_of(one)
            members = [member for found in names.members.get(one.qualified_name, {}).values() for member in found]
            makers = [member.start_line for member in members if member.kind == "constructor"]
            made += [one] if any(one.start_line <= line <= one.end_line for line in makers) else []
            based += [one] if names.bases.get(names.ordinals[one.identity]) else []
        return made if len(made) == 1 else based if len(based) == 1 else definitions

    def site_of(self, definition: Definition) -> Site:
        """Where a type is defined."""
        rules = self.imports.rules(definition.language)
        names = self.imports.names(definition.path, rules)
        around = names.outer(definition)
        source = names.definitions[around] if around >= 0 else None
        return Site(definition.path, rules, names, source, definition.start_line)

    def owner(self, member: Definition) -> Definition | None:
        names = self.imports.names_of(member)
        around = (names.definitions[ordinal] for ordinal in names.enclosing(member) if ordinal >= 0)
        return next((one for one in around if one.kind in TYPES), None)


def inherited(resolution: Resolution) -> Resolution:
    return Resolution.HIERARCHY if resolution in (Resolution.EXACT, Resolution.IMPORT) else resolution
