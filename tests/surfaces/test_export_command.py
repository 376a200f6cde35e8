"""What `export` writes, read back by other programs' readers: SCIP, GraphML, DOT, Mermaid, JSON lines, Parquet."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from unittest import mock

import igraph
import networkx as nx
import pyarrow.parquet
import pydot
import pytest

from running import Result, birthmark, document
from scip_messages import read_index
from worlds import World

FILES = {
    "shop/base.py": """\
class Priced:
    '''Has a price, "as <it> is" & more.'''

    def price(self, factor):
        return factor


def round_up(value):
    return value
""",
    "shop/cart.py": """\
from shop.base import Priced, round_up as up
import shop.base


class Cart(Priced):
    def price(self, factor):
        return up(up(factor)) + round(
            self.total(),
        )

    def total(self):
        return shop.base.round_up(1)


class Cart2(Cart):
    pass


def open_cart():
    return Cart().total()


def again():
    return Cart2()


def again():
    return Cart2()


LIMIT = 1
LIMIT = 2


def chain():
    return (
        Cart()
        .total()
    )
""",
    "tests/test_cart.py": "from shop.cart import open_cart\n\n\ndef test_cart():\n    assert open_cart().price(2)\n",
    "odd dir/größe `x`.ts": 'export function größe(a: string) { return "<&\\"#>" + a }\n',
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("export") / "w", FILES)
    world.index()
    return world


def export(world: World, *arguments: str) -> Result:
    result = birthmark("export", *arguments, cwd=world.root)
    assert result.returncode == 0, result.stderr
    return result


@pytest.fixture(scope="module")
def records(world: World, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The JSON lines, which all other formats are compared with."""
    file = tmp_path_factory.mktemp("records") / "index.jsonl"
    export(world, "--jsonl", str(file))
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def of_kind(records: list[dict[str, Any]], record: str) -> list[dict[str, Any]]:
    return [one for one in records if one["record"] == record]


# JSON lines


def test_json_lines_have_the_documents_of_other_commands(world: World, records: list[dict[str, Any]]) -> None:
    entities = [{name: value for name, value in one.items() if name != "record"} for one in of_kind(records, "entity")]
    assert entities == document("entities", cwd=world.root)
    assert [one["record"] for one in records[:1]] == ["export"]
    names = {one["mark"]: one["qualified_name"] for one in entities}
    edges = {
        (names.get(one["user"], one["user"]), one["edge"], names.get(one["used"], one["used"]), one["site"]["line"])
        for one in of_kind(records, "edge")
    }
    assert edges >= {
        ("shop/cart.py", "imports", "round_up", 1),
        ("shop/cart.py", "imports", "shop/base.py", 2),
        ("Cart", "inherits", "Priced", 5),
        ("Cart.price", "overrides", "Priced.price", 6),
        ("Cart.price", "calls", "Cart.total", 8),
        ("test_cart", "calls", "open_cart", 5),
    }


# SCIP

_SIMPLE = r"[A-Za-z0-9_+$-]+"
_NAME = rf"(?:{_SIMPLE}|`(?:[^`]|``)+`)"
_SYMBOL = re.compile(rf"birthmark \. \. \. (?:{_NAME}(?:[/#.:!]|\((?:{_SIMPLE})?\)\.))+")


