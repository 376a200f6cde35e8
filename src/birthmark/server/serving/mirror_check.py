"""Look at a mirror of a fleet for the questions of a server. Nothing is indexed: `birthmark fleet` does that.

Each process looks for itself: as long as refs, settings and index are the same, that takes a few small files and
queries, and gives what was found before.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import Lock

from birthmark.app.workspace.stores import index_identity, open_index
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.app.workspace.worktree_check import CheckedWorktree, check_worktree
from birthmark.sources.config import load_settings
from birthmark.sources.git.refs import read_git_state
from birthmark.store.model import Snapshot


class MirrorCheck:
    """Of one mirror; called as `check_worktree` is."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: tuple[object, CheckedWorktree] | None = None

    def __call__(self, folder: Path, refreshes: bool) -> CheckedWorktree:
        with self._lock:
            state = _read_state(folder)
            if self._known is None or self._known[0] != state:
                self._known = state, check_worktree(folder, refreshes=False)
            return self._known[1]


def _read_state(folder: Path) -> object:
    """What all that is found depends on."""
    workspace = find_workspace(folder)
    root = workspace.root
    return workspace, read_git_state(root), load_settings(root), index_identity(workspace), _find_snapshot(workspace)


def _find_snapshot(workspace: Workspace) -> Snapshot | None:
    store = open_index(workspace)
    if store is None:
        return None
    with closing(store):
        return store.snapshot(workspace.worktree)
