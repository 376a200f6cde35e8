"""Documents of tests: those that reach a definition, and those to run after a change."""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.app.answers.affected_tests import TestsToRun
from birthmark.app.answers.reaching_tests import ReachingTest, WayStep
from birthmark.comparison.entity_changes import EntityChange
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.document import make
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import SiteDocument, location_or_null
from birthmark.documents.uses import (
    AffectedDocument,
    CodeChangeDocument,
    ReachingTestDocument,
    TestsDocument,
    WayStepDocument,
)
from birthmark.queries.snapshot_view import IndexedEntity


def tests_document(
    indexed: IndexedEntity, tests: Iterable[ReachingTest], n_all: int, freshness: FreshnessDocument
) -> TestsDocument:
    results = [test_document(test) for test in tests]
    return TestsDocument(indexed_entity_document(indexed), results, n_all, freshness)


def affected_document(found: TestsToRun, freshness: FreshnessDocument) -> AffectedDocument:
    return AffectedDocument(
        found.base,
        found.target,
        [_change_document(change) for change in found.changes],
        found.top_levels,
        found.unseen,
        [test_document(test) for test in found.tests],
        found.n_all,
        freshness,
    )


def _change_document(change: EntityChange) -> CodeChangeDocument:
    before, after = location_or_null(change.before), location_or_null(change.after)
    return make(CodeChangeDocument, change, before=before, after=after)


def test_document(test: ReachingTest) -> ReachingTestDocument:
    row = test.row
    return make(
        ReachingTestDocument,
        test,
        mark=row.mark if row is not None else None,
        qualified_name=row.qualified_name if row is not None else None,
        start_line=row.start_line if row is not None else None,
        way=[_step_document(step) for step in test.way],
    )


def _step_document(step: WayStep) -> WayStepDocument:
    row, found = step.row, step.step
    return make(
        WayStepDocument,
        found,
        mark=row.mark if row is not None else None,
        qualified_name=row.qualified_name if row is not None else None,
        path=step.path,
        site=SiteDocument(found.path, found.line),
    )
