"""The table of formats in which the index is exported. Options of the command are made from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from birthmark.surfaces.formats.exports import parquet
from birthmark.surfaces.formats.exports.counts import ExportCounts
from birthmark.surfaces.formats.exports.graph_formats import DOT, GRAPHML, MERMAID, write_graph
from birthmark.surfaces.formats.exports.json_lines import write_json_lines
from birthmark.surfaces.formats.exports.scip import write_scip


class ExportFormat(NamedTuple):
    """A format: the function that writes it takes an Export and a binary file, or one for each file of a folder."""

    name: str
    help: str
    write: Callable[..., ExportCounts]
    edge: str = "edge"  # what it calls what is between definitions
    files: tuple[str, ...] = ()  # of a folder


EXPORT_FORMATS = {
    "scip": ExportFormat("SCIP", "Definitions and references for code search and navigation.", write_scip, "reference"),
    "graphml": ExportFormat("GraphML", "The graph for igraph, Gephi, yEd, networkx.", partial(write_graph, GRAPHML)),
    "dot": ExportFormat("DOT", "The graph for Graphviz.", partial(write_graph, DOT)),
    "mermaid": ExportFormat("Mermaid", "The graph for Markdown pages.", partial(write_graph, MERMAID)),
    "jsonl": ExportFormat("JSON lines", "A document a line: definitions, then edges.", write_json_lines),
    "parquet": ExportFormat(
        "Parquet", "Tables of entities and edges; needs birthmark[parquet].", parquet.write_parquet, files=parquet.FILES
    ),
}
