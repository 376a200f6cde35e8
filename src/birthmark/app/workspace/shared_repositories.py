"""Repositories that stay open between questions, for a server.

`with repositories.shared():` holds for all that is asked meanwhile: `open_repository` and `asking` of its folder take
one that is open, for the length of their `with`, and nested ones take the same. One thread has it at a time, and reads
an index of one moment. It is used again while the index is the same; the worktree is looked at for all together, and
what was found is used for a limited time.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from threading import Lock, get_ident

from birthmark.app.workspace.background_work import BackgroundWork, SharedValue
from birthmark.app.workspace.index_events import IndexEvents
from birthmark.app.workspace.repository import OpenRepository, SharedOpening, shared_opening
from birthmark.app.workspace.stores import index_identity, open_index
from birthmark.app.workspace.worktree_check import CheckedWorktree, check_worktree
from birthmark.errors import BirthmarkError
from birthmark.extraction.outline_memory import OutlineMemory
from birthmark.store.model import Snapshot

MAX_AGE = 1.0  # seconds for which what was found in the worktree is used
_MOST_IDLE = 8
_MOST_USES = 500  # after which what was read for answers is dropped, so that memory stays what it is


class _Shared:
    """An open repository, and what it was opened for."""

    def __init__(self, checked: CheckedWorktree, memory: OutlineMemory) -> None:
        self.checked, self.identity = checked, index_identity(checked.workspace)
        self.store = open_index(checked.workspace)
        self.repository = OpenRepository(checked.workspace, self.store, checked.settings, memory=memory)
        self._memory = memory
        self.repository.report_refresh(checked.problem)
        self.snapshot: Snapshot | None = None
        self.n_uses = 0

    def fits(self, checked: CheckedWorktree) -> bool:
        """Return whether all that it was opened with is the same: settings, refs, the file of the index, what is
        reported.
        """
        opened, now = ((one.workspace, one.settings, one.git_state, one.problem) for one in (self.checked, checked))
        return opened == now and self.identity == index_identity(checked.workspace)

    def renew(self, checked: CheckedWorktree) -> None:
        """Drop what was made of another index or worktree."""
        repository, worktree = self.repository, checked.workspace.worktree
        snapshot = self.store.snapshot(worktree) if self.store is not None else None
        self.n_uses += 1
        if snapshot != self.snapshot:
            self._memory.forget_partial()
        if snapshot != self.snapshot or self.n_uses % _MOST_USES == 0:
            repository.session = None
        if repository.session is None or checked is not self.checked:
            repository.forget_states(checked.freshness, checked.discovery)
        if repository.session is not None and checked is not self.checked:
            repository.session.forget_worktree()
        self.snapshot, self.checked = snapshot, checked

    @property
    def is_reusable(self) -> bool:
        """What was reported is of one question alone, and answers may hold it."""
        n_known = 0 if self.checked.problem is None else 1
        return self.store is not None and len(self.repository.problems) == n_known

    def close(self) -> None:
        self.repository.close()
        if self.store is not None:
            self.store.close()


# The thread that has taken one, and which; a thread that goes on in a copy of that context takes its own.
_taken: ContextVar[tuple[int, OpenRepository] | None] = ContextVar("taken", default=None)


class SharedRepositories:
    """Those of one folder. `max_age`: seconds for which what was found in the worktree is used; 0: for one question."""

    def __init__(
        self,
        folder: Path,
        max_age: float = MAX_AGE,
        check: Callable[[Path, bool], CheckedWorktree] = check_worktree,
        clock: Callable[[], float] = time.monotonic,
        keep_up: Callable[[Path], object] | None = None,
        forget: Callable[[], object] = lambda: None,
    ) -> None:
        """`keep_up` is called beside the questions, one call at a time, when the index is another one; `forget`
        when the worktree is, so that what `check` found is not used."""
        self.folder, self._forget = folder, forget
        self._upkeep = BackgroundWork(partial(keep_up, folder)) if keep_up is not None else None
        self._kept_up: Snapshot | None = None
        self.events = IndexEvents()
        self._memory: tuple[object, OutlineMemory] = None, OutlineMemory()
        self._looks = SharedValue(partial(check, folder, False), max_age, clock)
        self._updates = SharedValue(partial(check, folder, True), max_age, clock)
        self._idle: list[_Shared] = []
        self._lock = Lock()
        self._is_closed = False
        weakref.finalize(self, _close_all, self._idle)

    @contextmanager
    def shared(self, *, is_write: bool = False) -> Iterator[None]:
        """What writes something looks at the worktree as it is, and so does what comes after it."""
        if is_write:
            self.forget_worktree()
        token = shared_opening.set(SharedOpening(self.folder, self._opened, self._upkeep is not None))
        try:
            yield
        finally:
            shared_opening.reset(token)
            if is_write:
                self.forget_worktree()

    def forget_worktree(self) -> None:
        """It has changed: what was found in it is not used any more."""
        self._forget()
        self.forget_looks()

    def forget_looks(self) -> None:
        """The same where the one who looks knows it already."""
        self._looks.forget()
        self._updates.forget()

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    def look_at_index(self) -> bool:
        """See whether it has changed, and tell those who listen; False if there is none."""
        with self._opened(False) as repository:
            return repository.store is not None

    def close(self) -> None:
        """Those that are in use are closed when they are given back."""
        self.events.close()
        with self._lock:
            self._is_closed = True
        _close_all(self._idle)

    @contextmanager
    def _opened(self, refreshes: bool) -> Iterator[OpenRepository]:
        taken = _taken.get()
        if taken is not None and taken[0] == get_ident():
            yield taken[1]
            return
        checked = (self._updates if refreshes else self._looks).get()
        one = self._take(checked)
        token = _taken.set((get_ident(), one.repository))
        is_whole = False
        try:
            with one.store.reading() if one.store is not None else nullcontext():
                one.renew(checked)
                if one.store is not None and one.snapshot is not None:
                    self.events.look(one.store, one.snapshot)
                if refreshes and self._upkeep is not None and one.snapshot != self._kept_up:
                    self._kept_up = one.snapshot
                    self._upkeep.want()
                yield one.repository
            is_whole = True
        except BirthmarkError as error:
            is_whole = error.exit_code == 2
            raise
        finally:
            _taken.reset(token)
            self._give_back(one, is_whole)

    def _take(self, checked: CheckedWorktree) -> _Shared:
        """One that was used last; those that are of no use any more are closed."""
        while True:
            with self._lock:
                one = self._idle.pop() if self._idle else None
            if one is None:
                return _Shared(checked, self._memory_for(checked))
            if one.fits(checked):
                return one
            one.close()

    def _memory_for(self, checked: CheckedWorktree) -> OutlineMemory:
        """The same for all, as long as outlines are made by the same settings and have their numbers in one index."""
        key = checked.settings, index_identity(checked.workspace)
        with self._lock:
            if self._memory[0] != key:
                self._memory = key, OutlineMemory()
            return self._memory[1]

    def _give_back(self, one: _Shared, is_whole: bool) -> None:
        one.repository.extractor.end_workers()  # Workers are not kept for a question that may never be asked.
        with self._lock:
            is_kept = is_whole and one.is_reusable and not self._is_closed and len(self._idle) < _MOST_IDLE
            if is_kept:
                self._idle.append(one)
        if not is_kept:
            one.close()


def _close_all(idle: list[_Shared]) -> None:
    while idle:
        idle.pop().close()
