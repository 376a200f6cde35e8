"""States of a repository for subscriptions: the worktree, a revision, the index, or nothing at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import PurePosixPath

from birthmark.app.diffing import INDEX, WORKTREE, Blob, Side, Trees
from birthmark.app.past import os_path
from birthmark.app.stores import has_subscriptions, subscription_store
from birthmark.comparison.match_candidates import OutlinedFile
from birthmark.comparison.state_comparison import EntityInState
from birthmark.errors import BirthmarkError
from birthmark.ledger.file_scan import content_id_of
from birthmark.model import Problem
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.sources.discover import discover
from birthmark.sources.worktree import read_file
from birthmark.subscriptions.model import Accepted

_TOO_LARGE = "is larger than limits.max_bytes, left out"


class State:
    """A side of a comparison whose files are loaded once. `commit` is what it is, `revision` what it stands on."""

    def __init__(
        self,
        trees: Trees,
        name: str,
        side: Side,
        commit: str | None,
        revision: str | None,
        *,
        is_past: bool = False,
    ) -> None:
        """`is_past` is for what stands nowhere any more, so that nothing but the side tells of it."""
        self.trees, self.name, self.side, self._commit, self.revision = trees, name, side, commit, revision
        self._is_past = is_past
        self._files: dict[str, OutlinedFile | None] = {}
        self._contents: dict[str, bytes | None] = {}
        self._ids: dict[str, str] = {path: blob.content_id.hex() for path, blob in side.items()}

    def paths(self) -> Collection[str]:
        return self.side.keys()

    def content_id(self, path: str) -> str | None:
        if path not in self._ids:
            content = self.content(path)
            self._ids[path] = "" if content is None else content_id_of(content).hex()
        return self._ids[path] or None

    def content(self, path: str) -> bytes | None:
        """Files that are in no language of ours are not part of the side, and looked up where they are."""
        if path not in self._contents:
            self._contents[path] = self.side[path].load() if path in self.side else self._read(path)
        return self._contents[path]

    def _read(self, path: str) -> bytes | None:
        if self._is_past or not _is_inside(path):
            return None
        return self._read_here(path) if self._commit is None else self._read_committed(path, self._commit)

    def _read_here(self, path: str) -> bytes | None:
        root, longest = self.trees.workspace.root, self.trees.settings.limits.max_bytes
        file = root / path
        if not file.is_file() or not file.resolve().is_relative_to(root.resolve()):
            return None
        try:
            return read_file(file, longest)
        except BirthmarkError:
            self.problems.append(Problem(path, _TOO_LARGE if file.stat().st_size > longest else "cannot be read"))
            return None

    def _read_committed(self, path: str, commit: str) -> bytes | None:
        repository = self.trees.repository
        blob = repository.blob_at(commit, os_path(path))
        if blob is not None and repository.sizes([blob]).get(blob, 0) > self.trees.settings.limits.max_bytes:
            self.problems.append(Problem(path, _TOO_LARGE))
            return None
        return None if blob is None else repository.read(blob)

    def load(self, paths: Collection[str]) -> list[OutlinedFile]:
        missing = [path for path in paths if path not in self._files and path in self.side]
        if missing:
            self._files |= dict.fromkeys(missing)
            self._files |= {file.path: file for file in self.trees.states(self.side, missing)}
        return [file for path in sorted(paths) if (file := self._files.get(path)) is not None]

    def file(self, path: str) -> OutlinedFile | None:
        self.load([path])
        return self._files.get(path)

    def holding(self, content: bytes, like: str) -> list[str]:
        """Where a content stands, also in files that are not part of the side."""
        if self._is_past:
            return []
        content_id, suffix = content_id_of(content).hex(), PurePosixPath(like).suffix
        if self._commit is not None:
            tree = self.trees.repository.tree(self._commit)
            return [path for path, entry in tree.items() if entry.blob == content_id and path.endswith(suffix)]
        limits = self.trees.settings.limits
        found = discover(self.trees.workspace.root, lambda name: name.endswith(suffix), limits.max_bytes).files
        return [one.path for one in found if one.size == len(content) and self.content_id(one.path) == content_id]

    def dirty(self) -> Collection[str]:
        if self._commit is not None:
            return ()
        if self.revision is None:
            return self.paths()
        committed = self.trees.revision(self.revision)
        return [
            path
            for path in sorted(self.side.keys() | committed.keys())
            if path not in committed or self._ids.get(path) != committed[path].content_id.hex()
        ]

    def problem(self, path: str) -> str | None:
        return next((problem.problem for problem in self.problems if problem.path == path), None)

    @property
    def problems(self) -> list[Problem]:
        return self.trees.problems


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not PurePosixPath(path).is_absolute() and ".." not in parts


class States:
    """Makes states, each once."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        self._made: dict[str, State] = {}

    @cached_property
    def has_git(self) -> bool:
        return (self.trees.workspace.root / ".git").exists()

    def worktree(self) -> State:
        if WORKTREE not in self._made:
            head = self.trees.workspace.head if self.has_git else None
            self._made[WORKTREE] = State(self.trees, WORKTREE, self.trees.worktree(), None, head)
        return self._made[WORKTREE]

    def revision(self, name: str) -> State:
        commit = self.trees.repository.resolve(name)
        if commit not in self._made:
            self._made[commit] = State(self.trees, commit, self.trees.revision(commit), commit, commit)
        return self._made[commit]

    def index(self) -> State:
        """What was indexed; nothing, where nothing was."""
        if INDEX not in self._made:
            side = self.trees.index() if self.trees.rows() else {}
            self._made[INDEX] = State(self.trees, INDEX, side, None, None, is_past=True)
        return self._made[INDEX]

    def accepted(self, revision: str | None, files: Mapping[str, str], *, is_whole: bool = False) -> State:
        """A commit as it was when something was accepted: with files that stood otherwise in the worktree.

        Where there was no commit and the files were all there were, nothing that came later belongs to it.
        """
        base = self.known(revision) or self.known("HEAD" if revision else None) or self.index()
        is_whole = is_whole and revision is None
        if is_whole:
            base = State(self.trees, base.name, {}, None, None, is_past=True)
        other = {path: content_id for path, content_id in files.items() if (base.content_id(path) or "") != content_id}
        key = f"{base.name} {is_whole} {sorted(other.items())}"
        if other and key not in self._made:
            side = {path: blob for path, blob in base.side.items() if path not in other}
            side |= {path: blob for path, content_id in other.items() if (blob := self._blob(content_id)) is not None}
            self._made[key] = State(self.trees, base.name, side, None, base.revision, is_past=True)
        return self._made[key] if other else base

    def _blob(self, content_id: str) -> Blob | None:
        """A content that git or we ourselves have kept."""
        if not content_id:
            return None
        content = self._kept(content_id)
        if content is None and self.has_git and self.trees.repository.sizes([content_id]):
            content = self.trees.repository.read(content_id)
        return None if content is None else Blob(bytes.fromhex(content_id), None, lambda: content)

    def _kept(self, content_id: str) -> bytes | None:
        if not has_subscriptions(self.trees.workspace):
            return None
        with subscription_store(self.trees.workspace) as store:
            return store.content(content_id)

    def contents_of(self, state: State, accepted: Iterable[Accepted]) -> dict[str, bytes]:
        """What was accepted and git does not have, so that it can be compared with later."""
        wanted = {content_id: path for one in accepted for path, content_id in one.files.items() if content_id}
        known = self.trees.repository.sizes(wanted) if self.has_git else {}
        found = {content_id: state.content(path) for content_id, path in wanted.items() if content_id not in known}
        return {content_id: content for content_id, content in found.items() if content is not None}

    def named(self, revision: str | None) -> State:
        return self.worktree() if revision is None else self.revision(revision)

    def known(self, revision: str | None) -> State | None:
        """The state of a commit that was noted once, if this clone still has it."""
        if revision is None or not self.has_git:
            return None
        try:
            return self.revision(revision)
        except BirthmarkError:
            return None


