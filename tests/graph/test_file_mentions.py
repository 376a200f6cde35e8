"""What files mention is kept with their edges: at least what a search through the text finds."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from birthmark.graph.network import NetworkEdge, resolve_file
from birthmark.graph.users import mentions_of
from examples import n_examples
from graph_snapshot import Files, Snapshot, resolver_of
from random_sources import MODULES, random_source

PATHS = (*(f"{module}.py" for module in MODULES), "d/__init__.py", "d/a.py")
random_files = st.dictionaries(st.sampled_from(PATHS), random_source, min_size=1, max_size=5)

SHOP = {"a.py": "class Shop: pass\nRATE = 1\n"}
CASES = {
    "read": ({**SHOP, "b.py": "from a import Shop\ndef f(): return [Shop]\n"}, "b.py::f reads a.py::Shop 2"),
    "type": ({**SHOP, "b.py": "from a import Shop\ndef f(x: Shop): pass\n"}, "b.py::f types a.py::Shop 2"),
    "alias": ({**SHOP, "b.py": "from a import RATE as r\ndef f(): return r + 1\n"}, "b.py::f reads a.py::RATE 2"),
    "written": ({**SHOP, "b.py": "import a\ndef f(): a.RATE = 2\n"}, "b.py::f writes a.py::RATE 2"),
    "member": ({**SHOP, "b.py": "import a as m\ndef f(): return m.RATE + 1\n"}, "b.py::f reads a.py::RATE 2"),
    "passed on": (
        {**SHOP, "d/__init__.py": "from a import RATE as R\n", "b.py": "import d\ndef f(): return d.R + 1\n"},
        "b.py::f reads a.py::RATE 2",
    ),
    "all names": ({**SHOP, "b.py": "from a import *\ndef f(): return RATE + 1\n"}, "b.py::f reads a.py::RATE 2"),
    "inside": (
        {**SHOP, "b.py": "def f():\n    from a import RATE\n    return RATE + 1\n"},
        "b.py::f reads a.py::RATE 3",
    ),
    "held": ({**SHOP, "b.py": "import a\ndef f():\n    m = a\n    g(m.RATE)\n"}, "b.py::f reads a.py::RATE 4"),
    "decorator": ({"a.py": "import x\n\nw = x.y\n\n@w\nclass C: pass\n"}, "a.py::C decorates a.py::w 5"),
    "in a formatted string": ({"a.py": "RATE = 1\ndef f(): g(f'{RATE}')\n"}, "a.py::f reads a.py::RATE 2"),
    "an import that names it twice": ({**SHOP, "b.py": "from a import RATE as RATE\n"}, ""),
    "in a string": ({"a.py": "RATE = 1\ndef f(): g('RATE')\n"}, ""),
    "in a comment": ({"a.py": "RATE = 1\ndef f(): pass  # RATE\n"}, ""),
    "a variable of that name": ({"a.py": "RATE = 1\ndef f(RATE): return [RATE]\n"}, ""),
    "an argument of that name": ({"a.py": "RATE = 1\ndef f(): g(RATE=2)\n"}, ""),
    "a call, which is an edge": ({**SHOP, "b.py": "from a import Shop\ndef f(): return Shop()\n"}, ""),
    "a folder shares its names": (
        {"x/a.go": "package x\n\nvar Rate = 1\n", "x/b.go": "package x\n\nfunc f() int { return Rate + 1 }\n"},
        "x/b.go::f reads x/a.go::Rate 3",
    ),
    "a method with its owner elsewhere": (
        {
            "x/a.go": "package x\n\ntype T struct{}\n\nfunc (t T) Run() {}\n",
            "x/b.go": "package x\n\nfunc f(t T) { g(t.Run) }\n",
        },
        "x/a.go::T.Run types x/a.go::T 5, x/b.go::f reads x/a.go::T.Run 3, x/b.go::f types x/a.go::T 3",
    ),
    "a module with a name": (
        {"m.js": "export const RATE = 1\n", "u.js": "import * as m from './m'\ng(m.RATE + 1)\n"},
        "u.js reads m.js::RATE 2",
    ),
}


def mentions_in(files: Files) -> tuple[Snapshot, list[NetworkEdge]]:
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    return snapshot, [one for path in sorted(files) for one in resolve_file(snapshot, resolver, path).mentions]


def shown(snapshot: Snapshot, edge: NetworkEdge) -> str:
    names: dict[int | str, str] = {
        one.identity: f"{one.path}::{one.qualified_name}" for path in snapshot.paths() for one in snapshot.inside(path)
    }
    return f"{names.get(edge.user, edge.user)} {edge.edge} {names[edge.used]} {edge.line}"


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_what_a_file_mentions(files: Files, expected: str) -> None:
    snapshot, found = mentions_in(files)
    assert ", ".join(sorted(shown(snapshot, edge) for edge in found)) == expected


def test_a_name_that_is_defined_over_and_over_is_a_mention_of_its_first_definitions() -> None:
    _, few = mentions_in({"a.py": "v = 1\n" + "v = [v]\n" * 9})
    _, many = mentions_in({"a.py": "v = 1\n" + "v = [v]\n" * 99})
    assert len({edge.used for edge in few}) == 10
    assert len({edge.used for edge in many}) == 16
    assert len({edge.user for edge in many}) == 99


@settings(max_examples=n_examples(300), deadline=None)
@example({"a.py": "class Shop: pass\ndef f(): return [Shop]\n"})
@example({"a.py": "from a import run as shop\nfrom a import run\ndef f():\n    run\ndef run(): pass\n"})
@given(random_files)
def test_at_least_what_a_search_through_the_text_finds(files: Files) -> None:
    snapshot, found = mentions_in(files)
    resolver = resolver_of(snapshot)
    edges = [edge for path in sorted(files) for edge in resolve_file(snapshot, resolver, path).edges]
    kept = {(edge.user, edge.used) for edge in (*found, *edges)}
    sources = [(path, snapshot.languages[path], snapshot.sources[path]) for path in sorted(files)]
    for target in [one for path in sorted(files) for one in snapshot.inside(path) if one.parent is None]:
        for edge in mentions_of(snapshot, resolver, target, sources):
            user = edge.source.identity if edge.source is not None else edge.source_path
            assert user == target.identity or (user, target.identity) in kept, (edge, files)
