"""The tests that reach something, nearest first, each with the way that says why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from birthmark.app.answers.refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.graph.network import Node
from birthmark.queries.fixtures import Decorators
from birthmark.queries.graph_questions.time_limit import TimeLimit
from birthmark.queries.reach import ReachStep, find_reaching, way_from
from birthmark.queries.reach_rules import ReachRules
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.test_files import runner_id
from birthmark.store.model import SnapshotEntity

SECONDS = 30.0  # in which uses that are no calls are looked for


class WayStep(NamedTuple):
    """A step of a way, with the definition that it leads to; None for the top level of a file."""

    step: ReachStep
    row: SnapshotEntity | None
    path: str


class ReachingTest(NamedTuple):
    """A test by the name that its runner takes, and the way from it to what it reaches; no row for a whole file."""

    id: str
    path: str
    row: SnapshotEntity | None
    way: list[WayStep]

    @property
    def distance(self) -> int:
        return len(self.way)


class ReachingTests(NamedTuple):
    """An entity with the tests that reach it, and how many tests there are."""

    indexed: IndexedEntity
    tests: list[ReachingTest]
    n_all: int
    in_time: bool


def find_tests(session: Session, ref: str, seconds: float = SECONDS) -> ReachingTests:
    indexed = find_indexed(session, ref)
    rules = make_rules(session, seconds)
    tests = tests_reaching(session, rules, [indexed.identity])
    return ReachingTests(indexed, tests, rules.tests.count(), rules.is_complete)


def make_rules(session: Session, seconds: float = SECONDS) -> ReachRules:
    network, decorators = session.network, _decorators_of(session)
    return ReachRules(session.graph, session.resolver, network, decorators, TimeLimit(seconds))


def tests_reaching(session: Session, rules: ReachRules, start: Collection[Node]) -> list[ReachingTest]:
    reached = find_reaching(start, rules.rules, rules.is_test)
    ways = {node: way_from(reached, node) for node in reached if rules.is_test(node)}
    rows = _rows(session, ways)
    tests = [_test(rules, node, way, rows) for node, way in ways.items()]
    return sorted(tests, key=lambda test: (test.distance, test.path, test.row.start_line if test.row else 0, test.id))


def _rows(session: Session, ways: Mapping[Node, list[ReachStep]]) -> dict[int, SnapshotEntity]:
    nodes = {*ways, *(step.nearer for way in ways.values() for step in way)}
    identities = [node for node in nodes if isinstance(node, int)]
    return {row.identity: row for row in session.store.entities_of(session.view.number, identities)}


def _test(rules: ReachRules, node: Node, way: list[ReachStep], rows: Mapping[int, SnapshotEntity]) -> ReachingTest:
    row = rows[node] if isinstance(node, int) else None
    path = row.path if row is not None else str(node)
    id_ = runner_id(path, row.language, row.qualified_name) if row is not None else path
    return ReachingTest(id_, path, row, [_way_step(step, rows) for step in way])


def _way_step(step: ReachStep, rows: Mapping[int, SnapshotEntity]) -> WayStep:
    row = rows.get(step.nearer) if isinstance(step.nearer, int) else None
    return WayStep(step, row, row.path if row is not None else str(step.nearer))


def _decorators_of(session: Session) -> Decorators:
    def read(path: str) -> Mapping[int, tuple[str, ...]]:
        file = session.view.file(path)
        if file is None:
            return {}
        pairs = zip(file.version.identities, file.outline.entities, strict=True)
        return {identity: entity.decorators for identity, entity in pairs}

    return read
