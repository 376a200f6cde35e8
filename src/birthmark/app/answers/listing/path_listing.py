"""What a path of the command line holds: from the index where that has it as it is, else read from the files.

Takes nothing, a file or a folder; gives a Listing, whose entities, nodes and chunks come in the order of paths.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from birthmark.app.answers.listing.files import (
    AS_INDEXED,
    ReadFile,
    ReadingOptions,
    nodes_in_order,
    read_folder,
    read_one,
)
from birthmark.app.answers.listing.listing import list_chunked, list_entities, list_files, paths_below
from birthmark.app.workspace.freshness import Freshness, RefreshOptions
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import has_index
from birthmark.app.workspace.workspace import find_workspace, name_path
from birthmark.errors import NotFoundError
from birthmark.extraction.model import ChunkedFile, FileNodes
from birthmark.extraction.placement import EntityNames, name_entities, place_nodes
from birthmark.extraction.state import content_id_of
from birthmark.identity.fingerprints import Fingerprint
from birthmark.model import Entity, Problem
from birthmark.queries.ref_forms import check_ref
from birthmark.sources.worktree import read_file
from birthmark.spelling import did_you_mean

NamedEntity = tuple[Entity, EntityNames, Fingerprint]  # Without an index, names are provisional.


class Listing(Protocol):
    """Problems are known when all was listed; freshness is that of the index, where the answer is from there."""

    @property
    def freshness(self) -> Freshness | None: ...
    @property
    def problems(self) -> list[Problem]: ...
    def entities(self) -> Iterator[NamedEntity]: ...
    def nodes(self) -> Iterator[FileNodes]: ...
    def files(self) -> Iterator[ChunkedFile]: ...


class IndexListing:
    """From the index: some of its files, or all."""

    def __init__(self, session: Session, paths: list[str] | None = None) -> None:
        self._session, self._paths = session, paths
        self.problems: list[Problem] = []

    @property
    def freshness(self) -> Freshness:
        return self._session.freshness

    def entities(self) -> Iterator[NamedEntity]:
        for found in list_entities(self._session, self._paths):
            yield found.entity, EntityNames(found.mark, found.key, found.semantic_id), found.fingerprint

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
    """From files that are read."""

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
    """Where there is no worktree, a path is one of the commit that is indexed."""
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
    """What is meant is among the files beside it, else among those of the nearest folder that exists."""
    if os.path.lexists(path):
        return path
    folder = _nearest_folder(path)
    names = [str(folder / one.name) for one in folder.iterdir()]
    raise NotFoundError(f"{path}: no such file or folder{did_you_mean(str(path), names) or '; check the path'}")


def _nearest_folder(path: Path) -> Path:
    return next((parent for parent in (path, *path.parents) if os.path.isdir(parent)), Path())
