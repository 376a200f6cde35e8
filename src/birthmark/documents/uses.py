"""Documents of uses: users and callees, impact, paths, tests, exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import asdict

from birthmark.documents.definitions import (
    EntityDocument,
    indexed_entity_document,
)
from birthmark.documents.document import Document, PagedDocument, doc, make, words
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.parts import (
    LocationDocument,
    RepositoryField,
    SiteDocument,
    UnaskedField,
    location_or_null,
    unasked_documents,
)
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.vocabulary import (
    DIFF_CHANGES,
    Aspect,
    Change,
    EdgeKind,
    ReachWord,
    Resolution,
)

if TYPE_CHECKING:
    from birthmark.app.answers.listing.exporting import ExportedEdge
    from birthmark.app.answers.uses.affected_tests import AffectedTests
    from birthmark.app.answers.uses.graph_nodes import GraphNode
    from birthmark.app.answers.uses.impact import ImpactAnswer, ImpactUser
    from birthmark.app.answers.uses.neighbours import EdgeElsewhere
    from birthmark.app.answers.uses.reaching_tests import ReachingTest, ReachingTests, WayStep
    from birthmark.app.answers.uses.use_paths import PathAnswer
    from birthmark.app.workspace.freshness import Freshness
    from birthmark.comparison.entity_changes import EntityChange
    from birthmark.graph.edges import Edge
    from birthmark.graph.network import NetworkEdge
    from birthmark.model import Problem


class EdgeDocument(Document, frozen=True):
    """A mention that connects the entity with another."""

    entity: Annotated[
        EntityDocument | None,
        doc("the far end; null for the top level of a file, and where there is none or more than one candidate"),
    ]
    edge: Annotated[EdgeKind, doc("what is done there; of callees `calls`")]
    depth: Annotated[int, doc("how many edges away: 1, as users and callees are")]
    resolution: Resolution
    name: Annotated[str, doc("as it is written at the site")]
    candidates: Annotated[
        int, doc("how many definitions may be meant; what may be outside of the repository counts as one more")
    ]
    site: SiteDocument
    repository: RepositoryField = None
    may_be_outside: Annotated[bool, doc("whether something outside of the repository may be meant")] = False


class PackageDocument(Document, frozen=True):
    """A package, by which other repositories import it."""

    ecosystem: str
    name: str


class EdgesDocument(PagedDocument, frozen=True):
    """An entity with its users or callees."""

    entity: EntityDocument
    results: list[EdgeDocument]
    searched_files: Annotated[int, doc("in how many files uses and definitions were looked for")]
    freshness: FreshnessDocument
    unasked: UnaskedField = ()
    packages: Annotated[
        tuple[PackageDocument, ...], doc("of users, with `--everywhere`: those it is in, by which others depend on it")
    ] = ()
    asked: Annotated[int, doc("of users, with `--everywhere`: how many other repositories were searched")] = 0


Entities = Mapping[int, IndexedEntity]


InTime = Annotated[bool, doc("false if the time was over before all was looked at")]


TopLevel = Annotated[EntityDocument | None, doc("null for the top level of a file")]


IsTest = Annotated[bool, doc("whether it is a test, or inside of one")]


class ImpactUserDocument(Document, frozen=True):
    """Something that may break when the entity is changed, and the use by which it is reached."""

    entity: TopLevel
    edge: EdgeKind
    depth: Annotated[int, doc("how many uses away: 1 for a direct user")]
    resolution: Resolution
    candidates: Annotated[int, doc("how many definitions may be meant: 1, as only what is claimed is followed")]
    site: SiteDocument
    is_test: IsTest
    through: Annotated[str, doc("the mark of what it uses, one step nearer: the entity, a member of it, or a result")]
    repository: RepositoryField = None


class ImpactDocument(PagedDocument, frozen=True):
    """An entity with all that may break when it is changed."""

    entity: EntityDocument
    results: Annotated[list[ImpactUserDocument], doc("nearest first")]
    complete: Annotated[bool, doc("false if there may be more: deeper, beyond the limit, or for want of time")]
    in_time: InTime
    possible: Annotated[int, doc("lines elsewhere that may mean it by its name, as other definitions; not followed")]
    freshness: FreshnessDocument
    unasked: UnaskedField = ()


class UseDocument(Document, frozen=True):
    """One thing that uses another."""

    user: TopLevel
    used: TopLevel
    used_path: Annotated[str, doc("the file of what is used; that of the user is in `site`")]
    edge: EdgeKind
    resolution: Resolution
    site: SiteDocument


class PathDocument(Document, frozen=True):
    """The shortest way from one entity to another along uses."""

    start: EntityDocument
    end: EntityDocument
    steps: Annotated[list[UseDocument], doc("none where there is no way")]
    in_time: InTime
    way_back: Annotated[bool, doc("whether `end` uses `start` instead, where there is no way")]
    freshness: FreshnessDocument


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


_End = Annotated[str, doc("a mark, or the path of a file for its top level or a module as a whole")]


class ExportDocument(Document, frozen=True, tag_field="record", tag="export"):
    """The first line: what is exported."""

    files: int
    freshness: FreshnessDocument


class ExportedEntityDocument(EntityDocument, frozen=True, tag_field="record", tag="entity"):
    """A definition."""


class ExportedEdgeDocument(Document, frozen=True, tag_field="record", tag="edge"):
    """A use of one definition by another."""

    user: _End
    used: _End
    edge: EdgeKind
    resolution: Resolution
    site: SiteDocument


def edges_document(
    indexed: IndexedEntity,
    edges: Iterable[tuple[Edge, IndexedEntity | None]],
    n_searched_files: int,
    freshness: Freshness,
    elsewhere: Iterable[EdgeElsewhere] = (),
    problems: Iterable[Problem] = (),
) -> EdgesDocument:
    """`elsewhere` are those in other repositories, `problems` the ones that could not be asked."""
    results = [_edge_document(edge, other) for edge, other in edges]
    results += [_edge_document(edge, other, repository) for repository, edge, other in elsewhere]
    about = n_searched_files, freshness_document(freshness), unasked_documents(problems)
    return EdgesDocument(indexed_entity_document(indexed), results, *about)


def _edge_document(edge: Edge, other: IndexedEntity | None, repository: str | None = None) -> EdgeDocument:
    return make(
        EdgeDocument,
        edge,
        entity=indexed_entity_document(other) if other else None,
        depth=1,
        candidates=edge.n_candidates + edge.may_be_outside,
        site=SiteDocument(edge.source_path, edge.line),
        repository=repository,
    )


def impact_document(
    answer: ImpactAnswer, entities: Entities, freshness: Freshness, problems: Iterable[Problem] = ()
) -> ImpactDocument:
    """`problems` are repositories that could not be asked."""
    others = [_impact_user(user, one.entities, one.repository) for one in answer.others for user in one.users]
    return ImpactDocument(
        indexed_entity_document(answer.indexed),
        [*(_impact_user(user, entities) for user in answer.users), *others],
        answer.is_complete,
        answer.is_in_time,
        answer.n_possible,
        freshness_document(freshness),
        unasked_documents(problems),
    )


def _impact_user(user: ImpactUser, entities: Entities, repository: str | None = None) -> ImpactUserDocument:
    step, used = user.step, user.used.entity
    assert used is not None, "only definitions are followed"
    return ImpactUserDocument(
        _entity_or_null(user.node, entities),
        step.edge,
        user.depth,
        step.resolution,
        step.n_candidates,
        SiteDocument(step.path, step.line),
        user.node.is_test,
        used.mark,
        repository,
    )


def path_document(answer: PathAnswer, entities: Entities, freshness: Freshness) -> PathDocument:
    return PathDocument(
        indexed_entity_document(answer.start),
        indexed_entity_document(answer.end),
        [use_document(*step, entities) for step in answer.steps],
        answer.is_in_time,
        answer.has_way_back,
        freshness_document(freshness),
    )


def use_document(user: GraphNode, used: GraphNode, step: NetworkEdge, entities: Entities) -> UseDocument:
    ends = _entity_or_null(user, entities), _entity_or_null(used, entities)
    return UseDocument(*ends, used.path, step.edge, step.resolution, SiteDocument(step.path, step.line))


def _entity_or_null(node: GraphNode, entities: Entities) -> EntityDocument | None:
    indexed = entities.get(node.entity.identity) if node.entity is not None else None
    return indexed_entity_document(indexed) if indexed is not None else None


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


def export_document(n_files: int, freshness: Freshness) -> ExportDocument:
    return ExportDocument(n_files, freshness_document(freshness))


def exported_entity_document(indexed: IndexedEntity) -> ExportedEntityDocument:
    return ExportedEntityDocument(**asdict(indexed_entity_document(indexed)))


def exported_edge_document(edge: ExportedEdge) -> ExportedEdgeDocument:
    site = SiteDocument(edge.path, edge.line)
    return ExportedEdgeDocument(edge.user, edge.used, edge.edge, edge.resolution, site)
