"""Callers and callees are one set of edges, whichever end is asked, in random files."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import example, given, settings
from hypothesis import strategies as st

from birthmark.graph.edges import CALLS, Edge, callees, users
from birthmark.vocabulary import EdgeKind
from examples import n_examples
from graph_snapshot import Files, Snapshot, resolver_of
from random_sources import MODULES, random_source

files = st.fixed_dictionaries({f"{module}.py": random_source for module in MODULES})

Row = tuple[object, ...]


def rows_of(edges: list[Edge]) -> Iterator[Row]:
    """What both ends say of a call."""
    for edge in edges:
        if edge.source is not None and edge.target is not None:
            yield edge.source.identity, edge.target.identity, edge.line, edge.name, edge.resolution, edge.n_candidates


@settings(max_examples=n_examples(150), deadline=None)
@given(files)
def test_callers_and_callees_agree(files: Files) -> None:
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    definitions = [one for path in files for one in snapshot.inside(path)]
    down = {row for one in definitions for row in rows_of(callees(snapshot, resolver, one))}
    # Another resolver, so that what was asked first does not matter.
    other = resolver_of(snapshot)
    up = {row for one in reversed(definitions) for row in rows_of(users(snapshot, other, one, CALLS))}
    assert down <= up
    assert {row for row in up if row[-1] == 1 and row[-2] != "name"} <= down


@settings(max_examples=n_examples(150), deadline=None)
@example({"c.py": "class Shop(Shop):\n    pass\nclass Shop(Shop):\n    def Shop(self):\n        pass\n"})
@example(
    {
        "a.py": "from a import f\ndef f():\n    # f\n    pass\n",
        "c.py": "from a import f\ndef f():\n    x = f()\n    pass\n",
    }
)
@given(files)
def test_uses_have_every_call_and_no_place_twice(files: Files) -> None:
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    for path in files:
        for target in snapshot.inside(path):
            uses = users(snapshot, resolver, target)
            calls = [edge for edge in uses if edge.edge is EdgeKind.CALLS]
            assert calls == users(snapshot, resolver, target, CALLS)
            for edge in uses:
                words = files[edge.source_path].splitlines()[edge.line - 1]
                assert edge.name in words or edge.edge in (EdgeKind.CALLS, EdgeKind.IMPORTS)
            for line in {(edge.source_path, edge.line) for edge in uses}:
                here = [edge for edge in uses if (edge.source_path, edge.line) == line]
                text = files[line[0]].splitlines()[line[1] - 1]
                assert len(here) <= sum(text.count(name) for name in {edge.name for edge in here}) + text.count("shop")
