"""Where a copy is from and where it goes: a folder, or a database under the name of the repository.

A worktree is named in a folder by the way to it from there, in a database for all machines; so a copy gives it the
name by which commands look for it in the other place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from birthmark.app.workspace.workspace import choose_store, find_location, find_workspace, name_worktree
from birthmark.errors import BirthmarkError
from birthmark.store.model import REPLAY, StoreLocation

Rename = Callable[[str], str]


class CopyPlace(NamedTuple):
    """A store, and the root of the repository of its folder."""

    location: StoreLocation
    root: Path


def find_places(source: str, target: str, current: Path) -> tuple[CopyPlace, CopyPlace]:
    """Databases are asked for the repository of the folder that is named, or of the current one."""
    folder = next((Path(name) for name in (source, target) if not _is_url(name)), current)
    home = find_workspace(folder).home
    places = _place(source, home), _place(target, home)
    if places[0].location == places[1].location:
        raise BirthmarkError("both places are the same; name another one to copy to")
    return places


def _is_url(name: str) -> bool:
    return "://" in name


def _place(name: str, home: Path) -> CopyPlace:
    if _is_url(name):
        return CopyPlace(find_location(home, choose_store(name)), home.parent)
    own = find_workspace(Path(name)).home
    return CopyPlace(StoreLocation(own), own.parent)


def worktree_names(source: CopyPlace, target: CopyPlace) -> Rename:
    """What a worktree of the source is called in the target."""
    if bool(source.location.url) == bool(target.location.url):
        return lambda name: name
    return _shared_name(source.root) if target.location.url else _local_name(target.root)


def _shared_name(root: Path) -> Rename:
    return lambda name: name if _is_no_path(name) else name_worktree(Path(os.path.normpath(root / name)))


def _local_name(root: Path) -> Rename:
    here = name_worktree(Path("/")).removesuffix("/")

    def rename(name: str) -> str:
        path = name.removeprefix(here)
        return Path(os.path.relpath(path, root)).as_posix() if path != name else name

    return rename


def _is_no_path(name: str) -> bool:
    """Commits that were replayed, and refs of repositories without a worktree."""
    return name in {REPLAY, "HEAD"} or name.startswith("refs/")
