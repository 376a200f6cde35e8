"""Documents of an overview: what a folder consists of, and what happened last."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import Annotated

from birthmark.app.answers.latest_events import IdentityEvent, RunEvents
from birthmark.app.answers.listing.file_tree import FileTree, FolderEntry, LanguageShare
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.answers import LedgerEventDocument, event_document
from birthmark.documents.commits import ByCommit
from birthmark.documents.document import Document, PagedDocument, doc
from birthmark.documents.index import FreshnessDocument, freshness_document


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
    """What is in one language."""

    language: str
    files: int
    entities: int
    bytes: int
    share: Annotated[float, doc("of all bytes: 0 to 1")]


class TreeDocument(PagedDocument, frozen=True):
    """What a folder consists of."""

    folder: TreeEntryDocument
    children: Annotated[
        list[TreeEntryDocument],
        doc("what is in it, the largest first: what is right in it, or with `least` what folders in it have"),
    ]
    languages: Annotated[list[LanguageShareDocument], doc("of all that is below it, the largest first")]
    history_replayed: Annotated[bool, doc("else runs of the index are counted, not commits")]
    freshness: FreshnessDocument


class LatestEventDocument(Document, frozen=True):
    """What happened to an identity."""

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
    """What happened last, by the ledger."""

    runs: Annotated[list[LatestRunDocument], doc("in which something happened, the newest first")]
    freshness: FreshnessDocument


def tree_document(tree: FileTree, freshness: Freshness) -> TreeDocument:
    return TreeDocument(
        _entry_document(tree.folder, posixpath.dirname(tree.folder.path)),
        [_entry_document(child, tree.folder.path) for child in tree.children],
        [_share_document(share, tree.folder.n_bytes) for share in tree.languages],
        tree.is_replayed,
        freshness_document(freshness),
    )


def _entry_document(entry: FolderEntry, folder: str) -> TreeEntryDocument:
    return TreeEntryDocument(
        entry.path,
        entry.path[len(folder) + 1 :] if folder else entry.path,
        entry.is_folder,
        entry.language,
        entry.n_files,
        entry.n_entities,
        entry.n_bytes,
        entry.n_changes,
        entry.last.at if entry.last is not None else None,
        entry.last.revision if entry.last is not None else None,
        entry.is_replayed,
    )


def _share_document(share: LanguageShare, n_bytes: int) -> LanguageShareDocument:
    of_all = round(share.n_bytes / n_bytes, 4) if n_bytes else 0.0
    return LanguageShareDocument(share.language, share.n_files, share.n_entities, share.n_bytes, of_all)


def latest_document(found: list[RunEvents], freshness: Freshness) -> LatestDocument:
    return LatestDocument([_run_document(one) for one in found], freshness_document(freshness))


def _run_document(found: RunEvents) -> LatestRunDocument:
    run, commit = found.run, found.commit
    events = [_event_document(one, found) for one in found.events]
    return LatestRunDocument(
        run.revision,
        found.is_replayed,
        commit.subject if commit is not None else None,
        commit.author if commit is not None else None,
        run.branch,
        run.at,
        dict(Counter(str(one.event.change) for one in events).most_common()),
        events,
        found.is_whole,
    )


def _event_document(one: IdentityEvent, found: RunEvents) -> LatestEventDocument:
    commits = {} if found.commit is None else {found.commit.id: found.commit}
    return LatestEventDocument(one.identity.mark, one.identity.key, event_document(one.event, commits))
