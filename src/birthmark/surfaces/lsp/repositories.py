"""The repositories of the folders that an editor has open, and files that are written only to be shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import cached_property, lru_cache, partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from threading import Lock

from birthmark.app.serving.coordinator import Coordinator, connect
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.freshness import WAIT_SECONDS
from birthmark.app.workspace.stores import has_index
from birthmark.app.workspace.workspace import find_workspace, name_path
from birthmark.errors import BirthmarkError

_MOST_FOLDERS = 4096
_MAX_AGE = 5.0  # seconds between looks at the worktree; files that the editor saves are looked at at once


class EditorRepositories:
    """`when_kept_up` is called with the root of a repository whose answers were prepared."""

    def __init__(self, when_kept_up: Callable[[Path], object]) -> None:
        self._when_kept_up, self._lock = when_kept_up, Lock()
        self._stack, self._shared = ExitStack(), dict[Path, SharedRepositories]()
        self._root_of = lru_cache(_MOST_FOLDERS)(root_of)  # because every key press asks for them

    def get(self, root: Path) -> SharedRepositories:
        with self._lock:
            if root not in self._shared:
                coordinator = Coordinator(root, _MAX_AGE, partial(self._when_kept_up, root), WAIT_SECONDS)
                self._stack.enter_context(closing(coordinator))
                self._shared[root] = self._stack.enter_context(closing(connect(coordinator.duties())))
            return self._shared[root]

    def close(self) -> None:
        with self._lock:
            self._shared.clear()
            self._stack.close()

    def forget_roots(self) -> None:
        self._root_of.cache_clear()

    def place_of(self, file: Path, folders: Sequence[Path]) -> tuple[Path, str] | None:
        """The root of the repository of a file, and its path there; None for a file that is outside of what is open.

        Without any folders, a file is open by itself.
        """
        file = Path(os.path.abspath(file))
        root = self._root_of(next((one for one in file.parents if one.is_dir()), file.parent))
        if root is None:
            return None
        is_open = not folders or any(root.is_relative_to(one) or root == self._root_of(one) for one in folders)
        return (root, name_path(file.relative_to(root))) if is_open else None

    @cached_property
    def _shown(self) -> Path:
        return Path(self._stack.enter_context(TemporaryDirectory(prefix="birthmark-", ignore_cleanup_errors=True)))

    def show(self, name: str, content: bytes) -> Path:
        """Write a file for an editor to open; a name that leads out of the folder is taken for its last part.

        It is read-only, because nothing that is written there is kept.
        """
        parts = PurePosixPath(name).parts
        is_inside = not PurePosixPath(name).is_absolute() and ".." not in parts
        file = self._shown / (name if is_inside else PurePosixPath(name).name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(content)
        file.chmod(0o400)
        return file


def root_of(folder: Path) -> Path | None:
    """The root of the repository around a folder; None where the folder is not there, or its index is refused."""
    try:
        workspace = find_workspace(folder)
    except BirthmarkError:
        return None
    return workspace.root if workspace.has_worktree else None


def is_indexed(root: Path) -> bool:
    """Return whether there is an index, even one that cannot be used."""
    try:
        return has_index(find_workspace(root))
    except BirthmarkError:
        return True
