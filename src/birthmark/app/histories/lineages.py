"""Choose the source of histories: the records of a replay if they are complete, else git.

Takes a commit and a function of a Lineage; gives its result. Of a commit that was not replayed, the commits between it
and the replayed ones are read from git, unless they are too many.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from birthmark.app.workspace.repository import OpenRepository
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.follow import shared_walk
from birthmark.history.lineage import Lineage, NotRecordedError
from birthmark.ledger.update import collection_paused
from birthmark.sources.git.log import Link, changes_of
from birthmark.store.port import LedgerStore

if TYPE_CHECKING:
    from birthmark.history.recorded_lineage import RecordedLineage
    from birthmark.history.recorded_path import NewCommit

T = TypeVar("T")
_MOST_NEW = 300  # commits since the last replay; more of them are walked, by which git finds what touched a file
_SHA1_DIGITS = 40

# The ancestors of a commit do not change, so its lineage is read once while a repository is open.
_opened: WeakKeyDictionary[OpenRepository, dict[str, RecordedLineage]] = WeakKeyDictionary()


def read_lineage(repository: OpenRepository, commit: str, read: Callable[[Lineage[Any]], T]) -> T:
    """Read from the records of a replay, or else from git; the result is the same."""
    recorded = open_recorded(repository, commit)
    if recorded is not None:
        with suppress(NotRecordedError):
            return read(recorded)
    walk = shared_walk(repository)
    with collection_paused():
        try:
            return read(walk)
        finally:
            walk.pairings.forget()


def open_recorded(repository: OpenRepository, commit: str) -> RecordedLineage | None:
    """Return the recorded lineage of a commit; None if too little was replayed, or the clone is shallow."""
    store = repository.store
    if store is None or len(commit) != _SHA1_DIGITS or not store.has_commits() or repository.git.shallow():
        return None
    from birthmark.history.recorded_lineage import RecordedLineage  # Nothing is recorded without an index.

    opened = _opened.setdefault(repository, {})
    if commit not in opened:
        new = _new_commits(repository, store, commit)
        if new is None:
            return None
        opened[commit] = RecordedLineage(CommitPairings(repository), store, repository.extractor.version, new)
    return opened[commit]


def _new_commits(repository: OpenRepository, store: LedgerStore, commit: str) -> dict[str, NewCommit] | None:
    """The commits up to one that were not replayed yet."""
    links: dict[str, Link] = {}
    waiting = [commit]
    while waiting:
        known = store.commits_named(waiting)
        found = [Link(one, repository.parents(one), 0) for one in dict.fromkeys(waiting) if one not in known]
        links |= {link.commit: link for link in found}
        if len(links) > _MOST_NEW:
            return None
        waiting = [parent for link in found for parent in link.parents if parent not in links]
    from birthmark.history.recorded_path import NewCommit

    changes = changes_of(repository.git, list(links.values())) if links else []
    return {
        link.commit: NewCommit(link.commit, link.parents, {file.path: file.new_blob for file in changed})
        for link, changed in zip(links.values(), changes, strict=True)
    }
