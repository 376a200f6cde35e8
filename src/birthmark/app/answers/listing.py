"""List what a file, a folder or the index holds: entities, nodes, chunks, and what was deleted.

Questions look a path up in the index and never open it, so that nothing can be read that is not indexed. The command
line names files: they are read if the index does not have them as they are (`open_listing`).
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from birthmark.app.answers.files import (
    AS_INDEXED,
    ReadFile,
    ReadingOptions,
    is_below,
    nodes_in_order,
    read_folder,
    read_one,
)
from birthmark.app.answers.resolving import read_commits
from birthmark.app.workspace.freshness import Freshness, RefreshOptions
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import has_index
from birthmark.app.workspace.workspace import find_workspace, name_path
from birthmark.comparison.file_roles import role_of
from birthmark.errors import NotFoundError
from birthmark.extraction.model import ChunkedFile, FileNodes
from birthmark.extraction.placement import EntityNames, name_entities, place_nodes
from birthmark.extraction.state import content_id_of
from birthmark.identity.fingerprints import Fingerprint
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Entity, Node, Problem
from birthmark.queries.life import DeletedIdentity, deleted_from
from birthmark.queries.ref_forms import check_ref
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile
from birthmark.sources.git.log import Commit
from birthmark.sources.worktree import read_file
from birthmark.vocabulary import FileRole
from birthmark.words import did_you_mean

IndexedNode = tuple[Node, str, str]  # with its semantic id, and the path of its file


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
            yield node, semantic_id, file.path


def count_files(session: Session) -> int:
    """Return the number of indexed files."""
    return session.store.file_counts(session.view.number).indexed


def list_deleted(session: Session, path: str) -> tuple[list[DeletedIdentity], dict[str, Commit]]:
    """Return the deleted identities of a path, and those commits of the deletions that this clone has."""
    found = deleted_from(session.view, path)
    commit_of = session.repository.commit if session.workspace.has_git else None
    return found, read_commits(commit_of, [one.deletion for one in found])


def list_languages() -> list[LanguageSpec]:
    return list(load_registry().languages.values())


def find_language(name: str) -> LanguageSpec | None:
    """Return a language by its name or an alias."""
    return load_registry().named(name)


NamedEntity = tuple[Entity, EntityNames, Fingerprint]  # Without an index, names are provisional.


class IndexListing:
    """A listing of some or all files of the index."""

    def __init__(self, session: Session, paths: list[str] | None = None) -> None:
        self._session, self._paths = session, paths
        self.problems: list[Problem] = []

    @property
    def freshness(self) -> Freshness:
        return self._session.freshness

    def entities(self) -> Iterator[NamedEntity]:
        for found in list_entities(self._session, self._paths):
            yield found.entity, EntityNames(found.mark, found.key, found.semantic_id, found.overload), found.fingerprint

    def nodes(self) -> Iterator[FileNodes]:
        view, extractor = self._session.view, self._session.repository.extractor
        blobs = [view.blob(file) for file in list_files(self._session, self._paths)]
        for blob, result in nodes_in_order(extractor, [blob for blob in blobs if blob is not None]):
            if isinstance(result, FileNodes):
                yield place_nodes(result, blob.path)
            else:
                self.problems.append(result)

    def files(self) -> Iterator[ChunkedFile]:
        return list_chunked(self._session, self._paths)


class FileListing:
    """A listing of files that are read now."""

    freshness = None

    def __init__(self, readings: Iterator[ReadFile | Problem]) -> None:
        self._readings = readings
        self.problems: list[Problem] = []

    def _read(self) -> Iterator[ReadFile]:
        for reading in self._readings:
            if isinstance(reading, Problem):
                self.problems.append(reading)
            else:
                self.problems += reading.nodes.problems
                yield reading

    def entities(self) -> Iterator[NamedEntity]:
        for nodes in self.nodes():
            yield from zip(nodes.entities, name_entities(nodes), nodes.fingerprints, strict=True)

    def nodes(self) -> Iterator[FileNodes]:
        return (reading.nodes for reading in self._read())

    def files(self) -> Iterator[ChunkedFile]:
        return (ChunkedFile(reading.nodes.path, *reading) for reading in self._read())


# Problems are known when all was listed; freshness is that of the index, where the answer is from there.
Listing = IndexListing | FileListing


@contextmanager
def open_listing(path: Path | None, options: ReadingOptions, refresh: RefreshOptions | None) -> Iterator[Listing]:
    """List what is in a file or a folder; without a path, all that is indexed."""
    check_ref(str(path or ""))
    if path is None:
        with open_session(None, refresh) as session:
            yield IndexListing(session)
    elif not find_workspace(_nearest_folder(path)).has_worktree:
        with _listing_of_commit(path, options, refresh) as listing:
            yield listing
    elif os.path.isdir(path):
        with _listing_of_folder(path, options, refresh) as listing:
            yield listing
    else:
        with _listing_of_file(path, options, refresh) as listing:
            yield listing


@contextmanager
def _listing_of_commit(path: Path, options: ReadingOptions, refresh: RefreshOptions | None) -> Iterator[Listing]:
    """Yield the listing of a path in the indexed commit, for repositories without a worktree."""
    folder = _nearest_folder(path)
    if options != AS_INDEXED:
        find_workspace(folder).require_worktree("files are listed as they were indexed, without options")
    with open_session(folder, refresh) as session:
        name = name_path(Path(os.path.relpath(path, session.workspace.root)))
        paths = [name] if session.view.row(name) is not None else paths_below(session, "" if name == "." else name)
        if not paths:
            raise NotFoundError(f"{name}: is no file or folder of the commit that is indexed; check the path")
        yield IndexListing(session, paths)


@contextmanager
def _listing_of_folder(folder: Path, options: ReadingOptions, refresh: RefreshOptions | None) -> Iterator[Listing]:
    workspace = find_workspace(folder)
    if options != AS_INDEXED or not has_index(workspace):
        yield FileListing(read_folder(folder, options))
        return
    with open_session(folder, refresh) as session:
        yield IndexListing(session, paths_below(session, workspace.current_folder))


@contextmanager
def _listing_of_file(path: Path, options: ReadingOptions, refresh: RefreshOptions | None) -> Iterator[Listing]:
    workspace = find_workspace(_existing(path).parent)
    if options != AS_INDEXED or not has_index(workspace):
        yield FileListing(iter([read_one(path, options)]))
        return
    name = name_path(Path(workspace.current_folder) / path.name)
    with open_session(path.parent) as session:
        if _is_as_indexed(session, path, name):
            yield IndexListing(session, [name])
            return
    with open_session(path.parent, refresh) as session:
        is_known = _is_as_indexed(session, path, name)
        yield IndexListing(session, [name]) if is_known else FileListing(iter([read_one(path, options)]))


def _is_as_indexed(session: Session, path: Path, name: str) -> bool:
    row = session.view.row(name)
    if row is None or row.version is None or row.problem:
        return False
    return content_id_of(read_file(path, session.repository.settings.limits.max_bytes)) == row.content


def _existing(path: Path) -> Path:
    """Return the path if it exists; else raise an error that suggests names from the nearest existing folder."""
    if os.path.lexists(path):
        return path
    folder = _nearest_folder(path)
    names = [str(folder / one.name) for one in folder.iterdir()]
    raise NotFoundError(f"{path}: no such file or folder{did_you_mean(str(path), names) or '; check the path'}")


def _nearest_folder(path: Path) -> Path:
    return next((parent for parent in (path, *path.parents) if os.path.isdir(parent)), Path())
