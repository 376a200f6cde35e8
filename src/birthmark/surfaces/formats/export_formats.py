"""Write an export as a graph, JSON Lines or Parquet; and the table of all export formats.

GraphML, DOT and Mermaid are each a GraphSyntax: the start and end of a document, and the text of a file, a definition
and an edge. Definitions are written file by file, then the edges: one for each pair of ends and kind, with its count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from html import escape
from itertools import islice
from typing import IO, Any, NamedTuple

from msgspec.structs import asdict

from birthmark.app.answers.exporting import Export, ExportCounts, ExportedFile, count_uses
from birthmark.app.workspace.freshness import freshness_document
from birthmark.documents.definitions import extended_entity_document
from birthmark.documents.document import Document, encode_line
from birthmark.documents.uses import ExportDocument, ExportedEdgeDocument, ExportedEntityDocument
from birthmark.errors import BirthmarkError
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.formats.scip import write_scip
from birthmark.words import visible

PARQUET_FILES = ("entities.parquet", "edges.parquet")
_ROWS = 20_000  # that are in memory at once, and in a row group

# Columns with their types, as pyarrow names them.
_ENTITIES = {
    "mark": "string",
    "key": "string",
    "semantic_id": "string",
    "kind": "string",
    "name": "string",
    "qualified_name": "string",
    "parent": "string",
    "language": "string",
    "path": "string",
    "start_line": "int32",
    "end_line": "int32",
    "start_byte": "int64",
    "end_byte": "int64",
    "signature": "string",
    "content": "string",  # fingerprints
    "interface": "string",
    "body": "string",
}

_EDGES = dict.fromkeys(("user", "used", "edge", "resolution", "path"), "string") | {"line": "int32"}
_NO_CHARACTER = re.compile("[\ufffe\uffff]")  # which cannot be in XML
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


class ExportFormat(NamedTuple):
    """A format: the function that writes it takes an Export and a binary file, or one for each file of a folder."""

    name: str
    help: str
    write: Callable[..., ExportCounts]
    edge: str = "edge"  # what it calls what is between definitions
    files: tuple[str, ...] = ()  # of a folder


def write_json_lines(export: Export, out: IO[bytes]) -> ExportCounts:
    counts = ExportCounts()

    def write(document: Document) -> None:
        out.write(encode_line(document) + b"\n")

    write(ExportDocument(len(export.paths), freshness_document(export.freshness)))
    for file in export.files():
        for indexed in file.entities:
            write(extended_entity_document(ExportedEntityDocument, indexed))
        counts = counts.plus(1, len(file.entities))
    for edge in export.edges():
        write(edge)
        counts = counts.plus(n_edges=1)
    return counts


def write_parquet(export: Export, *outs: IO[bytes]) -> ExportCounts:
    entities = (indexed for file in export.files() for indexed in file.entities)
    n_entities = _write_table(outs[0], _ENTITIES, map(_entity_row, entities))
    n_edges = _write_table(outs[1], _EDGES, map(_edge_row, export.edges()))
    return ExportCounts(len(export.paths), n_entities, n_edges)


def _entity_row(indexed: IndexedEntity) -> dict[str, object]:
    sources = (indexed, indexed.entity, indexed.fingerprint)
    return {name: next(getattr(source, name) for source in sources if hasattr(source, name)) for name in _ENTITIES}


def _edge_row(edge: ExportedEdgeDocument) -> dict[str, object]:
    return {**asdict(edge), **asdict(edge.site)}


def _write_table(out: IO[bytes], columns: Mapping[str, str], rows: Iterable[Mapping[str, object]]) -> int:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise BirthmarkError("--parquet needs pyarrow; `pip install 'birthmark[parquet]'` installs it") from error
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in columns.items()])
    remaining, n_rows = iter(rows), 0
    with parquet.ParquetWriter(out, schema) as writer:
        while batch := list(islice(remaining, _ROWS)):
            values: dict[str, Any] = {name: [_text(row[name]) for row in batch] for name in columns}
            writer.write_table(pyarrow.table(values, schema=schema))
            n_rows += len(batch)
    return n_rows


def _text(value: object) -> object:
    """A name that is no Unicode is written with question marks."""
    return str(value).encode("utf-8", "replace").decode() if isinstance(value, str) else value


class GraphSyntax(NamedTuple):
    """The syntax of a graph format; node ids are ASCII words."""

    begin: str
    open_file: Callable[[str, ExportedFile], str]  # with its id
    entity: Callable[[str, IndexedEntity], str]
    close_file: str
    edge: Callable[[str, str, ExportedEdgeDocument, int], str]  # with the ids of its ends, and how often it is
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


def _without_controls(text: str) -> str:
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", visible(text.replace("\n", " ").replace("\t", " ")))


# GraphML


def _declared_keys() -> str:
    return "".join(
        f'<key id="{domain}_{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>\n'
        for domain, names in _KEYS.items()
        for name, kind in names.items()
    )


def _data(domain: str, values: dict[str, object]) -> str:
    return "".join(
        f'<data key="{domain}_{name}">{escape(_without_controls(str(value)))}</data>' for name, value in values.items()
    )


def _graphml_file(id_: str, file: ExportedFile) -> str:
    name = file.path.rpartition("/")[2]
    values = {"kind": "file", "name": name, "qualified_name": name, "language": file.language, "path": file.path}
    return f'<node id="{id_}">{_data("node", dict(values))}</node>\n'


def _graphml_entity(id_: str, indexed: IndexedEntity) -> str:
    values = {name: getattr(indexed.entity, name) for name in _KEYS["node"] if name != "mark"}
    return f'<node id="{id_}">{_data("node", {"mark": indexed.mark, **values})}</node>\n'


def _graphml_edge(user: str, used: str, edge: ExportedEdgeDocument, n_uses: int) -> str:
    values = {"edge": edge.edge, "resolution": edge.resolution, "uses": n_uses, "line": edge.site.line}
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
    return '"' + _without_controls(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _dot_file(id_: str, file: ExportedFile) -> str:
    name = file.path.rpartition("/")[2]
    top = f"    {id_} [label={_quoted(name)}, tooltip={_quoted(file.path)}, shape=folder];\n"
    return f"  subgraph cluster_{id_} {{\n    label={_quoted(file.path)};\n{top}"


def _dot_entity(id_: str, indexed: IndexedEntity) -> str:
    entity = indexed.entity
    place = f"{entity.kind} {indexed.mark} {entity.path}:{entity.start_line}"
    return f"    {id_} [label={_quoted(entity.qualified_name)}, tooltip={_quoted(place)}];\n"


def _dot_edge(user: str, used: str, edge: ExportedEdgeDocument, n_uses: int) -> str:
    times = f", weight={n_uses}" if n_uses > 1 else ""
    return f"  {user} -> {used} [label={_quoted(edge.edge)}{times}];\n"


DOT = GraphSyntax(
    "digraph birthmark {\n  rankdir=LR;\n  node [shape=box];\n", _dot_file, _dot_entity, "  }\n", _dot_edge, "}\n"
)

# Mermaid


def _mermaid_text(text: str) -> str:
    """Its texts are HTML, with `#` for `&` in entities, which therefore is written as one."""
    plain = _without_controls(text).replace("#", "#35;").replace("&", "#amp;").replace('"', "#quot;")
    return plain.replace("<", "#lt;").replace(">", "#gt;").replace("`", "#96;")


def _mermaid_file(id_: str, file: ExportedFile) -> str:
    name = _mermaid_text(file.path.rpartition("/")[2])
    return f'  subgraph in_{id_} ["{_mermaid_text(file.path)}"]\n    {id_}[["{name}"]]\n'


MERMAID = GraphSyntax(
    "flowchart LR\n",
    _mermaid_file,
    lambda id_, indexed: f'    {id_}["{_mermaid_text(indexed.entity.qualified_name)}"]\n',
    "  end\n",
    lambda user, used, edge, n_uses: f"  {user} -->|{edge.edge}| {used}\n",
    "",
)


EXPORT_FORMATS = {
    "scip": ExportFormat("SCIP", "Definitions and references for code search and navigation.", write_scip, "reference"),
    "graphml": ExportFormat("GraphML", "The graph for igraph, Gephi, yEd, networkx.", partial(write_graph, GRAPHML)),
    "dot": ExportFormat("DOT", "The graph for Graphviz.", partial(write_graph, DOT)),
    "mermaid": ExportFormat("Mermaid", "The graph for Markdown pages.", partial(write_graph, MERMAID)),
    "jsonl": ExportFormat("JSON lines", "A document a line: definitions, then edges.", write_json_lines),
    "parquet": ExportFormat(
        "Parquet", "Tables of entities and edges; needs birthmark[parquet].", write_parquet, files=PARQUET_FILES
    ),
}
