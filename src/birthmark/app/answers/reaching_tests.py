"""The tests that reach something, those with most evidence first, each with the way that says why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.comparison.file_roles import role_of
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.parts import SiteDocument
from birthmark.documents.uses import ReachingTestDocument, TestsDocument, WayStepDocument
from birthmark.graph.network import Node
from birthmark.queries.reach import ReachStep, Rule, find_reaching, recording, way_from
from birthmark.queries.test_code import runner_id
from birthmark.queries.test_ranking import Passage, nearness_of, score_tests
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import FileRole

NAMED = "\0"  # before the name of what the index does not have, which is no path of a file


def find_tests(session: Session, ref: str) -> TestsDocument:
    """Return an entity with the tests that reach it."""
    indexed = find_indexed(session, ref)
    found, n_all = find_reaching_tests(session, [indexed.identity]), session.reach_rules.tests.n_tests
    return TestsDocument(indexed_entity_document(indexed), found, n_all, freshness_document(session.freshness))


def find_reaching_tests(
    session: Session, start: Collection[Node], chosen: Sequence[Rule] = (), naming: Collection[ReachStep] = ()
) -> list[ReachingTestDocument]:
    """Return the tests that reach the start by the chosen rules, by default all; those with most evidence first.

    A test has the name that its runner takes. Its score is the evidence that it is about what it reaches; see
    `queries/test_ranking.py`.
    `naming` are steps from what names something that the index does not have, as it is gone or no source.
    """
    rules = session.reach_rules
    steps: dict[Node, list[ReachStep]] = {}
    start = {*start, *(step.nearer for step in naming)}
    followed = _with_names(chosen or rules.rules, naming) if naming else chosen or rules.rules
    reached = find_reaching(start, [recording(rule, steps) for rule in followed], rules.is_test)
    ways = {node: way_from(reached, node) for node in reached if rules.is_test(node)}
    rules.index.read_rows({*start, *ways, *(step.nearer for way in ways.values() for step in way)})
    scores = _score(session, start, [*ways], nearness_of(start, steps, rules.is_test))
    rows = rules.index.rows
    shown: dict[Node, WayStepDocument] = {}  # by where the step starts: many ways have their ends in common
    found = []
    for node, way in ways.items():
        for step in way:
            if step.node not in shown:
                shown[step.node] = _way_step(step, rows)
        row = rows[node] if isinstance(node, int) else None
        path = row.path if row is not None else str(node)
        id_ = runner_id(path, row.language, row.qualified_name) if row is not None else path
        documents, score = [shown[step.node] for step in way], round(scores[node], 3)
        found.append(ReachingTestDocument(id_, *_names(row), path, row and row.start_line, len(way), documents, score))
    return sorted(found, key=_order)


def _with_names(rules: Sequence[Rule], naming: Iterable[ReachStep]) -> list[Rule]:
    """Return rules of which the others are not asked about what the index does not have."""
    places: dict[Node, list[ReachStep]] = {}
    for step in naming:
        places.setdefault(step.nearer, []).append(step)

    def known(rule: Rule) -> Rule:
        return lambda frontier: rule([node for node in frontier if node not in places])

    return [lambda frontier: [step for node in frontier for step in places.get(node, ())], *map(known, rules)]


def _order(test: ReachingTestDocument) -> tuple[float, int, str, int, str]:
    return -test.score, test.distance, test.path, test.start_line or 0, test.id


def _score(
    session: Session, start: Collection[Node], tests: Collection[Node], nearness: Mapping[Node, float]
) -> Mapping[Node, float]:
    """Return the score of each test; what changed in tests is no evidence for others, unless nothing else changed."""
    passages = _Passages(session)
    tested = {node: passages.of(node) for node in tests}
    changed = [one for node in sorted(start, key=str) if node not in tested and (one := passages.of(node)).path]
    sources = [one for one in changed if role_of(one.path) is not FileRole.TEST]
    return score_tests(sources or changed or [*tested.values()][:1], tested, nearness)


class _Passages:
    """The texts of definitions and files of a snapshot, each file read once."""

    def __init__(self, session: Session) -> None:
        self._graph, self._rows = session.graph, session.reach_rules.index.rows
        self._lines = cache(lambda path: self._graph.text(path).split("\n"))

    def of(self, node: Node) -> Passage:
        if isinstance(node, str) and node.startswith(NAMED):
            path, _, name = node.removeprefix(NAMED).partition("::")
            return Passage(path, name, "")
        if isinstance(node, str):
            return Passage(node, "", "\n".join(self._lines(node)) if node in self._graph.paths() else "")
        row = self._rows.get(node)
        if row is None:
            return Passage("", "", "")
        return Passage(
            row.path, row.qualified_name, "\n".join(self._lines(row.path)[row.start_line - 1 : row.end_line])
        )


def _way_step(step: ReachStep, rows: Mapping[int, SnapshotEntity]) -> WayStepDocument:
    row = rows.get(step.nearer) if isinstance(step.nearer, int) else None
    path = row.path if row is not None else str(step.nearer).removeprefix(NAMED)
    return WayStepDocument(step.word, *_names(row), path, step.resolution, SiteDocument(step.path, step.line))


def _names(row: SnapshotEntity | None) -> tuple[str | None, str | None]:
    return (row.mark, row.qualified_name) if row is not None else (None, None)
