"""Repositories that stay open between requests, for a server; and what changed in their index, for those who listen.

`SharedRepositories.open` gives a session of one that is open. One request has it at a time, and reads an index of one
moment. It is used again as long as the index is the same. The worktree is looked at for all together, and what was
found is used for a limited time. A change of the index is read once, by the first that sees it, and given to all
listeners from that thread.
"""

from __future__ import annotations

import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from threading import Lock

from birthmark.app.across import ALL_VISIBLE, Visible
from birthmark.app.serving.beside import BackgroundWork, SharedValue
from birthmark.app.workspace.freshness import CheckedWorktree, RefreshOptions, ShowProgress, show_nothing
from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.app.workspace.session import OpenSnapshot, Session
from birthmark.app.workspace.stores import identity_at, index_identity, location_of, open_index
from birthmark.documents.index import IndexChangeDocument
from birthmark.errors import BirthmarkError
from birthmark.extraction.outline_memory import OutlineMemory
from birthmark.sources.git.refs import read_git_state
from birthmark.store.model import Snapshot
from birthmark.store.port import Store

MOST_MARKS = 200  # that an event lists
MAX_AGE = 1.0  # seconds for which what was found in the worktree is used
_MOST_IDLE = 8
_MOST_USES = 500  # after which what was read for answers is dropped, so that memory stays what it is


Listener = Callable[[IndexChangeDocument | None], None]  # None: nothing follows


