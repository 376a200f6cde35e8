"""Evaluate a path at a place of a snapshot.

Takes Imports, a Site and a path; gives a Value: definitions, instances of a type, a module, a collection, what is
outside the repository, or None for what cannot be known. It follows what the sources say (assignments, declared types,
returned values, bases) a few steps far; nothing is guessed, and no name means more than what is visible there.
"""

from __future__ import annotations

from birthmark.graph.evaluation.bare_names import BareNames
from birthmark.graph.evaluation.hierarchy import Hierarchy, Implementations
from birthmark.graph.evaluation.members import Members
from birthmark.graph.evaluation.model import DEEPEST, OUTSIDE, Site, Sort, Value
from birthmark.graph.evaluation.path_heads import Owners, PathHeads
from birthmark.graph.evaluation.scopes import Scopes
from birthmark.graph.evaluation.steps import ValueSteps
from birthmark.graph.evaluation.variables import Arguments, Variables
from birthmark.graph.evaluation.written_names import CalledNames, MentionedNames
from birthmark.graph.modules.exports import Exports
from birthmark.graph.modules.imports import Imports
from birthmark.graph.reading.paths import steps_of


class Evaluator:
    """Evaluates the paths of one snapshot. Its parts ask each other by way of it, and keep what they found."""

    def __init__(self, imports: Imports) -> None:
        self.answers = imports.answers
        # Names
        self.heads = PathHeads(imports, self)
        self.scopes = Scopes(imports, self)
        self.bare_names = BareNames(imports, self)
        self.owners = Owners(imports, self)
        self.called = CalledNames(imports, self)
        self.mentioned = MentionedNames(imports, self)
        # What they hold, and what follows them
        self.variables = Variables(imports, self)
        self.arguments = Arguments(imports, self)
        self.exports = Exports(imports, self)
        self.steps = ValueSteps(imports, self)
        # Types
        self.hierarchy = Hierarchy(imports, self)
        self.members = Members(imports, self)
        self.implementations = Implementations(imports, self)

    def evaluate(self, site: Site, path: str, depth: int = DEEPEST) -> Value | None:
        steps = steps_of(path)
        if not steps or not self.answers.reaches(depth):
            return None
        if site.rules.calls_bare:
            return self.bare_names.evaluate(site, steps, depth)
        value, rest = self.heads.read(site, steps, depth)
        while rest and value is not None:
            step, is_called = rest[0], rest[1:] and rest[1][0] == "("
            if step in site.rules.binding_members and is_called and value.is_function:
                rest = rest[2:]  # `f.bind(x)` is `f`.
                continue
            is_field = site.rules.parts_fields and value.sort is Sort.INSTANCE and not is_called
            held = self.members.held(value.targets[0], step, depth) if is_field else None
            found = held or self.steps.step(site.rules, value, step, depth)
            same = self.steps.unwrapped(site.rules, value, step) if found in (None, OUTSIDE) else None
            value, rest = same or found, rest[2 if same and is_called else 1 :]
        return value
