"""Graphs of commits, with filters of the paths that each changed, kept in the user's cache folder for other processes.

Takes the git folder of a repository; gives a folder of objects that has its graph and nothing else, so that git finds
it as an alternate. A repository cannot bring one along: its worktree and its `.birthmark` are elsewhere. What a graph
says of a commit follows from the commit's id, so that it is right for whatever repository is at that path later.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from birthmark.sources.git.refs import GitFolders

GRAPH = Path("info", "commit-graph")  # in a folder of objects
_MOST = 64  # that are kept
_DAY = 86_400.0  # seconds


def find_graph(folders: GitFolders) -> Path | None:
    """The folder of objects that has the graph of a repository; None where none is kept, or another user made it."""
    folder = _folder_of(folders)
    with suppress(OSError):
        if all(_is_own(path) for path in (folder, folder / GRAPH.parent, folder / GRAPH)):
            return folder
    return None


def is_recent(folder: Path) -> bool:
    """Whether a graph need not be written again yet; what it lacks is read from commits."""
    with suppress(OSError):
        return time.time() - (folder / GRAPH).stat().st_mtime < _DAY
    return False


def keep_graph(folders: GitFolders, written: Path) -> None:
    """Replace the graph of a repository by one that git has written; where that cannot be done, all is as it was."""
    target = _folder_of(folders) / GRAPH
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        whole = target.with_name(f"{os.getpid()}.new")
        shutil.copyfile(written, whole)
        whole.replace(target)
        _drop_oldest(target.parents[2])


def _folder_of(folders: GitFolders) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(cache if os.path.isabs(cache) else os.path.expanduser("~/.cache"))
    return home / "birthmark" / "graphs" / sha256(os.path.realpath(folders.common)).hexdigest()[:32]


def _is_own(path: Path) -> bool:
    status = path.lstat()
    return not stat.S_ISLNK(status.st_mode) and (not hasattr(os, "geteuid") or status.st_uid == os.geteuid())


def _drop_oldest(graphs: Path) -> None:
    """Those of repositories that were not walked for longest."""
    kept = sorted(graphs.iterdir(), key=lambda folder: folder.joinpath(GRAPH).stat().st_mtime, reverse=True)
    for folder in kept[_MOST:]:
        shutil.rmtree(folder, ignore_errors=True)
