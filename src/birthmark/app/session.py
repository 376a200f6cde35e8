"""An index that is open for questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from birthmark.app.files import ReadTask, name_file, read_all
from birthmark.app.index import file_reader, look_around
from birthmark.app.jobs import INTERIOR
from birthmark.app.stores import has_index, reading
from birthmark.app.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.outline import unpack_nodes
from birthmark.extraction.read import Reading
from birthmark.extraction.segment_extraction import ReadOptions
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.history.blocks import Interior
from birthmark.languages.registry import load_registry
from birthmark.ledger.file_scan import content_id_of, pending_paths
from birthmark.ledger.update import WorktreeFiles
from birthmark.model import Problem
from birthmark.queries.ref import RefMatch
from birthmark.queries.snapshot_graph import SnapshotGraph, definition_of
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.sources.config import load_settings
from birthmark.sources.worktree import read_file
from birthmark.store.port import Store


class Freshness(NamedTuple):
    """How far the index can be trusted: what it was made from, and what has changed since."""

    head: str | None
    indexed_revision: str | None
    pending: list[str]

    @property
    def is_fresh(self) -> bool:
        return not self.pending and self.head == self.indexed_revision


class Session:
    """The snapshot of a worktree, and what is needed to answer from it."""

    def __init__(self, workspace: Workspace, store: Store, *, is_fresh: bool = False) -> None:
        """`is_fresh` is for those who have just indexed."""
        self.workspace, self.store, self._is_fresh = workspace, store, is_fresh
        self.settings = load_settings(workspace.root)
        self.options = ReadOptions(chunk_sizes=self.settings.chunks)
        self.view = SnapshotView(store, workspace.worktree)

    @cached_property
    def tree(self) -> WorktreeFiles:
        """What stands in the worktree now."""
        return look_around(self.workspace, self.settings)

    @cached_property
    def freshness(self) -> Freshness:
        if self._is_fresh or self.workspace.is_bare:
            return Freshness(self.workspace.head, self.view.snapshot.revision, [])
        known = self.store.files(self.view.number)
        pending = pending_paths(self.tree.files, known, file_reader(self.workspace.root, self.settings))
        return Freshness(self.workspace.head, self.view.snapshot.revision, pending)

    def read_nodes(self, file: IndexedFile) -> Reading | None:
        """A file with its nodes: as they are kept, or read again from the source."""
        kept, source = self._kept_nodes(file), self.view.source(file.version)
        if kept is not None or source is None:
            return kept
        result = next(iter(read_all([self._task(file, source)], self.settings, 1)))
        if isinstance(result, Problem):
            raise BirthmarkError(f"{result.path}: {result.problem}")
        return result

    def read_interior(self, file: IndexedFile) -> Interior | None:
        """What is inside of the definitions of a file, read again from the source."""
        source = self.view.source(file.version)
        return None if source is None else INTERIOR.run(source, file.outline.language)

    def read_all_nodes(self) -> Iterator[Reading]:
        """Every indexed file with its nodes; those that are kept come first."""
        rest = []
        for file in self.view.files():
            kept = self._kept_nodes(file)
            if kept is not None:
                yield kept
            else:
                rest.append(file)
        tasks = (self._task(file, self.view.source(file.version) or b"") for file in rest)
        for result in read_all(tasks, self.settings, os.cpu_count() or 1):
            if isinstance(result, Reading):
                yield result

    def _kept_nodes(self, file: IndexedFile) -> Reading | None:
        packed = self.store.nodes(file.version.extraction)
        return None if packed is None else unpack_nodes(packed, file.path)

    def _task(self, file: IndexedFile, source: bytes) -> ReadTask:
        return ReadTask(file.path, source, file.outline.language, self.options)

    def present(self, sighting: RefMatch, ref: str) -> IndexedEntity:
        """The entity that was seen, as it is now."""
        held = self.view.entity(sighting.identity) if sighting.identity is not None else None
        if held is None:
            raise NotFoundError(f"{ref}: is no entity that is here now; `birthmark resolve` tells what became of it")
        return held

    def held_all(self, identities: Iterable[int | None]) -> list[IndexedEntity | None]:
        return [None if identity is None else self.view.entity(identity) for identity in identities]

    @cached_property
    def graph(self) -> SnapshotGraph:
        return SnapshotGraph(self.store, self.view.number)

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self.graph, load_registry().resolution_of)

    def definition(self, held: IndexedEntity) -> Definition:
        row = self.store.entities_of(self.view.number, [held.identity])[0]
        return definition_of(row)


class CurrentFile(NamedTuple):
    """A file that is just as the index has it."""

    entities: list[IndexedEntity]


def indexed_file(path: Path) -> CurrentFile | None:
    """What the index knows of a file, if there is an index and the file has not changed since."""
    workspace = find_workspace(path.parent)
    if not has_index(workspace):
        return None
    with asking(path.parent) as session:
        name = name_file(path)
        row = session.view.row(name)
        if row is None or row.version is None or row.problem:
            return None
        content = read_file(path, session.settings.limits.max_bytes)
        return CurrentFile(session.view.entities_in(name)) if content_id_of(content) == row.content else None


@contextmanager
def asking(folder: Path | None = None) -> Iterator[Session]:
    workspace = find_workspace(folder or Path.cwd())
    with reading(workspace) as store:
        yield Session(workspace, store)
