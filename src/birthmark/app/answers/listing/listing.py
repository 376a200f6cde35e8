"""List what the index holds, of a file, of a folder or of all: entities, nodes, chunks, and what was deleted.

A path is looked up in the index and never opened, so that nothing can be read that is not indexed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.app.answers.listing.files import is_below
from birthmark.app.answers.resolving import read_commits
from birthmark.app.workspace.session import Session
from birthmark.comparison.file_roles import role_of
from birthmark.errors import NotFoundError
from birthmark.extraction.model import ChunkedFile
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Node
from birthmark.queries.life import DeletedIdentity, deleted_from
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile
from birthmark.sources.git.log import Commit
from birthmark.spelling import did_you_mean
from birthmark.vocabulary import FileRole


class IndexedNode(NamedTuple):
    """A node with its semantic id and the path of its file."""

    node: Node
    semantic_id: str
    path: str


def find_paths(session: Session, path: str | None) -> list[str] | None:
    """The files of the index that a path names: one, or all below a folder; without a path all of them, as None."""
    if path is None:
        return None
    name = posixpath.normpath(path)
    found = [name] if session.view.file(name) is not None else paths_below(session, "" if name == "." else name)
    if not found:
        near = did_you_mean(name, session.view.paths())
        raise NotFoundError(f"{path}: is no file or folder of the index{near or '; `birthmark entities` lists them'}")
    return found


def select_paths(session: Session, names: Sequence[str], *, with_all: bool = False) -> list[str]:
    """All files that are named; without names all files with code of the program, or with `with_all` all others too."""
    if names:
        return sorted({path for name in names for path in find_paths(session, name) or ()})
    return [path for path in session.view.paths() if with_all or role_of(path) is FileRole.SOURCE]


def from_root(session: Session, names: Sequence[str]) -> tuple[str, ...]:
    """Paths as the command line has them, relative to the current folder, from the root of the repository."""
    folder = session.workspace.current_folder
    return tuple(posixpath.normpath(posixpath.join(folder, name)) for name in names)


def paths_below(session: Session, folder: str) -> list[str]:
    return [path for path in session.view.paths() if is_below(path, folder)]


def list_entities(session: Session, paths: list[str] | None = None) -> Iterator[IndexedEntity]:
    return session.view.entities(paths)


def list_files(session: Session, paths: list[str] | None = None) -> Iterator[IndexedFile]:
    return session.view.files(paths)


def list_chunked(session: Session, paths: list[str] | None = None) -> Iterator[ChunkedFile]:
    return map(session.view.chunked, session.view.files(paths))


def list_nodes(session: Session, paths: list[str] | None) -> Iterator[IndexedNode]:
    return (node for file in list_files(session, paths) for node in _nodes_of(session, file))


def _nodes_of(session: Session, file: IndexedFile) -> Iterator[IndexedNode]:
    reading = session.read_nodes(file)
    if reading is not None:
        for node, semantic_id in zip(reading.nodes, reading.semantic_ids, strict=True):
            yield IndexedNode(node, semantic_id, file.path)


def count_files(session: Session) -> int:
    """How many files could be read, in which everything is looked for."""
    return session.store.file_counts(session.view.number).indexed


def list_deleted(session: Session, path: str) -> tuple[list[DeletedIdentity], dict[str, Commit]]:
    """With the commits of the deletions, as far as this clone has them."""
    found = deleted_from(session.view, path)
    commit_of = session.repository.commit if session.workspace.has_git else None
    return found, read_commits(commit_of, [one.deletion for one in found])


def list_languages() -> list[LanguageSpec]:
    return list(load_registry().languages.values())


def find_language(name: str) -> LanguageSpec | None:
    """By its name, or another name of it."""
    return load_registry().named(name)