class IndexEvents:
    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._seen: Snapshot | None = None
        self._end = 0, 0
        self._is_closed = False

    def listen(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.append(listener)
            is_closed = self._is_closed
        if is_closed:
            listener(None)

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.remove(listener)

    def close(self) -> None:
        """Each listener gets None."""
        with self._lock:
            self._is_closed, listeners = True, [*self._listeners]
        for listener in listeners:
            listener(None)

    def look(self, store: Store, snapshot: Snapshot) -> None:
        """Report changes of the index since the last look; the first look and older snapshots cause no event."""
        if snapshot == self._seen:
            return
        with self._lock:
            known, listeners = self._seen, [*self._listeners]
            if known is not None and snapshot.run <= known.run:
                return
            change = None if known is None or not listeners else _read_change(store, snapshot, self._end)
            self._seen, self._end = snapshot, store.ledger_end()
        for listener in listeners if change is not None else ():
            listener(change)


def _read_change(store: Store, snapshot: Snapshot, since: tuple[int, int]) -> IndexChangeDocument:
    """Return the change of the index since a state; changes that a replay recorded are left out."""
    changed = store.changed_since(since)
    runs = store.runs({run for _, _, run, _ in changed})
    here = [(mark, change) for _, mark, run, change in changed if runs[run].worktree == snapshot.worktree]
    marks = [*dict.fromkeys(mark for mark, _ in here)]
    counts = dict(Counter(change for _, change in here))
    more = len(marks) > MOST_MARKS
    return IndexChangeDocument(snapshot.run, snapshot.snapshot, snapshot.revision, counts, marks[:MOST_MARKS], more)


def check_worktree(folder: Path, refreshes: bool, wait: float = 0.0) -> CheckedWorktree:
    """Look at a worktree; with `refreshes` bring its index up to date, and wait some seconds for another writer."""
    with open_repository(folder, RefreshOptions(wait=wait) if refreshes else None) as repository:
        at, git_state, freshness = time.time(), read_git_state(repository.workspace.root), repository.freshness
        if freshness is not None and repository.workspace.has_worktree:
            freshness = freshness._replace(checked_at=at)
        found = repository.discovery._replace(listings={})  # which are kept in the index
        return CheckedWorktree(repository.workspace, repository.settings, found, freshness, git_state)


class _Kept:
    """An open repository, what it was opened for, and the snapshot that was read last."""

    def __init__(self, checked: CheckedWorktree, memory: OutlineMemory) -> None:
        self.checked, self.location = checked, location_of(checked.workspace)
        self.identity = identity_at(self.location)
        self.store = open_index(checked.workspace)
        self.repository = OpenRepository(checked.workspace, self.store, checked.settings, memory=memory)
        self._memory = memory
        self.repository.report_refresh(checked.problem)
        self.snapshot: Snapshot | None = None
        self.opened: OpenSnapshot | None = None
        self.n_uses = 0

    def fits(self, checked: CheckedWorktree) -> bool:
        """Return whether it was opened with the same settings, refs, index and problem, as of a look or its file."""
        if checked is self.checked:
            return self.identity == identity_at(self.location)
        opened, now = ((one.workspace, one.settings, one.git_state, one.problem) for one in (self.checked, checked))
        return opened == now and self.identity == index_identity(checked.workspace)

    def renew(self, checked: CheckedWorktree) -> None:
        """Replace what was made of another snapshot or of an earlier look at the worktree."""
        snapshot = self.store.snapshot(checked.workspace.worktree) if self.store is not None else None
        self.n_uses += 1
        if snapshot != self.snapshot:
            self._memory.forget_partial()
        is_other = self.opened is None or snapshot != self.snapshot or self.n_uses % _MOST_USES == 0
        if is_other and self.store is not None:
            self.opened = OpenSnapshot(checked.workspace, self.store, self.repository.extractor)
        if is_other or checked is not self.checked:
            self.repository.look_again(checked)
        self.snapshot, self.checked = snapshot, checked

    @property
    def is_reusable(self) -> bool:
        """Return whether it can be used again; problems reported for one question must not appear in other answers."""
        n_known = 0 if self.checked.problem is None else 1
        return self.store is not None and len(self.repository.problems) == n_known

    def close(self) -> None:
        self.repository.close()
        if self.store is not None:
            self.store.close()


class SharedRepositories:
    """Open repositories of one folder, shared between questions.

    `max_age`: seconds for which a check of the worktree is valid; 0: for one question.
    """

    def __init__(
        self,
        folder: Path,
        max_age: float = MAX_AGE,
        check: Callable[[Path, bool], CheckedWorktree] = check_worktree,
        clock: Callable[[], float] = time.monotonic,
        keep_up: Callable[[Path], object] | None = None,
        forget: Callable[[], object] = lambda: None,
    ) -> None:
        """Take callbacks: `keep_up` is called in the background, one call at a time, when the index has changed;
        `forget` when the worktree has changed, to discard earlier results of `check`."""
        self.folder, self._forget = folder, forget
        self._upkeep = BackgroundWork(partial(keep_up, folder)) if keep_up is not None else None
        self._kept_up: Snapshot | None = None
        self.events = IndexEvents()
        self._memory: tuple[object, OutlineMemory] = None, OutlineMemory()
        self._looks = SharedValue(partial(check, folder, False), max_age, clock)
        self._updates = SharedValue(partial(check, folder, True), max_age, clock)
        self._idle: list[_Kept] = []
        self._lock = Lock()
        self._is_closed = False
        weakref.finalize(self, _close_all, self._idle)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Look at the worktree anew before and after something is written meanwhile."""
        self.forget_worktree()
        try:
            yield
        finally:
            self.forget_worktree()

    def forget_worktree(self) -> None:
        """Check the worktree again at the next request, because it has changed."""
        self._forget()
        self.forget_looks()

    def forget_looks(self) -> None:
        """Discard the checks of this process; the source of checks already knows of the change."""
        self._looks.forget()
        self._updates.forget()

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    def look_at_index(self) -> bool:
        """Report a change of the index to listeners; return False if there is no index."""
        with self.open(refreshes=False) as session:
            return session.repository.store is not None

    def close(self) -> None:
        """Close idle repositories; those in use are closed when they are returned."""
        self.events.close()
        with self._lock:
            self._is_closed = True
        _close_all(self._idle)

    @contextmanager
    def open(
        self, *, refreshes: bool = True, visible: Visible = ALL_VISIBLE, show_progress: ShowProgress = show_nothing
    ) -> Iterator[Session]:
        """Open a session for one thread; others that are open meanwhile may read an index of another moment."""
        checked = (self._updates if refreshes else self._looks).get()
        one = self._take(checked)
        is_whole = False
        try:
            with one.store.reading() if one.store is not None else nullcontext():
                one.renew(checked)
                if one.store is not None and one.snapshot is not None:
                    self.events.look(one.store, one.snapshot)
                if refreshes and self._upkeep is not None and one.snapshot != self._kept_up:
                    self._kept_up = one.snapshot
                    self._upkeep.want()
                yield Session(
                    one.repository,
                    one.opened,
                    visible=visible,
                    show_progress=show_progress,
                    prepares=refreshes and self._upkeep is None,
                )
            is_whole = True
        except BirthmarkError as error:
            is_whole = error.exit_code == 2
            raise
        finally:
            self._give_back(one, is_whole)

    def _take(self, checked: CheckedWorktree) -> _Kept:
        """Return the repository used last, or a new one; close outdated ones."""
        while True:
            with self._lock:
                one = self._idle.pop() if self._idle else None
            if one is None:
                return _Kept(checked, self._memory_for(checked))
            if one.fits(checked):
                return one
            one.close()

    def _memory_for(self, checked: CheckedWorktree) -> OutlineMemory:
        """Return the memory shared by all repositories with the same settings and index."""
        key = checked.settings, index_identity(checked.workspace)
        with self._lock:
            if self._memory[0] != key:
                self._memory = key, OutlineMemory()
            return self._memory[1]

    def _give_back(self, one: _Kept, is_whole: bool) -> None:
        one.repository.extractor.end_workers()  # Workers are not kept for a question that may never be asked.
        with self._lock:
            is_kept = is_whole and one.is_reusable and not self._is_closed and len(self._idle) < _MOST_IDLE
            if is_kept:
                self._idle.append(one)
        if not is_kept:
            one.close()


def _close_all(idle: list[_Kept]) -> None:
    while idle:
        idle.pop().close()
