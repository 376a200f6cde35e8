"""A repository that is open: its commits, index and worktree, and the states made of them.

Whatever reads a repository goes through here. What needs git, a worktree or an index raises an error if there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from birthmark.app.workspace.commits import CommitHistory, make_extractor
from birthmark.app.workspace.freshness import CheckedWorktree, Freshness, RefreshOptions, find_freshness, refresh_index
from birthmark.app.workspace.states import (
    CommitFiles,
    CommitState,
    IndexState,
    WorktreeState,
    kept_content,
)
from birthmark.app.workspace.stores import failing_as_damaged, open_index
from birthmark.app.workspace.workspace import FOLDER, Workspace, find_workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import PoolFactory
from birthmark.extraction.outline_memory import OutlineMemory
from birthmark.extraction.state import (
    INDEX,
    NOTHING,
    WORKTREE,
    FileEntry,
    OverlayState,
    RepositoryState,
    wants_file,
)
from birthmark.ledger.file_scan import FoundFiles
from birthmark.model import Problem
from birthmark.sources.config import CONFIG_FILE, Settings, load_settings
from birthmark.sources.discover import Discovery, SkippedFiles, discover
from birthmark.sources.git.skipped import find_skipped
from birthmark.sources.worktree import pack_listings, unpack_listings
from birthmark.store.model import Snapshot, SnapshotFile
from birthmark.store.port import Store
from birthmark.vocabulary import Detail

if TYPE_CHECKING:
    from birthmark.comparison.state_comparison import StateComparison


THIRD_PARTY = "third party"  # what the store has it under, if code of others was asked for


class OpenRepository(CommitHistory):
    """A repository with its index, and the states of its worktree, its commits and its index, each made once."""

    def __init__(
        self,
        workspace: Workspace,
        store: Store | None = None,
        settings: Settings | None = None,
        n_workers: int | None = None,
        *,
        is_writable: bool = False,
        memory: OutlineMemory | None = None,
        make_pool: PoolFactory | None = None,
    ) -> None:
        settings = with_request(settings or load_settings(workspace.root), store)
        extractor = make_extractor(
            settings, n_workers, store, is_writable=is_writable, memory=memory, make_pool=make_pool
        )
        super().__init__(workspace, settings, extractor)
        self.store, self._is_writable = store, is_writable
        self.refresh_problem: str | None = None  # why the index could not be brought up to date
        self.look = WorktreeLook(self)

    def setup(self, detail: Detail) -> str:
        """Return all that may give another index of the same files."""
        third_party = " third-party" if self.settings.index.third_party else ""
        return f"{self.extractor.version} {self.settings.limits}{third_party} {detail}"

    def look_again(self, checked: CheckedWorktree) -> None:
        """Take what was found in the worktree now; states that were made from an earlier look are dropped."""
        self.look = WorktreeLook(self, checked)

    def rows(self) -> dict[str, SnapshotFile]:
        """Return the files of the index."""
        snapshot = self.store.snapshot(self.workspace.worktree) if self.store is not None else None
        return self.store.files(snapshot.snapshot) if self.store is not None and snapshot is not None else {}

    def report_refresh(self, problem: str | None) -> None:
        """Say in answers that the index could not be brought up to date, and why."""
        self.refresh_problem = problem
        self.problems += [Problem(FOLDER, f"is not up to date: {problem}")] if problem else []

    @property
    def freshness(self) -> Freshness | None:
        """The freshness of the index; None if this worktree is not indexed."""
        return self.look.freshness

    @property
    def head(self) -> str | None:
        """The commit of the workspace's ref or worktree."""
        return self.look.head

    @property
    def discovery(self) -> Discovery:
        """The files of the worktree; or of the commit, where there is no worktree."""
        return self.look.discovery

    def discover(self) -> Discovery:
        """Find what is in the worktree now; or in the commit."""
        if not self.workspace.has_worktree:
            return self._discover_commit()
        known = unpack_listings(self.store.meta(self._listings_name) if self.store is not None else None)
        limit = self.settings.limits.max_bytes
        third_party, version = self.settings.index.third_party, self.extractor.version
        found = discover(
            self.workspace.root, wants_file, limit, known, version, third_party=third_party, skipped=self.skipped()
        )
        if self._is_writable and self.store is not None and found.listings != known:
            self.store.set_meta(self._listings_name, pack_listings(found.listings))
        return found._replace(problems=[*self._refusals(), *found.problems])

    def skipped(self) -> SkippedFiles | None:
        """Return the files that a sparse checkout has not written."""
        if not self.workspace.has_git:
            return None
        return find_skipped(self.workspace.root, lambda: self.git, self._sizes_of_blobs)

    def _sizes_of_blobs(self) -> dict[str, int]:
        """Return the sizes of indexed files that are not on the disk, by blob."""
        return {row.content.hex(): row.size for row in self.rows().values() if row.mtime_ns == 0}

    def _refusals(self) -> list[Problem]:
        """Return a problem for each setting that a repository may not set."""
        text = "is not for a repository to set, and is ignored; `birthmark trust` shows what the file asks for"
        return [Problem(CONFIG_FILE, f"{name} {text}") for name in self.settings.refused]

    def _discover_commit(self) -> Discovery:
        from birthmark.sources.git.tree_walk import TreeWalk

        if self.head is None:
            return Discovery([], [])
        sizes, limit = self._sizes_of_blobs(), self.settings.limits.max_bytes
        third_party = self.settings.index.third_party
        root, head = self.workspace.root, self.head
        return TreeWalk(self.git, root, head, wants_file, limit, sizes, third_party=third_party).run()

    def current_files(self, discovery: Discovery | None = None) -> FoundFiles:
        """Return the files of the worktree or the commit with their contents; `discovery` replaces a new search."""
        if self.workspace.has_worktree:
            return self.worktree(discovery)
        state = None if self.head is None else self.commit_state(self.head)
        return CommitFiles(state, discovery or self.discovery)

    @property
    def _listings_name(self) -> str:
        """The key under which the folder listings of this worktree are stored."""
        return f"listings {self.workspace.worktree}"

    def worktree(self, discovery: Discovery | None = None) -> WorktreeState:
        """Return the state of the worktree, from `discovery` if given."""
        found = self.look.states.get(WORKTREE)
        if discovery is None and isinstance(found, WorktreeState):
            return found
        self.workspace.require_worktree("name revisions, or clone it")
        head = self.workspace.head if self.workspace.has_git else None
        state = WorktreeState(
            self._tools, self.workspace.root, discovery or self.discovery, self.rows, head, self.commit_state
        )
        self.look.states[WORKTREE] = state
        return state

    def revision(self, name: str) -> CommitState:
        """Return the state of a commit, named by a revision in any form of git, or by a date."""
        return self.commit_state(self.find_commit(name))

    def commit_state(self, commit: str) -> CommitState:
        state = self.look.states.get(commit)
        if not isinstance(state, CommitState):
            state = self.look.states[commit] = self._state_of(commit)
        return state

    def nothing(self) -> RepositoryState:
        """Return the empty state before the first commit."""
        return RepositoryState(self._tools, NOTHING, None)

    def index(self) -> IndexState:
        """Return the indexed state; it is empty without an index."""
        state = self.look.states.get(INDEX)
        if not isinstance(state, IndexState):
            rows = self.rows()
            numbers = [row.version for row in rows.values() if row.version is not None]
            versions = self.store.versions(numbers) if self.store is not None else {}
            state = self.look.states[INDEX] = IndexState(self._tools, rows, versions)
        return state

    def named(self, revision: str | None) -> RepositoryState:
        """The state of a revision; without one, the worktree, or where there is none, the commit of the ref."""
        if revision is not None:
            return self.revision(revision)
        if self.workspace.has_worktree:
            return self.worktree()
        return self.nothing() if self.head is None else self.commit_state(self.head)

    def find_revision(self, revision: str | None) -> CommitState | None:
        """The state of a commit that was recorded once, if this clone still has it."""
        if revision is None or not self.workspace.has_git:
            return None
        try:
            return self.revision(revision)
        except BirthmarkError:
            return None

    def overlay(self, revision: str | None, files: Mapping[str, str], *, is_whole: bool = False) -> RepositoryState:
        """A commit with files whose contents were others in the worktree; where there was no commit, the index.

        Where there was no commit and the files were all there were, nothing that came later belongs to it.
        """
        base = self.find_revision(revision) or self.find_revision("HEAD" if revision else None) or self.index()
        is_whole = is_whole and revision is None
        other = {path: id_ for path, id_ in files.items() if is_whole or (base.content_id(path) or "") != id_}
        key = f"{base.name} {is_whole} {sorted(other.items())}"
        if key not in self.look.states:
            entries = {path: self._kept_entry(path, content_id) for path, content_id in other.items()}
            is_base = not other and not is_whole
            self.look.states[key] = base if is_base else OverlayState(base, entries, is_whole=is_whole)
        return self.look.states[key]

    def may_name(self, path: str) -> bool:
        """Return whether a path may name content of the worktree; all that is in a commit may be named."""
        return not path or not self.workspace.has_worktree or self.worktree().may_name(path)

    def _kept_entry(self, path: str, content_id: str) -> FileEntry | None:
        is_kept = content_id and self.may_name(path)
        content = kept_content(self.workspace, self.git_or_none, content_id) if is_kept else None
        return None if content is None else FileEntry(content_id, lambda: content)


