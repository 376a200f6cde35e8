"""Find definitions without known users, each with reasons why it may be used nevertheless.

Candidates have no users in the network. Their names are then searched: of members in code, of all in strings, in other
languages and in manifests. Results are sorted, the most likely to be unused first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from birthmark.app.answers.graph_nodes import network_of
from birthmark.app.answers.name_evidence import IMPORTS, NameEvidence
from birthmark.app.workspace.session import Session
from birthmark.comparison.file_roles import role_of
from birthmark.documents.whole_graph import DoubtDocument
from birthmark.entities.signatures import is_private
from birthmark.graph.network import NetworkEdge
from birthmark.graph.symbols import Definition, scopes_around
from birthmark.languages.registry import load_registry
from birthmark.model import CLASS_LIKE, Entity
from birthmark.queries.impact import TimeLimit
from birthmark.queries.snapshot_graph import definition_of
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.test_code import is_test, is_test_code
from birthmark.queries.unused import ClassBases, Group, WithoutUsers, find_without_users
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import FileRole, UnusedDoubt

# With these it is used, as far as can be known.
EXPLAINED = (UnusedDoubt.TEST, UnusedDoubt.SPECIAL, UnusedDoubt.ENTRY_POINT, UnusedDoubt.DECORATED)
_ROLES = {FileRole.DOCUMENTATION: UnusedDoubt.DOCUMENTATION, FileRole.GENERATED: UnusedDoubt.GENERATED}
_SIGNS = re.compile(r"^[@#\[]+")
UNUSED_SECONDS = 120.0  # by default: each candidate is looked at by itself


class UnusedDefinition(NamedTuple):
    """A definition without known users, the number of definitions inside of it, and the doubts, the strongest first."""

    row: SnapshotEntity
    n_inside: int
    doubts: list[DoubtDocument]

    @property
    def is_explained(self) -> bool:
        """Return whether a doubt explains why it has no users."""
        return any(found.doubt in EXPLAINED for found in self.doubts)


def find_unused(
    session: Session, *, with_tests: bool = True, seconds: float = UNUSED_SECONDS
) -> tuple[list[UnusedDefinition], int, bool]:
    """Return them, the most likely to be unused first; the number of definitions; and whether all were looked at."""
    network, time_limit = network_of(session, with_tests=with_tests), TimeLimit(seconds)
    rows = {row.identity: row for row in time_limit.during(session.store.all_entities(session.view.number))}
    if not with_tests:
        rows = {key: row for key, row in rows.items() if not is_test_code(row.path, row.language, row.qualified_name)}
    edges = [*time_limit.during(network.all_edges())]
    candidates = find_without_users([definition_of(row) for row in rows.values()], edges)
    judge = _Judge(session, rows, edges, candidates, time_limit, with_tests=with_tests)
    found = judge.without_overriding(judge.judge_all(candidates))
    return sorted(found, key=_likelihood), len(rows), not time_limit.is_over


_STRENGTH = {doubt: len(UnusedDoubt) - rank for rank, doubt in enumerate(UnusedDoubt)}


def _likelihood(one: UnusedDefinition) -> tuple[int, int, str, int]:
    strongest = max((_STRENGTH[found.doubt] for found in one.doubts), default=0)
    return strongest, len(one.doubts), one.row.path, one.row.start_line


class _Judge:
    """A search for evidence that candidates are used; sources are read once for all candidates."""

    def __init__(
        self,
        session: Session,
        rows: dict[int, SnapshotEntity],
        edges: Collection[NetworkEdge],
        candidates: Sequence[WithoutUsers],
        time_limit: TimeLimit,
        *,
        with_tests: bool,
    ) -> None:
        self.session, self.rows, self.time_limit = session, rows, time_limit
        self.places = Counter((row.path, row.qualified_name) for row in rows.values())
        self.tests = {group for row in rows.values() for group in _tests_around(row)}
        asked = [one.definition for one in candidates if not self._is_test(one.definition)]
        self.entities = session.view.hold_all(rows[one.identity] for one in asked)
        self.classes = {(row.path, row.qualified_name): row for row in rows.values() if row.kind in CLASS_LIKE}
        self.bases = ClassBases(edges)
        held = session.view.hold_all(self.classes.values())
        written = {identity: [base.name for base in one.entity.bases] for identity, one in held.items()}
        self.outside = self.bases.outside(written, {row.name for row in self.classes.values()})
        self.evidence = NameEvidence(session, asked, time_limit, with_tests=with_tests)

    def judge_all(self, candidates: Iterable[WithoutUsers]) -> list[UnusedDefinition]:
        """Return the unused definitions; those inside another one are only counted there."""
        found: dict[Group, UnusedDefinition] = {}
        whole: dict[Group, Group] = {}  # of what is inside, the one that is listed
        for candidate in candidates:
            group = candidate.definition.path, candidate.definition.qualified_name
            outer = whole.get(candidate.outer) if candidate.outer is not None else None
            judged = self._judge(candidate) if outer is None else None
            if outer is not None:
                whole[group] = outer
                found[outer] = found[outer]._replace(n_inside=found[outer].n_inside + 1)
            elif judged is not None:
                whole[group] = group
                found[group] = judged
        return [*found.values()]

    def _judge(self, candidate: WithoutUsers) -> UnusedDefinition | None:
        """Return None if it is used, or if there is no time left to find out."""
        one = candidate.definition
        if self._is_certain(one):
            doubts = [*self._own_doubts(one)]
        else:
            if self.time_limit.is_over:
                return None
            uses: list[NetworkEdge] = []
            for edge in self.evidence.uses(one):
                if self._is_sure(edge, one):
                    return None
                uses.append(edge)
            doubts = [*self._own_doubts(one), *self.evidence.doubts(one, uses, candidate.imported)]
        return UnusedDefinition(self.rows[one.identity], 0, sorted(doubts, key=lambda found: -_STRENGTH[found.doubt]))

    def _is_certain(self, one: Definition) -> bool:
        """Return whether a test runner or the language itself uses it; then no other uses are searched."""
        rules = load_registry().implicit_use_of(one.language)
        return self._is_test(one) or re.fullmatch(rules.special_names, one.name) is not None

    def _own_doubts(self, one: Definition) -> Iterator[DoubtDocument]:
        """Yield the doubts that its name, decorators, bases, file and visibility raise."""
        if self._is_test(one):
            yield DoubtDocument(UnusedDoubt.TEST, None, None)
            return
        rules, indexed = load_registry().implicit_use_of(one.language), self.entities[one.identity]
        if re.fullmatch(rules.special_names, one.name):
            yield DoubtDocument(UnusedDoubt.SPECIAL, None, None)
        if one.parent is None and re.fullmatch(rules.entry_names, one.name):
            yield DoubtDocument(UnusedDoubt.ENTRY_POINT, None, None)
        decorators = [_SIGNS.sub("", text) for text in indexed.entity.decorators]
        registering = [text for text in decorators if not re.fullmatch(rules.plain_decorators, text, re.S)]
        if registering:
            shown = indexed.entity.decorators[decorators.index(registering[0])]
            yield DoubtDocument(UnusedDoubt.DECORATED, None, shown or None)
        owner = self.classes.get((one.path, one.qualified_name)) or self.classes.get((one.path, one.parent or ""))
        if owner is not None and owner.identity in self.outside:
            yield DoubtDocument(UnusedDoubt.BASE_OUTSIDE, None, self.outside[owner.identity] or None)
        if role_of(one.path) in _ROLES:
            yield DoubtDocument(_ROLES[role_of(one.path)], None, None)
        if not self._is_private(indexed):
            yield DoubtDocument(UnusedDoubt.PUBLIC, None, None)

    def _is_private(self, indexed: IndexedEntity) -> bool:
        """Return whether it or a container is private; definitions inside functions are private."""
        file = self.session.view.at_version(indexed.version)
        assert file is not None, "what a snapshot holds is kept"
        entity: Entity | None = indexed.entity
        while entity is not None:
            container = file.outline.entities[entity.container] if entity.container >= 0 else None
            if is_private(entity, container) or (container is not None and container.kind in ("fn", "method")):
                return True
            entity = container
        return False

    def _is_test(self, one: Definition) -> bool:
        return (one.path, one.qualified_name) in self.tests

    def _is_sure(self, edge: NetworkEdge, one: Definition) -> bool:
        """Return whether an edge surely means it; a name defined twice in a file, such as a property, means both."""
        n_meant = self.places[one.path, one.qualified_name]
        return edge.edge not in IMPORTS and edge.n_candidates <= n_meant and not edge.may_be_outside

    def without_overriding(self, found: list[UnusedDefinition]) -> list[UnusedDefinition]:
        """A member is used where one of its name is, in a class above."""
        unused = {(one.row.path, one.row.qualified_name) for one in found}
        return [one for one in found if not any(place not in unused for place in self._overridden(one.row))]

    def _overridden(self, member: SnapshotEntity) -> Iterator[tuple[str, str]]:
        owner_name, _, name = member.qualified_name.rpartition(".")
        owner = self.classes.get((member.path, owner_name))
        for above in self.bases.above(owner.identity) if owner is not None else ():
            row = self.rows.get(above)
            place = (row.path, f"{row.qualified_name}.{name}") if row is not None else None
            if place is not None and place in self.places:
                yield place


def _tests_around(row: SnapshotEntity) -> Iterator[tuple[str, str]]:
    """A test, and what contains it."""
    if is_test(row.path, row.language, row.qualified_name):
        yield from ((row.path, scope) for scope in scopes_around(row.qualified_name))
