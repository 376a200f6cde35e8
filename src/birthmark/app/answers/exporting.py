"""Export the index: definitions, edges between them, and files with both.

Everything is read one file at a time, to keep memory use independent of the size of the code. Only the names of all
definitions are held at once, because an edge may lead to any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from birthmark.app.answers.listing import select_paths
from birthmark.app.workspace.freshness import Freshness
from birthmark.app.workspace.session import Session
from birthmark.comparison.file_roles import role_of
from birthmark.documents.parts import SiteDocument
from birthmark.documents.uses import ExportedEdgeDocument
from birthmark.extraction.model import Outline
from birthmark.graph.network import NetworkEdge, Node
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile
from birthmark.vocabulary import EdgeKind, FileRole


class ExportedFile(NamedTuple):
    """A file and its definitions, in their order."""

    path: str
    language: str
    entities: list[IndexedEntity]


class ExportCounts(NamedTuple):
    """Files, definitions and edges that were written."""

    n_files: int = 0
    n_entities: int = 0
    n_edges: int = 0

    def plus(self, n_files: int = 0, n_entities: int = 0, n_edges: int = 0) -> ExportCounts:
        return ExportCounts(self.n_files + n_files, self.n_entities + n_entities, self.n_edges + n_edges)


class SourceFile(NamedTuple):
    """A file with its text, the identities and marks of its definitions, and what it uses, by line."""

    path: str
    language: str  # by the name that SCIP has for it
    role: FileRole
    outline: Outline
    source: bytes
    identities: tuple[int, ...]
    marks: tuple[str, ...]
    uses: list[NetworkEdge]


class Export:
    """The files of the index that are exported: some, or all."""

    def __init__(self, session: Session, names: Sequence[str] = ()) -> None:
        self._session = session
        self.paths = select_paths(session, names, with_all=True)

    @property
    def root(self) -> str:
        """The address of the repository on this machine."""
        return self._session.workspace.root.as_uri()

    @property
    def freshness(self) -> Freshness:
        return self._session.freshness

    def files(self) -> Iterator[ExportedFile]:
        rows = self._session.store.files(self._session.view.number, self.paths)
        for path in self.paths:
            yield ExportedFile(path, rows[path].language or "", self._session.view.entities_in(path))

    def edges(self) -> Iterator[ExportedEdgeDocument]:
        """Yield the edges between exported definitions, by path and line."""
        marks = self._marks
        for _, edges in self._edges_by_file():
            for edge in edges:
                user, used = marks.get(edge.user), marks.get(edge.used)
                if user is not None and used is not None:
                    site = SiteDocument(edge.path, edge.line)
                    yield ExportedEdgeDocument(user, used, edge.edge, edge.resolution, site)

    def outlines(self) -> Iterator[tuple[str, Outline, tuple[int, ...]]]:
        """Yield the path, the outline and the identities of each file in the index."""
        for file in self._session.view.files():
            yield file.path, file.outline, file.version.identities

    def sources(self) -> Iterator[SourceFile]:
        """Yield files with all their uses, including those of definitions that are not exported."""
        for file, edges in self._edges_by_file():
            yield self._source_file(file, edges)

    def _source_file(self, file: IndexedFile, uses: list[NetworkEdge]) -> SourceFile:
        chunked = self._session.view.chunked(file)
        spec = load_registry().languages.get(file.outline.language)
        language = (spec.scip_name if spec is not None else "") or file.outline.language
        identities, marks = file.version.identities, chunked.marks or ()
        return SourceFile(
            file.path, language, role_of(file.path), file.outline, chunked.source(), identities, marks, uses
        )

    def _edges_by_file(self) -> Iterator[tuple[IndexedFile, list[NetworkEdge]]]:
        network = self._session.network
        for file in self._session.view.files(self.paths):
            nodes: list[Node] = [file.path, *file.version.identities]
            yield file, sorted(network.used_by(nodes), key=_place)

    @cached_property
    def _marks(self) -> dict[Node, str]:
        """The names of all nodes that are exported."""
        shown = self._session.store.entities_in(self._session.view.number, self.paths)
        return {**{path: path for path in self.paths}, **{one.identity: one.mark for one in shown}}


def _place(edge: NetworkEdge) -> tuple[int, int, str, str, str]:
    return edge.line, edge.ordinal, str(edge.edge), str(edge.user), str(edge.used)


def count_uses(edges: Iterable[ExportedEdgeDocument]) -> Iterator[tuple[ExportedEdgeDocument, int]]:
    """Yield the first edge for each pair of ends and kind of edge, with the number of such edges.

    Edges of one user are in one file, so that no more than those of a file are in memory.
    """
    path, counts = "", dict[tuple[str, str, EdgeKind], tuple[ExportedEdgeDocument, int]]()
    for edge in edges:
        if edge.site.path != path:
            yield from counts.values()
            path, counts = edge.site.path, {}
        key = edge.user, edge.used, edge.edge
        first, n_uses = counts.get(key, (edge, 0))
        counts[key] = first, n_uses + 1
    yield from counts.values()
