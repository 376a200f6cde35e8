"""The tests that reach something, nearest first, each with the way that says why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.graph.network import Node
from birthmark.queries.reach import ReachStep, Rule, find_reaching, way_from
from birthmark.queries.reach_rules import ReachRules
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.test_code import runner_id
from birthmark.store.model import SnapshotEntity


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


def find_tests(session: Session, ref: str) -> tuple[IndexedEntity, list[ReachingTest], int]:
    """Return an entity with the tests that reach it, and how many tests there are."""
    indexed = find_indexed(session, ref)
    rules = session.reach_rules
    return indexed, find_reaching_tests(rules, [indexed.identity]), rules.tests.n_tests


def find_reaching_tests(rules: ReachRules, start: Collection[Node], chosen: Sequence[Rule] = ()) -> list[ReachingTest]:
    """Return the tests that reach the start by the chosen rules, by default all."""
    reached = find_reaching(start, chosen or rules.rules, rules.is_test)
    ways = {node: way_from(reached, node) for node in reached if rules.is_test(node)}
    rules.index.read_rows({*ways, *(step.nearer for way in ways.values() for step in way)})
    rows = rules.index.rows
    shown: dict[Node, WayStep] = {}  # by where the step starts: many ways have their ends in common
    found = []
    for node, way in ways.items():
        for step in way:
            if step.node not in shown:
                shown[step.node] = _way_step(step, rows)
        row = rows[node] if isinstance(node, int) else None
        path = row.path if row is not None else str(node)
        id_ = runner_id(path, row.language, row.qualified_name) if row is not None else path
        found.append(ReachingTest(id_, path, row, [shown[step.node] for step in way]))
    return sorted(found, key=lambda test: (len(test.way), test.path, test.row.start_line if test.row else 0, test.id))


def _way_step(step: ReachStep, rows: Mapping[int, SnapshotEntity]) -> WayStep:
    row = rows.get(step.nearer) if isinstance(step.nearer, int) else None
    return WayStep(step, row, row.path if row is not None else str(step.nearer))
