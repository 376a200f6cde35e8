"""The graph of definitions for programs that draw or analyse graphs: GraphML, DOT and Mermaid.

Each is a GraphSyntax: how a document begins and ends, and how a file, a definition and an edge are written. Definitions
are written file by file, then the edges, each pair of ends once for a kind of edge with how often it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import IO, NamedTuple

from birthmark.app.answers.exporting import Export, ExportCounts, ExportedEdge, ExportedFile, count_uses
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.words import visible

_NO_CHARACTER = re.compile("[\ufffe\uffff]")  # which cannot be in XML


class GraphSyntax(NamedTuple):
    """The syntax of a graph format; node ids are ASCII words."""

    begin: str
    open_file: Callable[[str, ExportedFile], str]  # with its id
    entity: Callable[[str, IndexedEntity], str]
    close_file: str
    edge: Callable[[str, str, ExportedEdge, int], str]  # with the ids of its ends, and how often it is
    end: str


def write_graph(syntax: GraphSyntax, export: Export, out: IO[bytes]) -> ExportCounts:
    counts, ids = ExportCounts(), dict[str, str]()

    def write(text: str) -> None:
        out.write(text.encode("utf-8", "replace"))

    write(syntax.begin)
    for file in export.files():
        id_ = ids[file.path] = f"file_{len(ids)}"
        write(syntax.open_file(id_, file))
        for indexed in file.entities:
            write(syntax.entity(_id(indexed.mark), indexed))
        write(syntax.close_file)
        counts = counts.plus(1, len(file.entities))
    for edge, n_uses in count_uses(export.edges()):
        write(syntax.edge(ids.get(edge.user) or _id(edge.user), ids.get(edge.used) or _id(edge.used), edge, n_uses))
        counts = counts.plus(n_edges=1)
    write(syntax.end)
    return counts


def _id(mark: str) -> str:
    return mark.replace("-", "_")


def _text(text: str) -> str:
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", visible(text.replace("\n", " ").replace("\t", " ")))


# GraphML

_KEYS = {
    "node": {
        "mark": "string",
        "kind": "string",
        "name": "string",
        "qualified_name": "string",
        "language": "string",
        "path": "string",
        "start_line": "int",
        "end_line": "int",
    },
    "edge": {"edge": "string", "resolution": "string", "uses": "int", "line": "int"},
}


def _declared_keys() -> str:
    return "".join(
        f'<key id="{domain}_{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>\n'
        for domain, names in _KEYS.items()
        for name, kind in names.items()
    )


def _data(domain: str, values: dict[str, object]) -> str:
    return "".join(f'<data key="{domain}_{name}">{escape(_text(str(value)))}</data>' for name, value in values.items())


def _graphml_file(id_: str, file: ExportedFile) -> str:
    name = file.path.rpartition("/")[2]
    values = {"kind": "file", "name": name, "qualified_name": name, "language": file.language, "path": file.path}
    return f'<node id="{id_}">{_data("node", dict(values))}</node>\n'


def _graphml_entity(id_: str, indexed: IndexedEntity) -> str:
    values = {name: getattr(indexed.entity, name) for name in _KEYS["node"] if name != "mark"}
    return f'<node id="{id_}">{_data("node", {"mark": indexed.mark, **values})}</node>\n'


def _graphml_edge(user: str, used: str, edge: ExportedEdge, n_uses: int) -> str:
    values = {"edge": edge.edge, "resolution": edge.resolution, "uses": n_uses, "line": edge.line}
    return f'<edge source="{user}" target="{used}">{_data("edge", dict(values))}</edge>\n'


GRAPHML = GraphSyntax(
    '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    f'{_declared_keys()}<graph id="birthmark" edgedefault="directed">\n',
    _graphml_file,
    _graphml_entity,
    "",
    _graphml_edge,
    "</graph>\n</graphml>\n",
)

# DOT


def _quoted(text: str) -> str:
    return '"' + _text(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _dot_file(id_: str, file: ExportedFile) -> str:
    name = file.path.rpartition("/")[2]
    top = f"    {id_} [label={_quoted(name)}, tooltip={_quoted(file.path)}, shape=folder];\n"
    return f"  subgraph cluster_{id_} {{\n    label={_quoted(file.path)};\n{top}"


def _dot_entity(id_: str, indexed: IndexedEntity) -> str:
    entity = indexed.entity
    place = f"{entity.kind} {indexed.mark} {entity.path}:{entity.start_line}"
    return f"    {id_} [label={_quoted(entity.qualified_name)}, tooltip={_quoted(place)}];\n"


def _dot_edge(user: str, used: str, edge: ExportedEdge, n_uses: int) -> str:
    times = f", weight={n_uses}" if n_uses > 1 else ""
    return f"  {user} -> {used} [label={_quoted(edge.edge)}{times}];\n"


DOT = GraphSyntax(
    "digraph birthmark {\n  rankdir=LR;\n  node [shape=box];\n", _dot_file, _dot_entity, "  }\n", _dot_edge, "}\n"
)

# Mermaid


def _mermaid_text(text: str) -> str:
    """Its texts are HTML, with `#` for `&` in entities, which therefore is written as one."""
    plain = _text(text).replace("#", "#35;").replace("&", "#amp;").replace('"', "#quot;")
    return plain.replace("<", "#lt;").replace(">", "#gt;").replace("`", "#96;")


def _mermaid_file(id_: str, file: ExportedFile) -> str:
    name = _mermaid_text(file.path.rpartition("/")[2])
    return f'  subgraph in_{id_} ["{_mermaid_text(file.path)}"]\n    {id_}[["{name}"]]\n'


def _mermaid_entity(id_: str, indexed: IndexedEntity) -> str:
    return f'    {id_}["{_mermaid_text(indexed.entity.qualified_name)}"]\n'


def _mermaid_edge(user: str, used: str, edge: ExportedEdge, n_uses: int) -> str:
    return f"  {user} -->|{edge.edge}| {used}\n"


MERMAID = GraphSyntax("flowchart LR\n", _mermaid_file, _mermaid_entity, "  end\n", _mermaid_edge, "")
