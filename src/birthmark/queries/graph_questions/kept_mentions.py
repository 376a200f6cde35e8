"""The mentions of a network, parted by whether they are sure uses.

Takes NetworkEdges and the definitions that they lead to. A name that means several definitions of one qualified name in
one file, as a function that is defined anew under another condition, means all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from birthmark.graph.network import NetworkEdge, Node
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import EdgeKind, Resolution

_NO_USE = frozenset({EdgeKind.IMPORTS, EdgeKind.EXPORTS, EdgeKind.WRITES})


class Mentions:
    """Those that are sure uses, and all others by what they may mean."""

    def __init__(self, mentions: Iterable[NetworkEdge], rows: Mapping[int, SnapshotEntity]) -> None:
        self.sure: list[NetworkEdge] = []
        self.others: dict[Node, list[NetworkEdge]] = {}
        by_site: dict[tuple[object, ...], list[NetworkEdge]] = {}
        for edge in mentions:
            if edge.resolution is Resolution.NAME:
                by_site.setdefault((edge.path, edge.line, edge.user, edge.edge), []).append(edge)
            elif edge.edge in _NO_USE:
                self._add_other(edge)
            else:
                self.sure.append(edge)
        for edges in by_site.values():
            meant = {(row.path, row.qualified_name) for edge in edges if (row := _row(edge, rows)) is not None}
            if len(edges) > 1 and len(meant) == 1 and edges[0].edge not in _NO_USE:
                self.sure += edges
            else:
                for edge in edges:
                    self._add_other(edge)

    def _add_other(self, edge: NetworkEdge) -> None:
        self.others.setdefault(edge.used, []).append(edge._replace(may_be_outside=True))


def _row(edge: NetworkEdge, rows: Mapping[int, SnapshotEntity]) -> SnapshotEntity | None:
    return rows.get(edge.used) if isinstance(edge.used, int) else None
