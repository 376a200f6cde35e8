"""Documents of answers about a REF: show, resolve, callers and callees, and what was deleted from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from birthmark.app.answers.clones import SimilarEntities
from birthmark.app.answers.resolving import ResolvedAt
from birthmark.app.answers.showing import ShownEntity
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.changes import ConfidenceField, EvidenceField
from birthmark.documents.commits import ByCommit, DeletionDocument, deletion_or_null, ledger_deletion_document
from birthmark.documents.definitions import (
    ChunkDocument,
    EntityDocument,
    NodeDocument,
    chunk_document,
    indexed_entity_document,
    node_document,
)
from birthmark.documents.derivations import (
    CarriersField,
    DerivativesField,
    SourcesField,
    carrier_documents,
    derivation_documents,
)
from birthmark.documents.document import Document, PagedDocument, doc, make, words
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.locations import (
    FormerField,
    LocationDocument,
    RepositoryField,
    location_document,
    location_or_null,
)
from birthmark.documents.notes import NotesField, note_document
from birthmark.graph.edges import Edge
from birthmark.model import Problem
from birthmark.queries.life import DeletedIdentity, LedgerEvent, Life
from birthmark.queries.resolve import ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.server.across.other_repositories import RepositoryEdges
from birthmark.sources.git.log import Commit
from birthmark.vocabulary import LEDGER_CHANGES, Change, Confidence, EdgeKind, RefStatus, Resolution

_MOST_FORMER_OWNERS = 100


class ShownDocument(EntityDocument, frozen=True):
    """An entity with its source, as it is, or as it was before it was deleted."""

    status: RefStatus
    source: str
    indent: Annotated[int, doc("columns before the first line of `source` in its file, which are not part of it")]
    was: FormerField
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone")]
    derived_from: SourcesField
    derivatives: DerivativesField
    carried_by: CarriersField
    notes: NotesField
    freshness: FreshnessDocument


class LedgerEventDocument(Document, frozen=True):
    """What happened to an identity at a run of the index, or at a commit that was replayed."""

    change: Annotated[Change, words(LEDGER_CHANGES, "`born` is the first, `revived` is back after it was deleted")]
    revision: str | None
    by_commit: ByCommit
    subject: Annotated[str | None, doc("of the commit, null where the clone does not have it")]
    branch: str | None
    at: Annotated[int, doc("Unix seconds")]
    before: LocationDocument | None
    after: Annotated[LocationDocument | None, doc("null if it was deleted")]
    evidence: EvidenceField
    confidence: ConfidenceField


class CandidateDocument(Document, frozen=True):
    """One of several that a REF may mean, where it is now, or was before it was deleted."""

    mark: str
    key: str
    status: RefStatus
    qualified_name: str
    path: str
    start_line: int
    end_line: int
    signature: Annotated[str | None, doc("the head of the definition, null if it is gone")]


class LocationAtDocument(Document, frozen=True):
    """Where an entity was at a revision."""

    revision: str
    place: Annotated[LocationDocument | None, doc("null if it was not there")]


class ResolvedDocument(Document, frozen=True):
    """Where any id is now, or what became of it."""

    ref: Annotated[str, doc("as asked")]
    status: RefStatus
    entity: EntityDocument | None
    events: Annotated[list[LedgerEventDocument], doc("from birth on")]
    candidates: Annotated[list[CandidateDocument], doc("what it may be, if that is ambiguous; a hundred at most")]
    node: Annotated[NodeDocument | None, doc("where the node is now that the REF named")]
    chunk: Annotated[ChunkDocument | None, doc("where the chunk is now that the REF named")]
    was: FormerField
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone")]
    former_owners: Annotated[list[CandidateDocument], doc("what else had the name once; a hundred at most")]
    problem: Annotated[str | None, doc("why it is unknown or ambiguous, and what to ask instead")]
    derived_from: SourcesField
    derivatives: DerivativesField
    carried_by: CarriersField
    freshness: FreshnessDocument
    at: Annotated[LocationAtDocument | UnsetType, doc("with `--at REV` only")] = UNSET


class ResolvedListDocument(Document, frozen=True):
    """The answers to many REFs."""

    results: Annotated[list[ResolvedDocument], doc("in the order of the REFs")]


class DeletedDocument(Document, frozen=True):
    """What was deleted from a file."""

    mark: str
    key: str
    before: Annotated[LocationDocument, doc("where it was before it was deleted")]
    revision: Annotated[str | None, doc("the commit of `deletion`")]
    at: Annotated[int, doc("when it was deleted, in Unix seconds")]
    entity: Annotated[EntityDocument | None, doc("where it is now, if it is present again")]
    deletion: DeletionDocument


class UnaskedDocument(Document, frozen=True):
    """Another repository that could not be asked, and why."""

    repository: str
    problem: str


UnaskedField = Annotated[
    tuple[UnaskedDocument, ...], doc("with `--everywhere`: other repositories that could not be asked")
]


class SiteDocument(Document, frozen=True):
    """Where one definition mentions another."""

    path: str
    line: int


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


class CloneDocument(Document, frozen=True):
    """A definition that is nearly the same as others."""

    entity: EntityDocument
    share: Annotated[float, doc("of the tokens of it and of the first one, how many both have: 0 to 1")]
    repository: RepositoryField = None
    born: Annotated[
        int | None,
        doc("with `--everywhere`: when a commit introduced it, in Unix seconds; null where history was not replayed"),
    ] = None


class CloneGroupDocument(Document, frozen=True):
    """Definitions that are nearly the same."""

    clones: Annotated[list[CloneDocument], doc("what the REF names, or the one that most others are like, first")]
    tokens: Annotated[int, doc("of the body of the first one")]


class ClonesDocument(PagedDocument, frozen=True):
    """Definitions that are nearly the same, by group."""

    entity: Annotated[EntityDocument | None, doc("what the REF names; null without one")]
    groups: Annotated[list[CloneGroupDocument], doc("those with most code first")]
    searched_files: int
    searched_entities: Annotated[int, doc("with enough code to be compared")]
    freshness: FreshnessDocument
    unasked: UnaskedField = ()


def shown_document(shown: ShownEntity, freshness: Freshness) -> ShownDocument:
    resolved = shown.answer.resolved
    return ShownDocument(
        **asdict(indexed_entity_document(shown.indexed)),
        status=RefStatus.GONE if resolved.indexed is None else RefStatus.PRESENT,
        source=shown.text,
        indent=shown.indent,
        was=_former_location(resolved),
        deletion=deletion_or_null(resolved.deletion, shown.answer.commits),
        derived_from=derivation_documents(resolved.descent.derived_from),
        derivatives=derivation_documents(resolved.descent.derivatives),
        carried_by=carrier_documents(resolved.descent.carriers),
        notes=[note_document(one) for one in shown.notes],
        freshness=freshness_document(freshness),
    )


def resolved_document(answer: ResolvedAt, freshness: Freshness) -> ResolvedDocument:
    resolved, at = answer.resolved, answer.location
    node, chunk = resolved.node, resolved.chunk
    return ResolvedDocument(
        _text(resolved.ref),
        resolved.status,
        indexed_entity_document(resolved.indexed) if resolved.indexed else None,
        [event_document(event, answer.commits) for event in resolved.events],
        [_candidate_document(candidate.life, candidate.indexed) for candidate in resolved.candidates],
        node_document(node[1], node[2], node[0]) if node else None,
        chunk_document(*chunk) if chunk else None,
        _former_location(resolved),
        deletion_or_null(resolved.deletion, answer.commits),
        [_candidate_document(other.life) for other in resolved.former_owners[:_MOST_FORMER_OWNERS]],
        _text(str(resolved.problem)) if resolved.problem is not None else None,
        derivation_documents(resolved.descent.derived_from),
        derivation_documents(resolved.descent.derivatives),
        carrier_documents(resolved.descent.carriers),
        freshness_document(freshness),
        UNSET if at is None else LocationAtDocument(at[0], location_or_null(at[1])),
    )


def _text(given: str) -> str:
    """What a user gave may have bytes in it that are no text."""
    return given.encode("utf-8", "backslashreplace").decode()


def _former_location(resolved: ResolvedRef) -> LocationDocument | None:
    return location_or_null(resolved.was.event if resolved.was is not None else None)


def _subject(event: LedgerEvent, commits: Mapping[str, Commit]) -> str | None:
    commit = commits.get(event.run.revision or "")
    return commit.subject if commit is not None else None


def _candidate_document(life: Life, indexed: IndexedEntity | None = None) -> CandidateDocument:
    shown, identity = life.shown, life.identity
    where = shown or life.last.event
    return CandidateDocument(
        identity.mark,
        shown.key if shown is not None else identity.key,
        RefStatus.GONE if shown is None else RefStatus.PRESENT,
        where.qualified_name,
        where.path,
        where.start_line,
        where.end_line,
        indexed.entity.signature if indexed is not None else None,
    )


def event_document(ledger_event: LedgerEvent, commits: Mapping[str, Commit]) -> LedgerEventDocument:
    event, run = ledger_event.event, ledger_event.run
    return LedgerEventDocument(
        Change(event.change),
        run.revision,
        ledger_event.is_replayed,
        _subject(ledger_event, commits),
        run.branch,
        run.at,
        location_or_null(ledger_event.before),
        None if event.change == Change.DELETED else location_document(event),
        event.evidence,
        Confidence(event.confidence) if event.confidence is not None else None,
    )


def deleted_document(deleted: DeletedIdentity, commits: Mapping[str, Commit]) -> DeletedDocument:
    return DeletedDocument(
        deleted.identity.mark,
        deleted.identity.key,
        location_document(deleted.deletion.event),
        deleted.deletion.run.revision,
        deleted.deletion.run.at,
        indexed_entity_document(deleted.indexed) if deleted.indexed else None,
        ledger_deletion_document(deleted.deletion, commits),
    )


def edges_document(
    indexed: IndexedEntity,
    edges: Iterable[tuple[Edge, IndexedEntity | None]],
    n_searched_files: int,
    freshness: Freshness,
    elsewhere: Iterable[RepositoryEdges] = (),
    problems: Iterable[Problem] = (),
) -> EdgesDocument:
    """`elsewhere` are those in other repositories, `problems` what was in the way there."""
    results = [_edge_document(edge, other) for edge, other in edges]
    results += [_edge_document(*user, found.repository) for found in elsewhere for user in found.edges]
    about = n_searched_files, freshness_document(freshness), unasked_documents(problems)
    return EdgesDocument(indexed_entity_document(indexed), results, *about)


def unasked_documents(problems: Iterable[Problem]) -> tuple[UnaskedDocument, ...]:
    return tuple(UnaskedDocument(one.path, one.problem) for one in problems)


def clones_document(found: SimilarEntities, freshness: Freshness, problems: Iterable[Problem] = ()) -> ClonesDocument:
    groups = [
        CloneGroupDocument(
            [
                CloneDocument(indexed_entity_document(one.indexed), one.share, one.repository, one.born)
                for one in group.entities
            ],
            group.n_tokens,
        )
        for group in found.groups
    ]
    subject = indexed_entity_document(found.subject) if found.subject is not None else None
    about = found.n_files, found.n_searched, freshness_document(freshness), unasked_documents(problems)
    return ClonesDocument(subject, groups, *about)


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