class Marks:
    """Who entities are, where the index has seen them just as they are in a state."""

    def __init__(self, trees: Trees, state: State) -> None:
        self.state = state
        self._view: SnapshotView | None = None
        if trees.store is not None:
            with suppress(BirthmarkError):  # This worktree is not indexed, or by another version of this program.
                self._view = SnapshotView(trees.store, trees.workspace.worktree)
        self._identities: dict[str, tuple[int, ...]] = {}
        self._marks: dict[int, str] = {}

    def mark_of(self, spot: EntityInState) -> str | None:
        identities = self._identities_in(spot.file.path)
        return self._marks[identities[spot.ordinal]] if identities else None

    def spot_of(self, mark: str) -> EntityInState | None:
        """Where the ledger says that a mark is now."""
        held = self._view.entities_marked(mark) if self._view is not None else []
        file = self.state.file(held[0].entity.path) if held else None
        if not held or file is None or not self._identities_in(file.path):
            return None
        return EntityInState(file, held[0].ordinal)

    def _identities_in(self, path: str) -> tuple[int, ...]:
        """Empty where the file is not as it was indexed."""
        if path not in self._identities:
            self._identities[path] = self._look_up(path)
        return self._identities[path]

    def _look_up(self, path: str) -> tuple[int, ...]:
        row = self._view.row(path) if self._view is not None else None
        if self._view is None or row is None or row.version is None or row.problem:
            return ()
        if row.content.hex() != self.state.content_id(path):
            return ()
        identities = self._view.store.versions([row.version])[row.version].identities
        self._marks |= {one.identity: one.mark for one in self._view.store.identities(identities)}
        return identities
