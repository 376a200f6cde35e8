"""Documents of uses: users and callees, impact, paths, tests, exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from posixpath import basename
from typing import TYPE_CHECKING, Annotated

from birthmark.documents.definitions import (
    EntityDocument,
    indexed_entity_document,
)
from birthmark.documents.document import KEPT, Brief, Document, PagedDocument, doc, words
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import (
    LocationDocument,
    RepositoryField,
    SiteDocument,
    UnaskedField,
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
from birthmark.words import place_elsewhere

if TYPE_CHECKING:
    from birthmark.graph.edges import Edge
    from birthmark.model import Problem


_TOP_LEVEL = "top level"


def _name_or_top_level(entity: EntityDocument | None) -> str:
    return entity.qualified_name if entity is not None else _TOP_LEVEL


def _mark_of(entity: EntityDocument | None) -> str | None:
    return entity.mark if entity is not None else None


def _far_name(edge: EdgeDocument) -> str:
    return edge.far_name


def _shown_at(edge: EdgeDocument) -> str:
    return edge.shown_at


def _site_elsewhere(user: ImpactUserDocument) -> str:
    return place_elsewhere(user.repository, user.site.in_brief())


def _through(user: ImpactUserDocument) -> str | None:
    return user.through if user.depth > 1 else None


def _has_all(document: ImpactDocument) -> bool:
    return document.complete or document.truncated


def _is_test(test: str) -> bool:
    return True


def _test_place(test: ReachingTestDocument) -> str:
    return f"{test.path}:{test.start_line}" if test.start_line is not None else test.path


def _way_names(way: list[WayStepDocument]) -> str:
    return " > ".join(step.qualified_name or step.path for step in way[:-1])


class EdgeDocument(Document, frozen=True):
    """A mention that connects the entity with another."""

    entity: Annotated[
        EntityDocument | None,
        doc(
            "the far end; null for the top level of a file, and where there is none or more than one candidate",
            brief=(Brief("name", _far_name, of_document=True), Brief("mark", _mark_of)),
        ),
    ]
    edge: Annotated[EdgeKind, doc("what is done there; of callees `calls`", brief=Brief("use"))]
    depth: Annotated[int, doc("how many edges away: 1, as users and callees are")]
    resolution: Annotated[Resolution, doc(brief=KEPT)]
    name: Annotated[str, doc("as it is written at the site")]
    candidates: Annotated[
        int, doc("how many definitions may be meant; what may be outside of the repository counts as one more")
    ]
    site: Annotated[SiteDocument, doc(brief=Brief("at", _shown_at, of_document=True))]
    repository: RepositoryField = None
    may_be_outside: Annotated[bool, doc("whether something outside of the repository may be meant")] = False

    @property
    def far_name(self) -> str:
        return _name_or_top_level(self.entity)

    @property
    def shown_at(self) -> str:
        return place_elsewhere(self.repository, self.site.in_brief())


class CalleeDocument(EdgeDocument, frozen=True):
    """A call by the entity."""

    @property
    def far_name(self) -> str:
        """Return the name at the site where it is not known what is called."""
        if self.entity is None:
            return self.name
        place = f"{self.entity.path}::{self.entity.qualified_name}"
        return place_elsewhere(self.repository, place) if self.repository else self.entity.qualified_name

    @property
    def shown_at(self) -> str:
        """Return the line, which is here even if what is called is elsewhere."""
        return self.site.in_brief()


class PackageDocument(Document, frozen=True):
    """A package, by which other repositories import it."""

    ecosystem: str
    name: str


class EdgesDocument(PagedDocument, frozen=True):
    """An entity with its users or callees."""

    entity: Annotated[EntityDocument, doc(brief=KEPT)]
    results: Annotated[list[EdgeDocument], doc(brief=Brief(cut=1))]
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

    entity: Annotated[TopLevel, doc(brief=(Brief("name", _name_or_top_level), Brief("mark", _mark_of)))]
    edge: Annotated[EdgeKind, doc(brief=Brief("use"))]
    depth: Annotated[int, doc("how many uses away: 1 for a direct user", brief=Brief(unless=1))]
    resolution: Annotated[Resolution, doc(brief=KEPT)]
    candidates: Annotated[int, doc("how many definitions may be meant: 1, as only what is claimed is followed")]
    site: Annotated[SiteDocument, doc(brief=Brief("at", _site_elsewhere, of_document=True))]
    is_test: Annotated[IsTest, doc(brief=Brief("test", unless=False))]
    through: Annotated[
        str,
        doc(
            "the mark of what it uses, one step nearer: the entity, a member of it, or a result",
            brief=Brief(form=_through, of_document=True, unless=""),
        ),
    ]
    through_name: Annotated[str, doc("the qualified name of that")]
    repository: RepositoryField = None


class ImpactDocument(PagedDocument, frozen=True):
    """An entity with all that may break when it is changed."""

    entity: Annotated[EntityDocument, doc(brief=KEPT)]
    results: Annotated[list[ImpactUserDocument], doc("nearest first", brief=Brief(cut=1))]
    complete: Annotated[
        bool,
        doc(
            "false if there may be more: deeper, beyond the limit, or for want of time",
            brief=Brief(form=_has_all, of_document=True, unless=True),
        ),
    ]
    in_time: InTime
    possible: Annotated[
        int,
        doc("lines elsewhere that may mean it by its name, as other definitions; not followed", brief=Brief(unless=0)),
    ]
    searched_files: Annotated[int, doc("in how many files uses were looked for")]
    freshness: FreshnessDocument
    unasked: UnaskedField = ()
    possible_users: Annotated[
        tuple[ImpactUserDocument, ...],
        doc("the first definitions and files with such lines, in the order of files", brief=Brief(cut=2)),
    ] = ()


class UseDocument(Document, frozen=True):
    """One thing that uses another."""

    user: Annotated[TopLevel, doc(brief=(Brief("name", _name_or_top_level), Brief("mark", _mark_of)))]
    used: Annotated[TopLevel, doc(brief=Brief("through", _name_or_top_level))]
    used_path: Annotated[str, doc("the file of what is used; that of the user is in `site`")]
    edge: Annotated[EdgeKind, doc(brief=Brief("use"))]
    resolution: Annotated[Resolution, doc(brief=KEPT)]
    site: Annotated[SiteDocument, doc(brief=Brief("at"))]
    user_is_test: IsTest
    used_is_test: IsTest


class PathDocument(Document, frozen=True):
    """The shortest way from one entity to another along uses."""

    start: Annotated[EntityDocument, doc(brief=Brief("entity"))]
    end: Annotated[EntityDocument, doc(brief=KEPT)]
    steps: Annotated[
        list[UseDocument], doc("none where there is no way", brief=Brief("results", cut=1, number="depth"))
    ]
    in_time: Annotated[InTime, doc(brief=Brief("complete", unless=True))]
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

    id: Annotated[
        str,
        doc(
            "as its runner takes it: `path::Class::test`; a path where the whole file is the test",
            brief=(Brief("name"), Brief("test", _is_test)),
        ),
    ]
    mark: Annotated[str | None, doc(brief=KEPT)]
    qualified_name: str | None
    path: Annotated[str, doc(brief=Brief("at", _test_place, of_document=True))]
    start_line: int | None
    distance: Annotated[int, doc("how many steps away; 0 if the test itself changed", brief=Brief("depth", unless=1))]
    way: Annotated[
        list[WayStepDocument], doc("from the test to what it reaches", brief=Brief("through", _way_names, unless=""))
    ]
    score: Annotated[
        float,
        doc("evidence that it is about what it reaches, from 0 to 1; 1 if the test itself changed"),
    ]


class TestsDocument(PagedDocument, frozen=True):
    """An entity with the tests that reach it."""

    entity: Annotated[EntityDocument, doc(brief=KEPT)]
    results: Annotated[list[ReachingTestDocument], doc("those with most evidence first", brief=Brief(cut=1))]
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
    results: Annotated[list[ReachingTestDocument], doc("those with most evidence first")]
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
    freshness: FreshnessDocument,
    elsewhere: Iterable[tuple[str, Edge, IndexedEntity | None]] = (),
    problems: Iterable[Problem] = (),
    kind: type[EdgeDocument] = EdgeDocument,
) -> EdgesDocument:
    """`elsewhere` are those in other repositories, `problems` the ones that could not be asked."""
    one = partial(_edge_document, kind, cache(indexed_entity_document))  # Many edges start at the same entity.
    results = [one(edge, other) for edge, other in edges]
    results += [one(edge, other, repository) for repository, edge, other in elsewhere]
    about = n_searched_files, freshness, unasked_documents(problems)
    return EdgesDocument(indexed_entity_document(indexed), results, *about)


def _edge_document(
    kind: type[EdgeDocument],
    document_of: Callable[[IndexedEntity], EntityDocument],
    edge: Edge,
    other: IndexedEntity | None,
    repository: str | None = None,
) -> EdgeDocument:
    return kind(
        document_of(other) if other else None,
        edge.edge,
        1,
        edge.resolution,
        edge.name,
        edge.n_candidates + edge.may_be_outside,
        SiteDocument(edge.source_path, edge.line),
        repository,
        edge.may_be_outside,
    )


def name_of(entity: EntityDocument | None, path: str) -> str:
    """Return the name of a definition, or of the top level of a file."""
    return entity.qualified_name if entity is not None else f"top level of {basename(path)}"
