"""Follow a worktree and keep its index current, in this process or in one of its own.

Takes a Workspace; gives WatchEvents without end. A few files that changed are checked by themselves; after other
events, and from time to time, the whole worktree is checked, because events may be lost. The index is locked only
while it is written.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from birthmark.app.indexing.index import IndexOptions, indexing, target_of, update_with_edges
from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.repository import load_index_settings
from birthmark.app.workspace.stores import has_index, writing
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import wants_file
from birthmark.extraction.warm_up import release_memory, warm_languages
from birthmark.isolation import spawn
from birthmark.languages.registry import load_registry
from birthmark.ledger.file_scan import IndexTools, UpdateTarget, is_racy
from birthmark.ledger.update import Summary, find_base
from birthmark.model import Level
from birthmark.sources.config import CONFIG_FILE, Settings
from birthmark.sources.discover import Discovery, FoundFile, SkippedFiles, discover, discover_paths, write_path
from birthmark.sources.git.refs import find_git_folders
from birthmark.sources.git.skipped import find_skipped
from birthmark.store.model import Snapshot

if TYPE_CHECKING:
    from birthmark.sources.events import Hint, Listener
    from birthmark.sources.git.repository import GitRepository

_RULE_NAMES = frozenset({".gitignore", ".birthmarkignore", ".gitattributes", ".git", CONFIG_FILE})
_MANY_PATHS = 500
_TICK_SECONDS = 1.0  # between checks of HEAD
_RETRY_SECONDS = 5.0
_POLL_SECONDS = 2.0  # between checks where there are no events
_PAUSE_FACTOR = 20  # Checking the whole worktree takes at most one part of so many of the time.
_MOST_LISTINGS = 3
_END_SECONDS = 1.0


class WatchOptions(NamedTuple):
    """Options for watching a worktree; times are in seconds."""

    debounce: float = 0.05
    rescan: float = 60.0
    wait: float = 30.0  # for another writer
    jobs: int | None = None
    progress: Progress = lambda stage, done, total: None


class Batch(NamedTuple):
    """An update that was written: how many files had changed, and what became of their entities."""

    n_files: int
    summary: Summary
    seconds: float


class Trouble(NamedTuple):
    """A problem that prevented an update of the index, or that makes updates slower."""

    problem: str


WatchEvent = Batch | Trouble


def follow(workspace: Workspace, options: WatchOptions | None = None) -> Iterator[WatchEvent]:
    """The first Batch is that of the whole worktree. Ends by an error alone, such as KeyboardInterrupt."""
    options = options or WatchOptions()
    from birthmark.sources.events import Listener

    with Listener(workspace.root, options.debounce, wants_file) as listener:
        follower = _Follower(workspace, options, listener)
        yield follower.start()
        while True:
            yield from follower.step(listener.wait(follower.timeout))


class _Follower:
    """The last known state of the worktree, and the time of the next check."""

    def __init__(self, workspace: Workspace, options: WatchOptions, listener: Listener) -> None:
        self.workspace, self.options, self.listener = workspace, options, listener
        self.settings = load_index_settings(workspace)
        self.seen: dict[str, FoundFile] = {}
        self.head_state: object = None
        self.due = 0.0
        self.missed = 0.0  # when events were last lost
        self.reported: str | None = None
        self.git: GitRepository | None = None
        self.has_reported_polling = False

    def start(self) -> Batch:
        batch = self._check_all(relisten=True)
        assert batch is not None
        specs = (load_registry().of_path(path) for path in self.seen)
        warm_languages({spec.name for spec in specs if spec is not None}, Level.OUTLINE)
        return batch

    @property
    def timeout(self) -> float:
        return min(_TICK_SECONDS, max(0.0, self.due - time.monotonic()))

    def step(self, hint: Hint) -> Iterator[WatchEvent]:
        if not self.workspace.root.is_dir():
            raise BirthmarkError(f"{self.workspace.root}: the folder is gone, there is nothing left to watch")
        try:
            batch = self._update(hint)
        except BirthmarkError as error:
            self.due = time.monotonic() + _RETRY_SECONDS
            if str(error) != self.reported:
                self.reported = str(error)
                yield Trouble(self.reported)
            return
        if self.listener.error and not self.has_reported_polling:
            self.has_reported_polling = True
            yield Trouble(
                f"the system does not report changes ({self.listener.error}), so files are checked every "
                f"{_POLL_SECONDS:g} s; raise fs.inotify.max_user_watches or max_user_instances"
            )
        if batch is not None:
            self.reported = None
            yield batch

    def _update(self, hint: Hint) -> Batch | None:
        if hint is None:
            self._limit_rate()
        if hint is None or len(hint) > _MANY_PATHS or not all(map(self._is_plain, hint)):
            return self._check_all(relisten=True)
        if time.monotonic() >= self.due or self.head_state != self._read_head_state():
            return self._check_all(relisten=False)
        return self._check_paths(hint) if hint else None

    def _limit_rate(self) -> None:
        """A file without a name that can be reported may be written all the time."""
        time.sleep(max(0.0, self.missed + _POLL_SECONDS - time.monotonic()))
        self.missed = time.monotonic()

    def _is_plain(self, path: str) -> bool:
        """Return whether a path concerns only one file: no folder, no rule file, and no escapes in the name."""
        is_rule = os.path.basename(path) in _RULE_NAMES
        return not is_rule and path not in self.listener.folders and "\\x" not in path

    def _check_paths(self, paths: frozenset[str]) -> Batch | None:
        """Bring some files up to date."""
        started = time.time_ns()
        found = discover_paths(
            self.workspace.root,
            paths,
            wants_file,
            self.settings.limits.max_bytes,
            third_party=self.settings.index.third_party,
            skipped=self._skipped(),
        )
        if found.folders:
            return self._check_all(relisten=True)
        scope = frozenset(write_path(os.fsencode(path)) for path in paths)
        changed = self._changed(found.files, scope)
        if not changed:
            return None
        summary = self._write(found, scope, self.settings)
        if summary is None:
            return self._check_all(relisten=False)
        for path in scope:
            self.seen.pop(path, None)
        self._remember(found.files, started)
        return _batch(changed, summary, started)

    def _check_all(self, relisten: bool) -> Batch | None:
        """Bring the whole worktree up to date; None if it was, by the status of its files."""
        started, head_state = time.time_ns(), self._read_head_state()
        settings = load_index_settings(self.workspace)
        found = self._discover(settings, relisten)
        self.due = time.monotonic() + self._pause((time.time_ns() - started) / 1e9)
        changed = self._changed(found.files, None)
        is_same = (head_state, settings) == (self.head_state, self.settings) and has_index(self.workspace)
        if is_same and not changed:
            return None
        summary = self._write(found, None, settings)
        assert summary is not None
        self.head_state, self.settings, self.seen = head_state, settings, {}
        self._remember(found.files, started)
        batch = _batch(changed, summary, started)
        release_memory()
        return batch

    def _discover(self, settings: Settings, relisten: bool) -> Discovery:
        """List again once the folders are watched, so that a change meanwhile is either listed or reported."""
        for _ in range(_MOST_LISTINGS):
            found = discover(
                self.workspace.root,
                wants_file,
                settings.limits.max_bytes,
                third_party=settings.index.third_party,
                skipped=self._skipped(),
            )
            if found.folders == self.listener.folders and not relisten:
                break
            self.listener.watch(found.folders)
            relisten = False
        return found

    def _skipped(self) -> SkippedFiles | None:
        """Return the files that a sparse checkout has not written; git stays open for them."""
        if find_git_folders(self.workspace.root) is None:
            return None
        return find_skipped(self.workspace.root, self._open_git, dict)

    def _open_git(self) -> GitRepository:
        from birthmark.sources.git.repository import GitRepository

        self.git = self.git or GitRepository(self.workspace.root)
        return self.git

    def _pause(self, seconds: float) -> float:
        """Return the seconds until the next full check: few without events, but enough to leave time in between."""
        is_polling = self.listener.error is not None or not self.listener.folders
        rescan = min(_POLL_SECONDS, self.options.rescan) if is_polling else self.options.rescan
        return max(rescan, _PAUSE_FACTOR * seconds)

    def _changed(self, files: list[FoundFile], scope: frozenset[str] | None) -> set[str]:
        """Paths whose files differ from those last found; of all paths, or of a scope."""
        present = {file.path for file in files}
        seen = self.seen.keys() if scope is None else scope & self.seen.keys()
        return {file.path for file in files if self.seen.get(file.path) != file} | (seen - present)

    def _remember(self, files: list[FoundFile], started: int) -> None:
        for file in files:
            self.seen[file.path] = file._replace(mtime_ns=-1) if is_racy(file, started) else file

    def _read_head_state(self) -> object:
        """The branch and commit of HEAD, and the state of the rules that are not in the worktree."""
        folders = find_git_folders(self.workspace.root)
        rules = [folders.common + b"/info/exclude", folders.common + b"/info/attributes"] if folders else []
        return self.workspace.branch, self.workspace.head, [_state(path) for path in rules]

    def _write(self, found: Discovery, scope: frozenset[str] | None, settings: Settings) -> Summary | None:
        """Write the changes; return None if single paths cannot be added to this index."""
        target = target_of(self.workspace, found, scope)
        options = IndexOptions(self.options.jobs, None, self.options.progress, with_graph=None)
        with (
            writing(self.workspace, self.options.wait) as store,
            indexing(store, self.workspace, options, settings) as (repository, tools),
        ):
            if scope is not None and not _continues(find_base(store, target.worktree), target, tools):
                return None
            return update_with_edges(store, repository.worktree(found), target, tools, options)


def _state(path: bytes) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _continues(base: Snapshot | None, target: UpdateTarget, tools: IndexTools) -> bool:
    made = (target.worktree, target.branch, tools.setup)
    return base is not None and (base.worktree, base.branch, base.extractor) == made


def _batch(changed: set[str], summary: Summary, started: int) -> Batch:
    return Batch(len(changed), summary, (time.time_ns() - started) / 1e9)


class WatchingProcess:
    """`tell` gets each WatchEvent, in a thread. It ends when it is closed, or when the process that made it ends."""

    def __init__(self, workspace: Workspace, tell: Callable[[WatchEvent], object]) -> None:
        self._events, theirs = Pipe()
        self._process = spawn(_follow, theirs, workspace)
        theirs.close()
        self._thread = Thread(target=self._tell, args=(tell,), name="watching", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._process.terminate()
        self._process.join(_END_SECONDS)
        self._process.kill()
        self._process.join()
        self._thread.join(_END_SECONDS)
        self._events.close()

    def _tell(self, tell: Callable[[WatchEvent], object]) -> None:
        try:
            while True:
                tell(self._events.recv())
        except (EOFError, OSError):
            return


def _follow(events: Connection, workspace: Workspace) -> None:
    """Ctrl-C is for the process that listens; when that is gone, its end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_send, args=(events, workspace), daemon=True).start()
    try:
        events.recv()
    except (EOFError, OSError):
        os._exit(0)


def _send(events: Connection, workspace: Workspace) -> None:
    try:
        for event in follow(workspace):
            events.send(event)
    except BirthmarkError as error:
        events.send(Trouble(str(error)))