@pytest.fixture(scope="module")
def index(world: World, tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("scip") / "index.scip"
    assert "definitions and" in export(world, "--scip", str(file)).stderr
    return read_index(file.read_bytes())


def names_of(index: Any) -> dict[str, str]:
    """The mark of each symbol, which is in its documentation, or the path of a file."""
    return {
        one.symbol: one.documentation[0].strip("`") if one.documentation else document.relative_path
        for document in index.documents
        for one in document.symbols
    }


def text_at(world: World, path: str, numbers: list[int]) -> str:
    line, start, end = numbers
    return (world.root / path).read_bytes().split(b"\n")[line][start:end].decode()


def test_scip_has_all_definitions_where_they_are(world: World, index: Any, records: list[dict[str, Any]]) -> None:
    names = names_of(index)
    found = {
        (document.relative_path, one.enclosing_range[0] + 1, names[one.symbol], text_at(world, path, list(one.range)))
        for document in index.documents
        for path in [document.relative_path]
        for one in document.occurrences
        if one.symbol_roles & 1 and names[one.symbol] != path
    }
    entities = of_kind(records, "entity")
    assert found == {(one["path"], one["start_line"], one["mark"], one["name"]) for one in entities}


def test_scip_has_all_references_where_they_are(world: World, index: Any, records: list[dict[str, Any]]) -> None:
    names = names_of(index)
    found = {
        (document.relative_path, (one.enclosing_range or one.range)[0] + 1, names[one.symbol])
        for document in index.documents
        for one in document.occurrences
        if not one.symbol_roles & 1
    }
    edges = [one for one in of_kind(records, "edge") if one["edge"] != "overrides"]
    assert found == {(one["site"]["path"], one["site"]["line"], one["used"]) for one in edges}


def test_a_reference_is_at_the_name_as_it_is_written(world: World, index: Any, records: list[dict[str, Any]]) -> None:
    qualified = {one["mark"]: one["qualified_name"] for one in of_kind(records, "entity")}
    names = names_of(index)
    (cart,) = [document for document in index.documents if document.relative_path == "shop/cart.py"]
    found = [
        (
            one.range[0] + 1,
            text_at(world, "shop/cart.py", list(one.range)),
            qualified.get(names[one.symbol]),
            one.symbol_roles,
        )
        for one in cart.occurrences
        if not one.symbol_roles & 1
    ]
    assert found == [
        (1, "Priced", "Priced", 2),
        (1, "round_up", "round_up", 2),
        (2, "base", None, 2),
        (5, "Priced", "Priced", 0),
        (7, "up", "round_up", 0),
        (7, "up", "round_up", 0),
        (8, "total", "Cart.total", 0),
        (12, "round_up", "round_up", 0),
        (15, "Cart", "Cart", 0),
        (20, "Cart", "Cart", 0),
        (20, "total", "Cart.total", 0),
        (24, "Cart2", "Cart2", 0),
        (28, "Cart2", "Cart2", 0),
        (37, "Cart", "Cart", 0),
        (38, "total", "Cart.total", 0),
    ]
    (below,) = [list(one.enclosing_range) for one in cart.occurrences if one.range[0] == 37]
    assert below == [36, 8, 37, 14], "the expression starts a line above"


def test_symbols_follow_the_grammar_and_are_unique(index: Any) -> None:
    symbols = [one.symbol for document in index.documents for one in document.symbols]
    assert len(symbols) == len(set(symbols))
    assert [symbol for symbol in symbols if not _SYMBOL.fullmatch(symbol)] == []
    ours = [symbol.removeprefix("birthmark . . . ") for symbol in symbols]
    assert {
        "shop/`cart.py`/Cart#price().",
        "shop/`cart.py`/again().",
        "shop/`cart.py`/again(+1).",
        "`odd dir`/`größe ``x``.ts`/`größe`().",
    } <= set(ours)


def test_bases_and_overridden_methods_are_relationships(index: Any) -> None:
    found = {
        (one.display_name, other.symbol.rpartition("/")[2], other.is_implementation, other.is_reference)
        for document in index.documents
        for one in document.symbols
        for other in one.relationships
    }
    assert found == {
        ("Cart", "Priced#", True, False),
        ("Cart2", "Cart#", True, False),
        ("price", "Priced#price().", True, True),
    }


def test_documents_say_language_and_encoding_and_tests_are_marked(index: Any) -> None:
    assert index.metadata.tool_info.name == "birthmark"
    assert index.metadata.project_root.startswith("file:///")
    by_path = {document.relative_path: document for document in index.documents}
    assert {path: (one.language, one.position_encoding) for path, one in by_path.items()} == {
        "shop/base.py": ("Python", 1),
        "shop/cart.py": ("Python", 1),
        "tests/test_cart.py": ("Python", 1),
        "odd dir/größe `x`.ts": ("TypeScript", 1),
    }
    assert all(one.symbol_roles & 0x20 for one in by_path["tests/test_cart.py"].occurrences)
    assert not any(one.symbol_roles & 0x20 for one in by_path["shop/cart.py"].occurrences)


# Graphs


def expected_graph(records: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    return {(one["user"], one["used"], one["edge"]) for one in of_kind(records, "edge")}


def test_graphml_is_read_by_igraph_and_by_networkx(world: World, records: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "graph.graphml"
    export(world, "--graphml", str(file))
    graph = igraph.Graph.Read_GraphML(str(file))
    ends = [node["mark"] or node["path"] for node in graph.vs]
    found = {(ends[edge.source], ends[edge.target], edge["edge"]) for edge in graph.es}
    assert found == expected_graph(records)
    assert sum(edge["uses"] for edge in graph.es) == len(of_kind(records, "edge"))
    assert {node["name"] for node in graph.vs} >= {"größe", "größe `x`.ts", "Cart"}
    other = nx.read_graphml(file)
    assert (other.number_of_nodes(), other.number_of_edges()) == (graph.vcount(), graph.ecount())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pydot, which uses old names of pyparsing
def test_dot_is_read_by_pydot(world: World, records: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "graph.dot"
    export(world, "--dot", str(file))
    graphs = pydot.graph_from_dot_data(file.read_text("utf-8"))
    assert graphs is not None
    (graph,) = graphs
    nodes = [node for cluster in graph.get_subgraphs() for node in cluster.get_nodes()]
    n_entities = len(of_kind(records, "entity"))
    assert len({node.get_name() for node in nodes}) == n_entities + len(FILES)
    assert len(graph.get_edges()) == len(expected_graph(records))
    assert {edge.get_source() for edge in graph.get_edges()} <= {node.get_name() for node in nodes}
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tcanon", str(file)], check=True, capture_output=True)  # noqa: S607


def test_mermaid_has_a_node_for_each_definition(world: World, records: list[dict[str, Any]]) -> None:
    text = export(world, "--mermaid", "-").stdout
    lines = text.splitlines()
    nodes = [match[1] for line in lines if (match := re.fullmatch(r'    (\w+)\[\[?"([^"<>&]*)"\]\]?', line))]
    edges = [match.groups() for line in lines if (match := re.fullmatch(r"  (\w+) -->\|(\w+)\| (\w+)", line))]
    assert lines[0] == "flowchart LR"
    assert len(set(nodes)) == len(nodes) == len(of_kind(records, "entity")) + len(FILES)
    assert len(edges) == len(expected_graph(records))
    assert {end for user, _, used in edges for end in (user, used)} <= set(nodes)
    assert lines.count("  end") == len(FILES)


# Parquet


def test_parquet_has_the_same_rows(world: World, records: list[dict[str, Any]], tmp_path: Path) -> None:
    export(world, "--parquet", str(tmp_path / "tables"))
    entities = pyarrow.parquet.read_table(tmp_path / "tables" / "entities.parquet").to_pylist()
    edges = pyarrow.parquet.read_table(tmp_path / "tables" / "edges.parquet").to_pylist()
    shared = ("mark", "key", "semantic_id", "qualified_name", "parent", "path", "start_line", "end_byte", "signature")
    assert [[row[name] for name in shared] for row in entities] == [
        [one[name] for name in shared] for one in of_kind(records, "entity")
    ]
    assert [row["content"] for row in entities] == [
        one["fingerprints"]["content"] for one in of_kind(records, "entity")
    ]
    assert edges == [
        {**{name: one[name] for name in ("user", "used", "edge", "resolution")}, **one["site"]}
        for one in of_kind(records, "edge")
    ]


def test_without_pyarrow_one_line_says_what_to_install(world: World, tmp_path: Path) -> None:
    with mock.patch.dict("sys.modules", {"pyarrow": None}):
        result = birthmark("export", "--parquet", str(tmp_path), cwd=world.root)
    assert result.returncode == 2
    assert result.stderr == "birthmark: --parquet needs pyarrow; `pip install 'birthmark[parquet]'` installs it\n"
    assert list(tmp_path.iterdir()) == []


# The command


def test_a_path_narrows_what_is_exported_and_edges_stay_inside(world: World) -> None:
    lines = export(world, "shop/cart.py", "--jsonl", "-").stdout.splitlines()
    records = [json.loads(line) for line in lines]
    marks = {one["mark"] for one in of_kind(records, "entity")} | {"shop/cart.py"}
    assert {one["path"] for one in of_kind(records, "entity")} == {"shop/cart.py"}
    assert of_kind(records, "edge")
    assert all({one["user"], one["used"]} <= marks for one in of_kind(records, "edge"))


def test_exports_are_the_same_each_time(world: World, tmp_path: Path) -> None:
    for name in ("scip", "graphml", "dot", "mermaid", "jsonl"):
        export(world, f"--{name}", str(tmp_path / "one"))
        export(world, f"--{name}", str(tmp_path / "two"))
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "name a format and where to write it: --scip, --graphml, --dot, --mermaid, --jsonl, --parquet"),
        (["--dot", "-", "--scip", "-"], "only one format can be written to standard output"),
        (["--dot", "shop"], "shop: is a folder; name a file"),
        (["--dot", "nowhere/graph.dot"], "nowhere/graph.dot: No such file or directory; nothing was changed"),
        (["--parquet", "shop/cart.py"], "shop/cart.py: File exists; name a folder"),
        (["nowhere", "--dot", "-"], "nowhere: is no file or folder of the index"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(world: World, arguments: list[str], expected: str) -> None:
    result = birthmark("export", *arguments, cwd=world.root)
    assert result.returncode == 2
    assert expected in result.stderr