class WorktreeLook:
    """A worktree at one moment, or the commit in its place, and the states of the repository that were made since.

    It is replaced as a whole when the worktree was looked at again, or when the index has changed.
    """

    def __init__(self, repository: OpenRepository, checked: CheckedWorktree | None = None) -> None:
        self._repository, self._checked = repository, checked
        self.states: dict[str, RepositoryState] = {}

    @cached_property
    def head(self) -> str | None:
        """The commit of the workspace's ref or worktree."""
        return self._repository.workspace.head

    @cached_property
    def discovery(self) -> Discovery:
        return self._checked.discovery if self._checked is not None else self._repository.discover()

    @cached_property
    def freshness(self) -> Freshness | None:
        """The freshness of the index; None if this worktree is not indexed."""
        if self._checked is not None:
            return self._checked.freshness
        repository, workspace = self._repository, self._repository.workspace
        snapshot = repository.store.snapshot(workspace.worktree) if repository.store is not None else None
        if snapshot is None:
            return None
        is_at_commit = not workspace.has_worktree and snapshot.revision == self.head
        files = None if is_at_commit else repository.current_files()
        found = find_freshness(self.head, snapshot.revision, files, repository.rows())
        is_remade = files is not None and snapshot.extractor != repository.setup(detail_of(snapshot))
        return found._replace(
            problem=repository.refresh_problem,
            settings_changed=is_remade,
            can_refresh=found.can_refresh or is_remade,
        )

    @cached_property
    def changes(self) -> StateComparison:
        """The changes of the worktree since it was indexed."""
        from birthmark.comparison.state_comparison import StateComparison

        repository = self._repository
        return StateComparison(repository.index(), repository.worktree(), repository.family_of)


