"""Documents of lists of the index: search results, clones, folders, latest events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from birthmark.documents.answers import (
    LedgerEventDocument,
)
from birthmark.documents.brief import in_a_line, place_of
from birthmark.documents.definitions import (
    EntityDocument,
)
from birthmark.documents.document import KEPT, Brief, Document, PagedDocument, doc
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import (
    ByCommit,
    RepositoryField,
    UnaskedField,
)
from birthmark.vocabulary import SearchMatch
from birthmark.words import place_elsewhere

if TYPE_CHECKING:
    pass


def _found_place(result: SearchResultDocument) -> str:
    return place_elsewhere(result.repository, place_of(result.entity))


class FormerNameDocument(Document, frozen=True):
    """A name that an entity had."""

    qualified_name: str
    until: Annotated[
        LedgerEventDocument | None, doc("what ended it: a renaming or a move, null where the index does not know it")
    ]

    def in_brief(self) -> str:
        return self.qualified_name


class FoundLineDocument(Document, frozen=True):
    """A line in which a word was found."""

    line: int
    text: str

    def in_brief(self) -> str:
        return in_a_line(self.text)


class SearchResultDocument(Document, frozen=True):
    """An entity that a search has found, and by what."""

    entity: Annotated[EntityDocument, doc(brief=(Brief(is_flat=True), Brief("place", _found_place, of_document=True)))]
    match: Annotated[
        SearchMatch, doc("what of it was found: `part` of its name, or its name with a `slip`", brief=KEPT)
    ]
    former_name: Annotated[FormerNameDocument | None, doc("null if it was not found by one", brief=KEPT)]
    found: Annotated[
        FoundLineDocument | None,
        doc("of a signature, a doc or code the first line with one of the words", brief=Brief("line")),
    ]
    references: Annotated[int, doc("how often its name is referred to, 1,000 at most")]
    repository: RepositoryField = None


class DeletedNameDocument(Document, frozen=True):
    """A deleted definition that had the name that was searched."""

    mark: str
    path: Annotated[str, doc("where it was last")]
    qualified_name: str
    deletion: Annotated[LedgerEventDocument, doc("when, and by which commit if that is known")]

    def in_brief(self) -> str:
        return f"{self.mark} {self.path}::{self.qualified_name}"


class SearchDocument(PagedDocument, frozen=True):
    """Search results, best first."""

    text: Annotated[str, doc("as asked")]
    results: Annotated[list[SearchResultDocument], doc(brief=Brief(cut=1))]
    complete: Annotated[
        bool, doc("whether all files that may have the words were looked into, as far as this page goes")
    ]
    freshness: FreshnessDocument
    unasked: UnaskedField = ()
    searched_files: Annotated[int, doc("in how many files definitions were looked for")] = 0
    asked: Annotated[int, doc("with `--everywhere`: how many other repositories were searched")] = 0
    deleted: Annotated[
        tuple[DeletedNameDocument, ...],
        doc("of this repository: at most 10 deleted definitions that had that name, with the first page"),
    ] = ()
    nearest: Annotated[tuple[str, ...], doc("if nothing was found: names to try instead")] = ()


class TreeEntryDocument(Document, frozen=True):
    """A folder or a file, with what is counted of all files in it."""

    path: Annotated[str, doc("empty for the root")]
    name: Annotated[str, doc("its path from the folder on that was asked about; of that folder its own name")]
    folder: bool
    language: Annotated[str | None, doc("null of a folder")]
    files: Annotated[int, doc("that are indexed")]
    entities: int
    bytes: int
    changes: Annotated[
        int, doc("versions of the files after the first: by replayed commits, else by runs of the index")
    ]
    last_at: Annotated[int | None, doc("when one of them changed last, in Unix seconds; null without files")]
    last_revision: str | None
    by_commit: ByCommit


class LanguageShareDocument(Document, frozen=True):
    """The share of one language."""

    language: str
    files: int
    entities: int
    bytes: int
    share: Annotated[float, doc("of all bytes: 0 to 1")]


class TreeDocument(PagedDocument, frozen=True):
    """The contents of a folder."""

    folder: TreeEntryDocument
    children: Annotated[
        list[TreeEntryDocument],
        doc("what is in it, the largest first: what is right in it, or with `least` what folders in it have"),
    ]
    languages: Annotated[list[LanguageShareDocument], doc("of all that is below it, the largest first")]
    history_replayed: Annotated[bool, doc("else runs of the index are counted, not commits")]
    freshness: FreshnessDocument


class LatestEventDocument(Document, frozen=True):
    """An event of an identity."""

    mark: str
    key: Annotated[str, doc("that it was born with")]
    event: LedgerEventDocument


class LatestRunDocument(Document, frozen=True):
    """A replayed commit or a run of the index, and what happened in it."""

    revision: str | None
    by_commit: ByCommit
    subject: Annotated[str | None, doc("of the commit, null where the clone does not have it")]
    author: Annotated[str | None, doc("likewise")]
    branch: str | None
    at: Annotated[int, doc("Unix seconds")]
    changes: Annotated[dict[str, int], doc("how many of `events` are `born`, `modified`, `renamed`, …")]
    events: list[LatestEventDocument]
    complete: Annotated[bool, doc("whether `events` are all of it")]


class LatestDocument(Document, frozen=True):
    """The latest events of the ledger."""

    runs: Annotated[list[LatestRunDocument], doc("in which something happened, the newest first")]
    freshness: FreshnessDocument


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
