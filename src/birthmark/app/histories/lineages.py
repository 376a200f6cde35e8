"""Choose the source of histories: the records of a replay if they are complete, else git.

`read_lineage` takes a commit and a function of a Lineage; gives its result. Of a commit that was not replayed, the
commits between it and the replayed ones are read from git, unless they are too many. RecentHistory reads only the
commits after one commit. Its walk is bounded: in a long span only the newest commits that touched a file are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from birthmark.app.workspace.repository import OpenRepository
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import os_path
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.follow import CachedSource, follow, shared_walk
from birthmark.history.lineage import Lineage, NotRecordedError, Step, entity_at_commit
from birthmark.ledger.update import collection_paused
from birthmark.sources.git.log import Link, Touches, changes_of, log_lines, log_path
from birthmark.store.port import LedgerStore
from birthmark.vocabulary import COSMETIC, HistoryChange

if TYPE_CHECKING:
    from birthmark.history.recorded_lineage import RecordedLineage
    from birthmark.history.recorded_path import NewCommits

T = TypeVar("T")
_MOST_NEW = 300  # commits since the last replay; more of them are walked, by which git finds what touched a file
_SHA1_DIGITS = 40

# The ancestors of a commit do not change, so its lineage is read once while a repository is open.
_opened: WeakKeyDictionary[OpenRepository, dict[str, RecordedLineage]] = WeakKeyDictionary()
_MOST_TOUCHES, _MOST_PATHS = 200, 10
_MOVES = frozenset({HistoryChange.RENAME, HistoryChange.MOVED, HistoryChange.CONTAINER})


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


def _new_commits(repository: OpenRepository, store: LedgerStore, commit: str) -> NewCommits | None:
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
    changes = changes_of(repository.git, list(links.values())) if links else []
    return {
        link.commit: (link.parents, {file.path: file.new_blob for file in changed})
        for link, changed in zip(links.values(), changes, strict=True)
    }


class RecentHistory(CachedSource):
    """A source of history that ends at a commit."""

    def __init__(self, repository: OpenRepository, since: str) -> None:
        super().__init__(repository)
        self.repository, self.since = repository, since
        self._pairings = CommitPairings(self)
        self._log = lru_cache(1024)(self._log_path)
        self._n_paths = 0
        self.touches = self._touches

    def _touches(self, commit: str, path: str) -> Touches:
        self._n_paths += 1
        return self._log(commit, path) if self._n_paths <= _MOST_PATHS else {}

    def _log_path(self, commit: str, path: str) -> Touches:
        git = self.repository.git
        found = log_path(git, commit, os_path(path), self.since, _MOST_TOUCHES)
        return {touch: earlier for touch, earlier in found.items() if touch not in git.shallow()}

    def changes(self, commit: str, entity: OutlinedEntity, with_cosmetic: bool = False) -> list[Step]:
        """Return the changes of an entity, newest first, without moves; cosmetic changes only if requested."""
        self._n_paths = 0
        path = entity.file.path
        blob = self.blob(commit, path) or ""
        start = entity_at_commit(self, commit, path, blob, entity.file.outline, entity.ordinal)
        ignored = _MOVES if with_cosmetic else _MOVES | COSMETIC
        return [step for step in follow(self, start, self._pairings) if not ignored.issuperset(step.changes)]

    def only_commit(self, commit: str, path: str) -> str | None:
        """The commit that alone has touched a file, which was there before; then nothing needs to be followed."""
        self._n_paths = 0
        found = self.touches(commit, path)
        return next(iter(found)) if len(found) == 1 and self.blob(self.since, path) is not None else None

    def line_changes(self, commit: str, path: str, lines: tuple[int, int], most: int) -> list[str]:
        """The commits that changed some lines of a file, newest first."""
        git = self.repository.git
        try:
            found = log_lines(git, commit, os_path(path), lines, self.since, most)
        except BirthmarkError:
            return []  # The clone lacks the file, or a state of it.
        return [one for one in found if one not in git.shallow()]

    def deletion(self, commit: str, path: str, name: str | None) -> str | None:
        """The commit that removed what had a name in a file, or the file itself; none that is known: None."""
        return self.first_without(commit, path, lambda blob: name is None or self._has(blob, path, name))

    def first_without(self, commit: str, path: str, has: Callable[[str], bool]) -> str | None:
        """The commit from which on no blob of a file has something; none that is known: None."""
        found = None
        self._n_paths = 0
        for touch in self.touches(commit, path):
            blob = self.blob(touch, path)
            if blob is not None and has(blob):
                break
            found = touch
        return found

    def _has(self, blob: str, path: str, name: str) -> bool:
        """Return whether a file defines a name; a file that does not mention it is not parsed."""
        if name.rpartition(".")[2].encode("utf-8", "surrogateescape") not in self.content(blob):
            return False
        outline = self.outlines([(blob, path)])[0]
        return outline is not None and any(entity.qualified_name == name for entity in outline.entities)
