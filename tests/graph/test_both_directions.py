"""Callers and callees are one set of edges, whichever end is asked, in random files."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import example, given, settings
from hypothesis import strategies as st

from birthmark.graph.edges import Edge, callees, callers
from birthmark.graph.users import users
from birthmark.vocabulary import EdgeKind
from graph_snapshot import Files, Snapshot, resolver_of

MODULES = ("a", "b", "c")
NAMES = ("f", "g", "Shop", "Item", "run", "RATE")
LOCALS = ("x", "shop")

expressions = st.recursive(
    st.sampled_from([*NAMES, *LOCALS, "self", *MODULES]),
    lambda inner: st.one_of(
        st.builds("{}()".format, inner),
        st.builds("{}.{}".format, inner, st.sampled_from(NAMES)),
        st.builds("[{}]".format, inner),
        st.builds("f'{{{}}}'".format, inner),
    ),
    max_leaves=4,
)
statements = st.one_of(
    expressions,
    st.builds("{} = {}".format, st.sampled_from([*LOCALS, "self.RATE", "self.shop"]), expressions),
    st.builds("return {}".format, expressions),
    st.builds("{}: {} = None".format, st.sampled_from(LOCALS), st.sampled_from(NAMES)),
    st.builds("# {}".format, st.sampled_from(NAMES)),
    st.builds("'{}'".format, st.sampled_from(NAMES)),
)
bodies = st.lists(statements, min_size=1, max_size=3).map(lambda lines: [*lines, "pass"])


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _function(name: str, parameter: str, body: list[str]) -> list[str]:
    return [f"def {name}({parameter}):", *_indented(body)]


functions = st.builds(_function, st.sampled_from(NAMES), st.sampled_from(["", "x", "self", "shop: Shop"]), bodies)


def _class(name: str, base: str, members: list[list[str]]) -> list[str]:
    return [f"class {name}{base}:", *_indented([line for member in members for line in member]), "    pass"]


classes = st.builds(
    _class,
    st.sampled_from(NAMES),
    st.sampled_from(["", "(Shop)", "(a.Item)", "(Item)"]),
    st.lists(functions, max_size=2),
)
imports = st.one_of(
    st.builds("import {}".format, st.sampled_from(MODULES)),
    st.builds("from {} import {}".format, st.sampled_from(MODULES), st.sampled_from(NAMES)),
    st.builds("from {} import {} as shop".format, st.sampled_from(MODULES), st.sampled_from(NAMES)),
    st.builds("from {} import *".format, st.sampled_from(MODULES)),
).map(lambda line: [line])
constants = st.builds("RATE = {}".format, expressions).map(lambda line: [line])
sources = st.lists(st.one_of(imports, functions, classes, constants), max_size=6).map(
    lambda parts: "".join(f"{line}\n" for part in parts for line in part)
)
files = st.fixed_dictionaries({f"{module}.py": sources for module in MODULES})

Row = tuple[object, ...]


def rows_of(edges: list[Edge]) -> Iterator[Row]:
    """What both ends say of a call."""
    for edge in edges:
        if edge.source is not None and edge.target is not None:
            yield edge.source.identity, edge.target.identity, edge.line, edge.name, edge.resolution, edge.n_candidates


@settings(max_examples=150, deadline=None)
@given(files)
def test_callers_and_callees_agree(files: Files) -> None:
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    definitions = [one for path in files for one in snapshot.inside(path)]
    down = {row for one in definitions for row in rows_of(callees(snapshot, resolver, one))}
    # Another resolver, so that what was asked first does not matter.
    other = resolver_of(snapshot)
    up = {row for one in reversed(definitions) for row in rows_of(callers(snapshot, other, one))}
    assert down <= up
    assert {row for row in up if row[-1] == 1 and row[-2] != "name"} <= down


@settings(max_examples=150, deadline=None)
@example({"c.py": "class Shop(Shop):\n    pass\nclass Shop(Shop):\n    def Shop(self):\n        pass\n"})
@given(files)
def test_uses_have_every_call_and_no_place_twice(files: Files) -> None:
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    for path in files:
        for target in snapshot.inside(path):
            uses = users(snapshot, resolver, target)
            calls = [edge for edge in uses if edge.edge is EdgeKind.CALLS]
            assert calls == callers(snapshot, resolver, target)
            for edge in uses:
                words = files[edge.source_path].splitlines()[edge.line - 1]
                assert edge.name in words or edge.edge in (EdgeKind.CALLS, EdgeKind.IMPORTS)
            for line in {(edge.source_path, edge.line) for edge in uses}:
                here = [edge for edge in uses if (edge.source_path, edge.line) == line]
                text = files[line[0]].splitlines()[line[1] - 1]
                assert len(here) <= sum(text.count(name) for name in {edge.name for edge in here}) + text.count("shop")
