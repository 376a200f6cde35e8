"""Another repository of the database, opened as it was last indexed, for what is asked of states.

Where this machine has a fleet's mirror of it, its commits can be read as well; else there is what the index has.
Contents that subscriptions keep are those of the repository from which it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from birthmark.app.across import BORDER, Visible
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.stores import has_index_at, location_of, open_at, open_directory
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import NotFoundError
from birthmark.extraction.state import RepositoryState
from birthmark.server.fleet.catalog import default_mirrors, mirror_of
from birthmark.sources.git.refs import HEAD, is_ref_name


def split_ref(workspace: Workspace, text: str, visible: Visible) -> tuple[str | None, str]:
    """`REPOSITORY//REF` as its two parts, where a database has such a repository; else all of it is a REF."""
    name, border, ref = text.partition(BORDER)
    directory = open_directory(workspace, visible) if border and name and ref else None
    if directory is None or name == location_of(workspace).repository:
        return None, text if directory is None else ref
    return (name, ref) if name in directory.repositories() else (None, text)


@contextmanager
def open_elsewhere(own: OpenRepository, name: str, mirrors: Path | None = None) -> Iterator[OpenRepository]:
    workspace = own.workspace
    location = location_of(workspace)._replace(repository=name)
    if not location.url or not has_index_at(location):
        where = "the database has" if location.url else "no database is named (--store), so there is"
        raise NotFoundError(f"{name}: {where} no index of this repository")
    with closing(open_at(location)) as store, store.reading():
        mirror = mirror_of(name, mirrors or default_mirrors())
        root = mirror if mirror.is_dir() else workspace.home  # which is no repository
        snapshots = store.snapshots()
        if not snapshots:
            raise NotFoundError(f"{name}: nothing of this repository is indexed yet")
        repository = OpenRepository(Workspace(root, workspace.home, snapshots[0].worktree), store, own.settings)
        with closing(repository):
            yield repository


def indexed_state(other: OpenRepository) -> RepositoryState:
    """The commit that was indexed, if it is at hand; else what the index has of it, or of a worktree."""
    assert other.store is not None
    snapshot = other.store.snapshot(other.workspace.worktree)
    assert snapshot is not None
    is_commit = is_ref_name(snapshot.worktree) or snapshot.worktree == HEAD
    return (other.find_revision(snapshot.revision) if is_commit else None) or other.index()
