"""Follow a worktree and keep its index current.

Takes a Workspace; gives News as long as it is asked for. A few files that changed are looked at by themselves;
anything bolder, and time, has the whole worktree looked at, so that nothing that was not heard is missed for long.
The index is locked only while it is written.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import NamedTuple

from birthmark.app.index import IndexOptions, Progress, indexing, target_of
from birthmark.app.stores import has_index, writing
from birthmark.app.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import wants_file
from birthmark.extraction.warm_up import release_memory, warm_languages
from birthmark.languages.registry import load_registry
from birthmark.ledger.file_scan import IndexTools, is_racy
from birthmark.ledger.update import Summary, UpdateTarget, find_base, update_index
from birthmark.sources.config import CONFIG_FILE, Settings, load_settings
from birthmark.sources.discover import Discovery, FoundFile, discover, discover_paths, write_path
from birthmark.sources.events import Hint, Listener
from birthmark.sources.refs import find_git_folders
from birthmark.store.model import Snapshot

_RULE_NAMES = frozenset({".gitignore", ".birthmarkignore", ".gitattributes", ".git", CONFIG_FILE})
_MANY_PATHS = 500
_TICK_SECONDS = 1.0  # how often it is looked where HEAD stands
_RETRY_SECONDS = 5.0
_POLL_SECONDS = 2.0  # between looks where nothing can be heard
_REST = 20  # looking at everything takes at most one part of so many of the time
_N_LOOKS = 3


class WatchOptions(NamedTuple):
    """How a worktree is followed; times are seconds."""

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
    """Why the index could not be brought up to date, or why it takes longer from now on."""

    problem: str


News = Batch | Trouble


def follow(workspace: Workspace, options: WatchOptions | None = None) -> Iterator[News]:
    """The first Batch is that of the whole worktree. Ends by an error alone, such as KeyboardInterrupt."""
    options = options or WatchOptions()
    with Listener(workspace.root, options.debounce, wants_file) as listener:
        follower = _Follower(workspace, options, listener)
        yield follower.start()
        while True:
            yield from follower.step(listener.wait(follower.patience))


class _Follower:
    """What is known of the worktree, and when it is to be looked at next."""

    def __init__(self, workspace: Workspace, options: WatchOptions, listener: Listener) -> None:
        self.workspace, self.options, self.listener = workspace, options, listener
        self.settings = load_settings(workspace.root)
        self.seen: dict[str, FoundFile] = {}
        self.stand: object = None
        self.due = 0.0
        self.missed = 0.0  # when something was not heard last
        self.told: str | None = None
        self.is_told_deaf = False

    def start(self) -> Batch:
        batch = self._look_everywhere(relisten=True)
        assert batch is not None
        specs = (load_registry().of_path(path) for path in self.seen)
        warm_languages({spec.name for spec in specs if spec is not None})
        return batch

    @property
    def patience(self) -> float:
        return min(_TICK_SECONDS, max(0.0, self.due - time.monotonic()))

    def step(self, hint: Hint) -> Iterator[News]:
        if not self.workspace.root.is_dir():
            raise BirthmarkError(f"{self.workspace.root}: the folder is gone, there is nothing left to watch")
        try:
            batch = self._answer(hint)
        except BirthmarkError as error:
            self.due = time.monotonic() + _RETRY_SECONDS
            if str(error) != self.told:
                self.told = str(error)
                yield Trouble(self.told)
            return
        if self.listener.error and not self.is_told_deaf:
            self.is_told_deaf = True
            yield Trouble(
                f"the system does not tell what changes ({self.listener.error}), so it is looked for every "
                f"{_POLL_SECONDS:g} s; raise fs.inotify.max_user_watches or max_user_instances"
            )
        if batch is not None:
            self.told = None
            yield batch

    def _answer(self, hint: Hint) -> Batch | None:
        if not hint.is_all:
            self._rest()
        if not hint.is_all or len(hint.paths) > _MANY_PATHS or not all(map(self._is_plain, hint.paths)):
            return self._look_everywhere(relisten=True)
        if time.monotonic() >= self.due or self.stand != self._stand():
            return self._look_everywhere(relisten=False)
        return self._look_at(hint.paths) if hint.paths else None

    def _rest(self) -> None:
        """A file whose name cannot be told may be written all the time; it must not keep us busy."""
        time.sleep(max(0.0, self.missed + _POLL_SECONDS - time.monotonic()))
        self.missed = time.monotonic()

    def _is_plain(self, path: str) -> bool:
        """Whether a path speaks for itself alone: it is no folder, holds no rules, and no other is written like it."""
        is_rule = os.path.basename(path) in _RULE_NAMES
        return not is_rule and path not in self.listener.folders and "\\x" not in path

    def _look_at(self, paths: frozenset[str]) -> Batch | None:
        """Bring some files up to date."""
        started = time.time_ns()
        found = discover_paths(self.workspace.root, paths, wants_file, self.settings.limits.max_bytes)
        if found.folders:
            return self._look_everywhere(relisten=True)
        scope = frozenset(write_path(os.fsencode(path)) for path in paths)
        changed = self._changed(found.files, scope)
        if not changed:
            return None
        summary = self._write(found, scope, self.settings)
        if summary is None:
            return self._look_everywhere(relisten=False)
        for path in scope:
            self.seen.pop(path, None)
        self._remember(found.files, started)
        return _batch(changed, summary, started)

    def _look_everywhere(self, relisten: bool) -> Batch | None:
        """Bring everything up to date; None if it was so, as far as can be seen from outside."""
        started, stand = time.time_ns(), self._stand()
        settings = load_settings(self.workspace.root)
        found = self._discover(settings.limits.max_bytes, relisten)
        self.due = time.monotonic() + self._pause((time.time_ns() - started) / 1e9)
        changed = self._changed(found.files, None)
        is_known = (stand, settings) == (self.stand, self.settings) and has_index(self.workspace)
        if is_known and not changed:
            return None
        summary = self._write(found, None, settings)
        assert summary is not None
        self.stand, self.settings, self.seen = stand, settings, {}
        self._remember(found.files, started)
        batch = _batch(changed, summary, started)
        release_memory()
        return batch

    def _discover(self, max_bytes: int, relisten: bool) -> Discovery:
        """Look after the ears are open, so that what happens meanwhile is either seen or heard."""
        for _ in range(_N_LOOKS):
            found = discover(self.workspace.root, wants_file, max_bytes)
            if found.folders == self.listener.folders and not relisten:
                break
            self.listener.watch(found.folders)
            relisten = False
        return found

    def _pause(self, seconds: float) -> float:
        """Until everything is looked at again: soon if nothing can be heard, and never all the time."""
        is_deaf = self.listener.error is not None or not self.listener.folders
        rescan = min(_POLL_SECONDS, self.options.rescan) if is_deaf else self.options.rescan
        return max(rescan, _REST * seconds)

    def _changed(self, files: list[FoundFile], scope: frozenset[str] | None) -> set[str]:
        """Paths at which something else stands than was seen there; of all paths, or of those looked at."""
        there = {file.path for file in files}
        known = self.seen.keys() if scope is None else scope & self.seen.keys()
        return {file.path for file in files if self.seen.get(file.path) != file} | (known - there)

    def _remember(self, files: list[FoundFile], started: int) -> None:
        for file in files:
            self.seen[file.path] = file._replace(mtime_ns=-1) if is_racy(file, started) else file

    def _stand(self) -> object:
        """Where HEAD stands, and the state of the rules that this clone alone has."""
        folders = find_git_folders(self.workspace.root)
        rules = [folders.common + b"/info/exclude", folders.common + b"/info/attributes"] if folders else []
        return self.workspace.branch, self.workspace.head, [_state(path) for path in rules]

    def _write(self, found: Discovery, scope: frozenset[str] | None, settings: Settings) -> Summary | None:
        """None if a few paths were looked at, but the index is not what they can be added to."""
        target = target_of(self.workspace, found, scope)
        options = IndexOptions(self.options.jobs, None, self.options.progress)
        with (
            writing(self.workspace, self.options.wait) as store,
            indexing(store, self.workspace, options, settings) as (repository, tools),
        ):
            if scope is not None and not _continues(find_base(store, target.worktree), target, tools):
                return None
            return update_index(store, repository.worktree(found), target, tools)


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
