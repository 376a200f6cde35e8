"""How much was exported."""

from __future__ import annotations

from typing import NamedTuple


class ExportCounts(NamedTuple):
    """Files, definitions and edges that were written."""

    n_files: int = 0
    n_entities: int = 0
    n_edges: int = 0

    def plus(self, n_files: int = 0, n_entities: int = 0, n_edges: int = 0) -> ExportCounts:
        return ExportCounts(self.n_files + n_files, self.n_entities + n_entities, self.n_edges + n_edges)
