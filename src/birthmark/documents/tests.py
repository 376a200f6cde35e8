"""Documents of tests: those that reach an entity, and those that a change affects."""

from __future__ import annotations

from typing import Annotated

from birthmark.app.answers.uses.affected_tests import AffectedTests
from birthmark.app.answers.uses.reaching_tests import ReachingTest, ReachingTests, WayStep
from birthmark.app.workspace.freshness import Freshness
from birthmark.comparison.entity_changes import EntityChange
from birthmark.documents.answers import SiteDocument
from birthmark.documents.definitions import EntityDocument, indexed_entity_document
from birthmark.documents.document import Document, PagedDocument, doc, make, words
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.locations import LocationDocument, location_or_null
from birthmark.vocabulary import DIFF_CHANGES, Aspect, Change, ReachWord, Resolution


class WayStepDocument(Document, frozen=True):
    """A step of the way from a test: what the one before has to do with this one."""

    word: ReachWord
    mark: Annotated[str | None, doc("of what is reached; null for the top level of a file")]
    qualified_name: str | None
    path: Annotated[str, doc("of what is reached")]
    resolution: Annotated[Resolution | None, doc("how the use was found; null where the step is no use")]
    site: Annotated[SiteDocument, doc("the place that shows it")]


class ReachingTestDocument(Document, frozen=True):
    """A test, and why it is listed."""

    id: Annotated[str, doc("as its runner takes it: `path::Class::test`; a path where the whole file is the test")]
    mark: str | None
    qualified_name: str | None
    path: str
    start_line: int | None
    distance: Annotated[int, doc("how many steps away; 0 if the test itself changed")]
    way: Annotated[list[WayStepDocument], doc("from the test to what it reaches")]


class TestsDocument(PagedDocument, frozen=True):
    """An entity with the tests that reach it."""

    entity: EntityDocument
    results: Annotated[list[ReachingTestDocument], doc("nearest first")]
    all_tests: Annotated[int, doc("how many tests the index has")]
    freshness: FreshnessDocument


class CodeChangeDocument(Document, frozen=True):
    """A change of an entity that may change what its code does."""

    change: Annotated[Change, words(DIFF_CHANGES, "as in `diff`")]
    kind: str
    before: LocationDocument | None
    after: LocationDocument | None
    aspects: tuple[Aspect, ...]


class AffectedDocument(PagedDocument, frozen=True):
    """The tests to run after a change."""

    base: Annotated[str, doc("a commit id")]
    target: Annotated[str, doc("a commit id, or `the worktree`")]
    changes: list[CodeChangeDocument]
    changed_files: Annotated[list[str], doc("files that changed outside of their definitions")]
    unseen_files: Annotated[list[str], doc("changed files that are no source, and that no source names")]
    results: Annotated[list[ReachingTestDocument], doc("nearest first")]
    all_tests: int
    freshness: FreshnessDocument


def tests_document(found: ReachingTests, freshness: Freshness) -> TestsDocument:
    results = [test_document(test) for test in found.tests]
    entity, fresh = indexed_entity_document(found.indexed), freshness_document(freshness)
    return TestsDocument(entity, results, found.n_all, fresh)


def affected_document(found: AffectedTests, freshness: Freshness) -> AffectedDocument:
    return AffectedDocument(
        found.base,
        found.target,
        [_change_document(change) for change in found.changes],
        found.top_levels,
        found.unseen,
        [test_document(test) for test in found.tests],
        found.n_all,
        freshness_document(freshness),
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
