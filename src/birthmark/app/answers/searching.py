"""Search entities by names, former names and texts, and make texts searchable.

Texts are made searchable when something is searched for, not when files are indexed: a first index would take a tenth
longer, and most texts that were changed are changed again before anyone looks for them. If the index cannot be written,
the missing texts are read instead, which is slower and finds the same. `prepare_answers` does it beforehand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from birthmark.app.answers.listing import count_files
from birthmark.app.answers.resolving import read_commits
from birthmark.app.changes.diff_arguments import from_root, read_filter
from birthmark.app.workspace.freshness import WAIT_SECONDS, Progress, RefreshOptions, freshness_document
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import writing
from birthmark.documents.answers import event_document
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.listings import (
    DeletedNameDocument,
    FormerNameDocument,
    FoundLineDocument,
    SearchDocument,
    SearchResultDocument,
)
from birthmark.errors import BirthmarkError
from birthmark.extraction.codec import unpack_source
from birthmark.queries.life import LedgerEvent, Life, read_lives
from birthmark.queries.search import SearchHit, find_deleted, find_nearest_names, read_search, search
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.queries.text_search import ReadingBudget
from birthmark.sources.git.log import Commit
from birthmark.store.port import Store


class SearchQuery(NamedTuple):
    """A search: text, filters and a page of results."""

    text: str
    kinds: Sequence[str] = ()
    languages: Sequence[str] = ()
    paths: Sequence[str] = ()  # files, folders or patterns, from the current folder
    limit: int = 20
    offset: int = 0


FoundPage = tuple[SearchDocument, list[SearchHit]]  # with the hits that its results are made of


def find_page(session: Session, query: SearchQuery) -> FoundPage:
    """Texts that are not searchable yet are made so first, where the index may be written."""
    text = read_search(query.text)
    paths = [from_root(session.repository, path) for path in query.paths]
    wanted = read_filter(paths, query.kinds, query.languages)
    make_searchable(session)
    budget = ReadingBudget()
    hits = list(islice(search(session.view, text, wanted, budget), query.offset, query.offset + query.limit + 1))
    end = query.offset + query.limit if len(hits) > query.limit else None
    deleted = _deleted_names(session, find_deleted(session.view, text, wanted)) if not query.offset else ()
    document = SearchDocument(
        text.text,
        result_documents(session.view, hits[: query.limit], commit_of(session)),
        not budget.is_exceeded,
        freshness_document(session.freshness),
        searched_files=count_files(session),
        deleted=deleted,
        nearest=() if hits or deleted else find_nearest_names(session.view, text),
        truncated=end is not None,
        next=end,
    )
    return document, hits[: query.limit]


def _deleted_names(session: Session, lives: list[Life]) -> tuple[DeletedNameDocument, ...]:
    deletions = [(life.identity.mark, life.deletion) for life in lives if life.deletion is not None]
    commits = read_commits(commit_of(session), [deletion for _, deletion in deletions])
    return tuple(
        DeletedNameDocument(mark, one.event.path, one.event.qualified_name, event_document(one, commits))
        for mark, one in deletions
    )


def commit_of(session: Session) -> Callable[[str], Commit] | None:
    return session.repository.commit if session.workspace.has_git else None


def result_documents(
    view: SnapshotView,
    hits: list[SearchHit],
    read_commit: Callable[[str], Commit] | None = None,
    repository: str | None = None,
) -> list[SearchResultDocument]:
    """Return hits with their entities; former names have commits if git is available."""
    held = view.hold_all(hit.shown for hit in hits)
    former = _former_names(view, [hit for hit in hits if hit.former_name is not None], read_commit)
    return [
        SearchResultDocument(
            indexed_entity_document(held[hit.shown.identity]),
            hit.match,
            former.get(hit.shown.identity),
            FoundLineDocument(hit.text.line, hit.text.text) if hit.text is not None else None,
            hit.n_references,
            repository,
        )
        for hit in hits
    ]


def _former_names(
    view: SnapshotView, hits: list[SearchHit], read_commit: Callable[[str], Commit] | None
) -> dict[int, FormerNameDocument]:
    lives = read_lives(view, [hit.shown.identity for hit in hits])
    ends = {hit.shown.identity: _end_of(lives[hit.shown.identity].events, hit.former_name or "") for hit in hits}
    commits = read_commits(read_commit, [end for end in ends.values() if end is not None])
    documents = {identity: event_document(end, commits) for identity, end in ends.items() if end is not None}
    return {
        hit.shown.identity: FormerNameDocument(hit.former_name or "", documents.get(hit.shown.identity)) for hit in hits
    }


def _end_of(events: Sequence[LedgerEvent], name: str) -> LedgerEvent | None:
    """The event after the last one that left the name as it was."""
    had = [number for number, one in enumerate(events) if one.event.qualified_name == name]
    return events[had[-1] + 1] if had and had[-1] + 1 < len(events) else None


def make_searchable(session: Session) -> int:
    """Return how many texts were added. Nothing is written unless the session prepares the next answers."""
    missing = session.store.unsearched_texts(session.view.number) if session.prepares else ()
    if not missing:
        return 0
    try:
        with writing(session.workspace, WAIT_SECONDS) as store, session.show_progress() as progress:
            write_texts(store, missing, progress)
    except BirthmarkError:
        return 0
    return len(missing)


def write_texts(store: Store, missing: Collection[int], progress: Progress) -> None:
    """Write the missing texts; the caller holds the lock."""
    with store.writing():
        store.put_texts(_texts(store, sorted(missing), progress))


def _texts(store: Store, extractions: list[int], progress: Progress) -> Iterator[tuple[int, str]]:
    for number, extraction in enumerate(extractions):
        progress("making docs and code searchable", number, len(extractions))
        packed = store.source(extraction)
        yield extraction, "" if packed is None else unpack_source(packed).decode("utf-8", "replace")


_NICENESS = 10


def keep_up(folder: Path) -> None:
    """Prepare the search texts of the current index, in a separate process with low priority."""
    if os.nice(0) < _NICENESS:
        os.nice(_NICENESS)
    with open_session(folder, RefreshOptions(), refreshes=False) as session:
        make_searchable(session)


def prepare_answers(store: Store, worktree: str, progress: Progress) -> None:
    """Do the same for a holder of the lock, who has just indexed; what cannot be written is an error."""
    snapshot = store.snapshot(worktree)
    assert snapshot is not None
    write_texts(store, store.unsearched_texts(snapshot.snapshot), progress)
