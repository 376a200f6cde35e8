"""Documents of answers about one definition: show, resolve, notes, context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import UNSET, UnsetType

from birthmark.documents.anchors import AnchorFateDocument
from birthmark.documents.brief import LINE, day, place_of, short_commit
from birthmark.documents.changes import BoundaryField, ConfidenceField, EvidenceField
from birthmark.documents.definitions import (
    ChunkDocument,
    EntityDocument,
    NodeDocument,
    chunk_document,
    indexed_entity_document,
    node_document,
)
from birthmark.documents.document import KEPT, Brief, Document, PagedDocument, doc, words
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import (
    CarriersField,
    DeletionDocument,
    DerivativesField,
    FormerField,
    LocationDocument,
    PatchDocument,
    SourcesField,
    UnaskedField,
    after_if_changed,
    before_if_changed,
    carrier_documents,
    deletion_document,
    deletion_or_null,
    derivation_documents,
    ledger_deletion_document,
    location_document,
    location_or_null,
    write_date,
)
from birthmark.vocabulary import (
    LEDGER_CHANGES,
    Aspect,
    Change,
    Confidence,
    ContextPart,
    HistoryChange,
    NoteMatch,
    RefStatus,
    SubscriptionHome,
)

if TYPE_CHECKING:
    from birthmark.model import Entity
    from birthmark.queries.life import DeletedIdentity, LedgerEvent, Life
    from birthmark.queries.resolve import Elsewhere, ResolvedRef
    from birthmark.queries.snapshot_view import IndexedEntity
    from birthmark.sources.git.log import Commit


def _noted_name(note: NoteDocument) -> str:
    return (note.place or note.accepted).qualified_name


def _indented_source(shown: ShownDocument) -> str:
    return " " * shown.indent + shown.source


def _events_of_life(events: list[LedgerEventDocument]) -> list[LedgerEventDocument]:
    """Return when it came, went or got another name or place, newest first; its history has the edits."""
    return [one for one in reversed(events) if one.change is not Change.MODIFIED or before_if_changed(one)]


def _all_candidates(resolved: ResolvedDocument) -> list[CandidateDocument]:
    return [*resolved.candidates, *resolved.former_owners]


class NotedEntityDocument(LocationDocument, frozen=True):
    """The definition that a note is about, as it was when the note was written or last kept."""

    mark: str | None
    key: str | None
    language: str
    kind: str
    revision: Annotated[str | None, doc("the commit that was indexed then")]


class NoteDocument(Document, frozen=True):
    """A note, and what became of what it is about."""

    id: Annotated[str, doc(brief=KEPT)]
    text: Annotated[str, doc("plain text, which may have several lines", brief=KEPT)]
    author: Annotated[str | None, doc("git's `user.name`, if there was one", brief=KEPT)]
    created_at: str
    updated_at: Annotated[str, doc(brief=Brief("date", day))]
    stored: Annotated[SubscriptionHome, doc("personally, beside the index, or in the repository for a team")]
    accepted: Annotated[NotedEntityDocument, doc(brief=Brief("name", _noted_name, of_document=True))]
    status: Annotated[RefStatus, doc("of what it is about; `unknown` if this index knows nothing of it")]
    matched_by: Annotated[NoteMatch | None, doc("by what it was found; null if `status` is `unknown`")]
    mark: Annotated[str | None, doc("in this index, null unless it is one thing", brief=KEPT)]
    place: Annotated[LocationDocument | None, doc("where it is now, null unless it is present")]
    stale: Annotated[
        bool,
        doc("whether the interface or the body has changed since, or it is not present", brief=Brief(unless=False)),
    ]
    aspects: Annotated[
        list[Aspect],
        doc("what has changed since; none though it is stale, if the former code is no longer known", brief=KEPT),
    ]
    patch: Annotated[PatchDocument | None, doc("the lines that changed since; null if the former ones are not known")]
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone")]
    carried_by: CarriersField


NotesField = Annotated[list[NoteDocument], doc("what was written down about it, the oldest first")]


class NotePage(PagedDocument, frozen=True):
    """Notes."""

    items: Annotated[list[NoteDocument], doc(brief=Brief("notes", cut=1))]
    freshness: FreshnessDocument


_MOST_FORMER_OWNERS = 100


class CandidateDocument(Document, frozen=True):
    """One of several that a REF may mean, where it is now, or was before it was deleted."""

    mark: Annotated[str, doc(brief=KEPT)]
    key: str
    status: Annotated[RefStatus, doc(brief=KEPT)]
    qualified_name: Annotated[str, doc(brief=Brief("name"))]
    path: Annotated[str, doc(brief=Brief("place", place_of, of_document=True))]
    start_line: int
    end_line: int
    signature: Annotated[str | None, doc("the head of the definition, null if it is gone", brief=LINE)]
    overload: Annotated[str | None, doc("its name with the types of its parameters, if others share the name")] = None


FormerOwnersField = Annotated[Sequence[CandidateDocument], doc("what else had the name once; a hundred at most")]
InheritedField = Annotated[
    str | None, doc("the class that the REF names, if it has the definition from a base", brief=KEPT)
]


class ShownDocument(EntityDocument, frozen=True):
    """An entity with its source, as it is, or as it was before it was deleted."""

    base_in_brief: ClassVar = "entity"

    status: Annotated[RefStatus, doc(brief=KEPT)]
    source: Annotated[str, doc(brief=Brief(form=_indented_source, of_document=True, unless="", cut=2))]
    indent: Annotated[int, doc("columns before the first line of `source` in its file, which are not part of it")]
    was: FormerField
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone", brief=KEPT)]
    derived_from: Annotated[SourcesField, doc(brief=KEPT)]
    derivatives: DerivativesField
    carried_by: Annotated[CarriersField, doc(brief=KEPT)]
    notes: Annotated[NotesField, doc(brief=Brief(cut=1))]
    freshness: FreshnessDocument
    former_owners: FormerOwnersField = ()
    inherited_by: InheritedField = None


def _brief_commit(event: LedgerEventDocument) -> str | None:
    return short_commit(event.revision) if event.by_commit else None


class LedgerEventDocument(Document, frozen=True):
    """A change of an identity, found by a run of the index or in a replayed commit."""

    change: Annotated[
        Change,
        words(
            LEDGER_CHANGES,
            "`born` is the first, `revived` is back after it was deleted",
            brief=KEPT,
        ),
    ]
    revision: Annotated[
        str | None,
        doc(
            "the commit, or the one that was checked out when a run of the index found it; null if no commit has it",
            brief=Brief("commit", _brief_commit, of_document=True),
        ),
    ]
    by_commit: Annotated[
        bool,
        doc("whether that commit did it; else a run of the index found it", brief=Brief(unless=True)),
    ]
    subject: Annotated[str | None, doc("of the commit, null where the clone does not have it", brief=LINE)]
    branch: str | None
    at: Annotated[int, doc("Unix seconds")]
    before: Annotated[LocationDocument | None, doc(brief=Brief(form=before_if_changed, of_document=True))]
    after: Annotated[
        LocationDocument | None, doc("null if it was deleted", brief=Brief(form=after_if_changed, of_document=True))
    ]
    evidence: EvidenceField
    confidence: ConfidenceField
    changes: Annotated[tuple[HistoryChange, ...], doc("in detail, as in `history`; of commits only")] = ()
    author: Annotated[str | None, doc("of the commit, null where there is none")] = None
    date: Annotated[str | None, doc("the author's, as in `history`")] = None
    is_boundary: BoundaryField = False


class LocationAtDocument(Document, frozen=True):
    """The location of an entity at a revision."""

    revision: str
    place: Annotated[LocationDocument | None, doc("null if it was not there")]
    kind: Annotated[str | None, doc("of the definition there, null if it was not there")] = None

    def in_brief(self) -> str | None:
        return place_of(self.place) if self.place is not None else None


class ElsewhereDocument(Document, frozen=True):
    """The fate of a definition in another worktree, where it differs."""

    worktree: Annotated[str, doc(brief=KEPT)]
    branch: str | None
    status: Annotated[RefStatus, doc("`present`, or `gone` if it was deleted there", brief=KEPT)]
    place: Annotated[LocationDocument | None, doc("null if it was deleted there", brief=KEPT)]


class ResolvedDocument(Document, frozen=True):
    """The current location of an id, or its fate."""

    ref: Annotated[str, doc("as asked", brief=KEPT)]
    status: Annotated[RefStatus, doc(brief=KEPT)]
    entity: Annotated[EntityDocument | None, doc(brief=KEPT)]
    events: Annotated[list[LedgerEventDocument], doc("from birth on", brief=Brief(form=_events_of_life, cut=2))]
    candidates: Annotated[
        list[CandidateDocument],
        doc(
            "what it may be, if that is ambiguous; a hundred at most",
            brief=Brief(form=_all_candidates, of_document=True, cut=1),
        ),
    ]
    node: Annotated[NodeDocument | None, doc("where the node is now that the REF named")]
    chunk: Annotated[ChunkDocument | None, doc("where the chunk is now that the REF named")]
    was: FormerField
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone", brief=KEPT)]
    former_owners: FormerOwnersField
    problem: Annotated[str | None, doc("why it is unknown or ambiguous, and what to ask instead", brief=KEPT)]
    derived_from: SourcesField
    derivatives: DerivativesField
    carried_by: Annotated[CarriersField, doc(brief=KEPT)]
    freshness: FreshnessDocument
    at: Annotated[LocationAtDocument | UnsetType, doc("with `--at REV` only", brief=Brief("then"))] = UNSET
    mark: Annotated[str | None, doc("also of what is gone; null if it was never indexed")] = None
    key: Annotated[str | None, doc("the last one; null if it was never indexed")] = None
    choices: Annotated[Sequence[str], doc("with a `problem`, what may be meant, a line each")] = ()
    unasked: UnaskedField = ()
    elsewhere: Annotated[
        tuple[ElsewhereDocument, ...],
        doc("other worktrees in which it is present and not here, or deleted", brief=KEPT),
    ] = ()
    last_place: Annotated[LocationDocument | None, doc("where it was last, null if it is present or unknown")] = None
    inherited_by: InheritedField = None
    renamed_in: Annotated[
        DeletionDocument | None,
        doc("the commit that made `entity`, or else the candidate, of it; only where git alone tells", brief=KEPT),
    ] = None
    anchor: Annotated[
        AnchorFateDocument | None, doc("what became of what an anchor names; null for another REF", brief=KEPT)
    ] = None


class ResolvedListDocument(Document, frozen=True):
    """The answers to many REFs."""

    results: Annotated[list[ResolvedDocument], doc("in the order of the REFs")]


class DeletedDocument(Document, frozen=True):
    """A definition that was deleted from a file."""

    mark: str
    key: str
    before: Annotated[LocationDocument, doc("where it was before it was deleted")]
    revision: Annotated[str | None, doc("the commit of `deletion`")]
    at: Annotated[int, doc("when it was deleted, in Unix seconds")]
    entity: Annotated[EntityDocument | None, doc("where it is now, if it is present again")]
    deletion: DeletionDocument


class ContextPieceDocument(Document, frozen=True):
    """A piece of a context."""

    part: Annotated[ContextPart, doc(brief=KEPT)]
    mark: Annotated[str | None, doc("null for the top level of a file")]
    qualified_name: str
    path: str
    start_line: int
    end_line: int
    why: str
    shortened: Annotated[bool, doc("whether a fuller form did not fit")]
    text: Annotated[str, doc("as Markdown", brief=KEPT)]


class ContextDocument(Document, frozen=True):
    """The context that a language model needs to work on an entity, within a token budget."""

    entity: Annotated[EntityDocument, doc(brief=KEPT)]
    since: Annotated[str | None, doc("the commit since which the pieces changed; null if all are asked for")]
    budget: int
    tokens: Annotated[int, doc("of `text`, estimated; never more than the budget")]
    pieces: Annotated[list[ContextPieceDocument], doc("in the order of priority", brief=Brief(cut=1))]
    left_out: Annotated[dict[str, int], doc("pieces that did not fit, by part")]
    text: Annotated[str, doc("all pieces as one Markdown text")]
    notes: NotesField
    freshness: FreshnessDocument


def resolved_document(
    resolved: ResolvedRef,
    at: tuple[str, Entity | None] | None,
    commits: Mapping[str, Commit],
    freshness: FreshnessDocument,
) -> ResolvedDocument:
    """`at` is a commit, and the entity as it was there."""
    past = resolved.past
    node, chunk = resolved.node, resolved.chunk
    return ResolvedDocument(
        given_text(resolved.ref),
        resolved.status,
        indexed_entity_document(resolved.indexed) if resolved.indexed else None,
        [event_document(event, commits) for event in resolved.events],
        [_candidate_document(candidate.life, candidate.indexed) for candidate in resolved.candidates],
        node_document(node[1], node[2], node[0]) if node else None,
        chunk_document(*chunk) if chunk else None,
        former_location(resolved),
        _deletion(resolved, commits),
        former_owners(resolved),
        given_text(str(resolved.problem)) if resolved.problem is not None else None,
        derivation_documents(resolved.descent.derived_from),
        derivation_documents(resolved.descent.derivatives),
        carrier_documents(resolved.descent.carriers),
        freshness,
        UNSET if at is None else LocationAtDocument(at[0], location_or_null(at[1]), at[1].kind if at[1] else None),
        resolved.identity.mark if resolved.identity is not None else None,
        resolved.indexed.key if resolved.indexed is not None else resolved.identity and resolved.identity.key,
        tuple(map(given_text, resolved.problem.choices)) if resolved.problem is not None else (),
        elsewhere=tuple(_elsewhere_document(one) for one in resolved.elsewhere),
        last_place=_last_place(resolved),
        inherited_by=resolved.inherited_by,
        renamed_in=deletion_document(past.renaming) if past is not None and past.renaming is not None else None,
    )


def _elsewhere_document(one: Elsewhere) -> ElsewhereDocument:
    status = RefStatus.GONE if one.place is None else RefStatus.PRESENT
    return ElsewhereDocument(one.worktree, one.branch or None, status, location_or_null(one.place))


def _deletion(resolved: ResolvedRef, commits: Mapping[str, Commit]) -> DeletionDocument | None:
    if resolved.past is not None:
        return deletion_document(resolved.past.deletion) if resolved.past.deletion is not None else None
    return deletion_or_null(resolved.deletion, commits)


def _last_place(resolved: ResolvedRef) -> LocationDocument | None:
    """Return the location before the deletion; a branch that was merged later may have changed it since."""
    if resolved.past is not None and resolved.indexed is None:
        return location_or_null(resolved.past.was)
    if resolved.life is None or resolved.indexed is not None:
        return None
    return location_document((resolved.deletion or resolved.life.last).event)


def former_owners(resolved: ResolvedRef) -> list[CandidateDocument]:
    return [_candidate_document(other.life) for other in resolved.former_owners[:_MOST_FORMER_OWNERS]]


def given_text(given: str) -> str:
    """Escape bytes of the user's input that are not valid text."""
    return given.encode("utf-8", "backslashreplace").decode()


def former_location(resolved: ResolvedRef) -> LocationDocument | None:
    if resolved.past is not None:
        return location_or_null(resolved.past.was)
    return location_or_null(resolved.was.event if resolved.was is not None else None)


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
        indexed.overload if indexed is not None else None,
    )


def _subject(event: LedgerEvent, commits: Mapping[str, Commit]) -> str | None:
    commit = commits.get(event.run.revision or "")
    return commit.subject if commit is not None else None


def event_document(ledger_event: LedgerEvent, commits: Mapping[str, Commit]) -> LedgerEventDocument:
    event, run = ledger_event.event, ledger_event.run
    commit = commits.get(run.revision or "") if ledger_event.is_replayed else None
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
        ledger_event.changes,
        commit.author if commit is not None else None,
        write_date(commit.at, commit.zone) if commit is not None else None,
        ledger_event.is_boundary,
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