def with_request(settings: Settings, store: Store | None) -> Settings:
    """Return the settings with what `index --third-party` asked for, which stays with the index."""
    if store is None or not store.meta(THIRD_PARTY):
        return settings
    return replace(settings, index=replace(settings.index, third_party=True))


def load_index_settings(workspace: Workspace) -> Settings:
    """Return the settings with which the index of a workspace is updated."""
    store = open_index(workspace)
    with nullcontext() if store is None else closing(store):
        return with_request(load_settings(workspace.root), store)


def detail_of(base: Snapshot | None) -> Detail:
    """The detail a snapshot was made with, which stays until another is asked for."""
    return Detail.FULL if base is not None and base.extractor.endswith(Detail.FULL) else Detail.DEFINITIONS


@contextmanager
def open_repository(folder: Path | None = None, refresh: RefreshOptions | None = None) -> Iterator[OpenRepository]:
    """Open the repository around a folder, with its index if it has one; bring that up to date first if asked to."""
    workspace, problem = find_workspace(folder or Path.cwd()), None
    if refresh is not None:
        with _opened(workspace) as repository:
            freshness = repository.freshness if repository.settings.index.refresh else None
            if freshness is None or not freshness.can_refresh:
                yield repository
                return
        problem = refresh_index(workspace, freshness, refresh)
    with _opened(workspace) as repository:
        repository.report_refresh(problem)
        yield repository


@contextmanager
def _opened(workspace: Workspace) -> Iterator[OpenRepository]:
    store = open_index(workspace)
    repository = OpenRepository(workspace, store)
    try:
        with failing_as_damaged(store) if store is not None else nullcontext():
            yield repository
    finally:
        repository.close()
        if store is not None:
            store.close()
