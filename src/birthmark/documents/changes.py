"""Documents of changes: between two states, through git's history, and who made them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType

from birthmark.documents.brief import place_of, short_commit
from birthmark.documents.document import (
    KEPT,
    Brief,
    Document,
    PagedDocument,
    ProblemDocument,
    doc,
    make,
    words,
)
from birthmark.documents.parts import (
    CommitDocument,
    DeletionDocument,
    DerivativesField,
    FormerField,
    LocationDocument,
    PatchDocument,
    SourcesField,
    after_if_changed,
    before_if_changed,
    derivation_documents,
    location_or_null,
    patch_document,
)
from birthmark.vocabulary import DIFF_CHANGES, Aspect, Change, Confidence, EdgeKind, FileRole, HistoryChange, Resolution

if TYPE_CHECKING:
    from birthmark.comparison.diff_listing import FileChanges, ListedChange
    from birthmark.model import Problem


def _not_zero(counts: dict[str, int]) -> dict[str, int]:
    return {str(change): number for change, number in counts.items() if number}


def _name_of(entity: PastEntityDocument) -> str:
    return entity.qualified_name


EvidenceField = Annotated[str | None, doc("why the two are taken for one, see below")]
BoundaryField = Annotated[
    bool,
    doc(
        "whether a shallow clone begins at this commit, so that it was introduced here or before",
        brief=Brief(unless=False),
    ),
]
ConfidenceField = Annotated[Confidence | None, doc("that the two are one; null where there is only one")]


class EntityChangeDocument(Document, frozen=True):
    """A change of an entity. A rename with an edit is one change, named by the stronger word."""

    change: Annotated[
        Change, words(DIFF_CHANGES, "`relocated` is to another file, `moved` within the file", brief=KEPT)
    ]
    kind: Annotated[str, doc(brief=KEPT)]
    language: str
    mark: Annotated[str | None, doc("null where no index knows it", brief=KEPT)]
    key: str | None
    before: Annotated[
        LocationDocument | None, doc("null if it was added", brief=Brief(form=before_if_changed, of_document=True))
    ]
    after: Annotated[LocationDocument | None, doc("null if it was deleted", brief=KEPT)]
    aspects: Annotated[tuple[Aspect, ...], doc("what differs", brief=KEPT)]
    evidence: EvidenceField
    confidence: ConfidenceField
    derived_from: SourcesField
    derivatives: DerivativesField
    patch: Annotated[
        PatchDocument | UnsetType,
        doc("with `-p` only: the lines that differ, without those of its members", brief=KEPT),
    ] = UNSET


class DiffDocument(PagedDocument, frozen=True):
    """The changes between two states."""

    base: Annotated[
        str,
        doc(
            "a commit id, `the index`, `the worktree`, or `nothing` before the first commit",
            brief=Brief(form=short_commit),
        ),
    ]
    target: Annotated[str, doc("likewise", brief=Brief(form=short_commit))]
    counts: Annotated[
        dict[str, int],
        doc(
            "of each change and of `unchanged`, over the files that differ; of what passes the filters",
            brief=Brief(form=_not_zero),
        ),
    ]
    renamed: Annotated[dict[str, str], doc("files, old path to new path")]
    changes: Annotated[list[EntityChangeDocument], doc(brief=Brief(cut=1))]
    problems: list[ProblemDocument]


class ListedChangeDocument(Document, frozen=True):
    """A line of a listing: a change, those of its members included, or several changes of one scope."""

    change: Annotated[Change, words(DIFF_CHANGES, "of the line; what moved with its file has not moved itself")]
    kind: str
    before: LocationDocument | None
    after: LocationDocument | None
    aspects: tuple[Aspect, ...]
    members: Annotated[int, doc("how many the line includes")]
    together: Annotated[tuple[str, ...], doc("names of several that are listed together")]
    derived_from: SourcesField
    derivatives: DerivativesField
    patch: PatchDocument | None


class ListedFileDocument(Document, frozen=True):
    """A file with the changes that are listed of it."""

    path: str
    old_path: Annotated[str | None, doc("if it was renamed")]
    change: Annotated[Change | None, doc("if the file itself was added or deleted")]
    role: FileRole
    listed: list[ListedChangeDocument]
    counts: Annotated[dict[str, int], doc("of changes")]
    gone_to: Annotated[dict[str, int], doc("how many entities went to which other files")]
    added: Annotated[int, doc("lines, where they are counted")]
    removed: int


class DiffListingDocument(Document, frozen=True):
    """The changes between two states by file, which `birthmark diff` prints as text; JSON is a DiffDocument."""

    base: str
    target: str
    counts: dict[str, int]
    files: list[ListedFileDocument]
    problems: list[ProblemDocument]


class PastEntityDocument(Document, frozen=True):
    """An entity at a commit."""

    kind: str
    name: str
    qualified_name: str
    language: str
    path: str
    start_line: int
    end_line: int
    commit: str


class HistoryEventDocument(CommitDocument, frozen=True):
    """A commit that changed an entity."""

    parent: Annotated[str | None, doc("the earlier commit it was compared with")]
    changes: Annotated[tuple[HistoryChange, ...], doc("words of [one vocabulary](history.md)", brief=KEPT)]
    before: Annotated[
        LocationDocument | None,
        doc("null where it was introduced", brief=Brief(form=before_if_changed, of_document=True)),
    ]
    after: Annotated[LocationDocument, doc(brief=Brief(form=after_if_changed, of_document=True))]
    evidence: EvidenceField
    confidence: ConfidenceField
    member: Annotated[
        str | None, doc("the qualified name of the member it is about, null for the entity itself", brief=KEPT)
    ]
    source_name: Annotated[str | None, doc("of the source it is about, with `--derivation`; else null")]
    derived_from: SourcesField
    patch: Annotated[PatchDocument | UnsetType, doc("with `--patch` or `--stat` only", brief=KEPT)] = UNSET
    is_boundary: BoundaryField = False


class HistoryDocument(PagedDocument, frozen=True):
    """The history of an entity."""

    entity: Annotated[
        PastEntityDocument,
        doc("at the commit that was asked about", brief=(Brief("name", _name_of), Brief("place", place_of))),
    ]
    events: Annotated[list[HistoryEventDocument], doc("newest first, the last being `introduced`", brief=Brief(cut=1))]
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone", brief=KEPT)]
    was: FormerField
    known: Annotated[int, doc("how many events there are, with those that are filtered out")] = 0
    left_out: Annotated[int, doc("changes of only comments or formatting that are not listed")] = 0


class PastUserDocument(Document, frozen=True):
    """A user of an entity at a commit. Without a name it is the top level of a file."""

    mark: str | None
    kind: str | None
    qualified_name: str | None
    path: str
    start_line: int | None
    end_line: int | None
    edge: Annotated[EdgeKind, doc("the surest of its uses")]
    resolution: Annotated[Resolution, doc("how sure that is")]


class UserEventDocument(CommitDocument, frozen=True):
    """The users that a commit added and removed; who is merely edited, renamed or moved is neither."""

    came: Annotated[list[PastUserDocument], doc("as they are after the commit")]
    went: Annotated[list[PastUserDocument], doc("as they were before it")]


class UserHistoryDocument(PagedDocument, frozen=True):
    """The users that an entity gained and lost over time, with `--users`."""

    entity: Annotated[PastEntityDocument, doc("at the commit that was asked about")]
    mark: str
    users: Annotated[int, doc("how many there are at the last commit that was replayed")]
    not_replayed: Annotated[int, doc("commits that `index --from-history` has still to replay")]
    events: Annotated[list[UserEventDocument], doc("newest first")]
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone")]
    was: FormerField
    known: Annotated[int, doc("how many events there are, with those that are filtered out")] = 0


class LastChangeDocument(CommitDocument, frozen=True):
    """The last commit that changed more than comments and formatting."""

    changes: tuple[HistoryChange, ...]


class BlameDocument(Document, frozen=True):
    """The last change of an entity and the commit that introduced it."""

    entity: PastEntityDocument
    last: LastChangeDocument
    introduced: CommitDocument
    is_boundary: BoundaryField = False


class CommitMessageDocument(CommitDocument, frozen=True):
    """A commit with its parents and its message."""

    parents: Annotated[list[str], doc("the first is the one it is compared with; none of the first commit")]
    message: Annotated[str, doc("what is below the subject")]


class RevisionsDocument(Document, frozen=True):
    """The revisions that can be compared."""

    head: Annotated[str | None, doc("null before the first commit, and outside git")]
    branch: Annotated[str | None, doc("null when HEAD is detached, and outside git")]
    commits: Annotated[list[CommitDocument], doc("the newest of HEAD first")]
    names: Annotated[list[str], doc("branches and tags, as they are written in revisions")]


class BlamePage(PagedDocument, frozen=True):
    """The last change of each entity, file by file."""

    items: list[BlameDocument]


def diff_listing_document(
    base: str, target: str, files: Iterable[FileChanges], counts: dict[str, int], problems: Iterable[Problem]
) -> DiffListingDocument:
    listed = [
        ListedFileDocument(
            file.path,
            file.old_path,
            file.change,
            file.role,
            [_listed_change(one) for one in file.listed],
            file.counts,
            file.gone_to,
            file.n_added,
            file.n_removed,
        )
        for file in files
    ]
    return DiffListingDocument(base, target, counts, listed, [make(ProblemDocument, one) for one in problems])


def _listed_change(listed: ListedChange) -> ListedChangeDocument:
    return ListedChangeDocument(
        listed.word,
        listed.change.kind,
        location_or_null(listed.change.before),
        location_or_null(listed.change.after),
        listed.aspects,
        listed.n_members,
        listed.together,
        derivation_documents(listed.derived_from),
        derivation_documents(listed.derivatives),
        None if listed.patch is None else patch_document(listed.patch),
    )
