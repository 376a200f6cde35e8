"""The edges of a file, as the network has them."""

from __future__ import annotations

import pytest

from birthmark.graph.network import OUTSIDE, resolve_file
from graph_snapshot import Files, Snapshot, resolver_of

LIB = "def g(): pass\nclass Shop:\n    def open(self): pass\n"

CASES: dict[str, tuple[Files, list[str]]] = {
    "a call, and what is passed": (
        {"lib.py": LIB, "m.py": "import lib\nfrom lib import g\ndef f():\n    lib.g()\n    apply(g)\n"},
        ["f calls g 4", "f reads g 5", "m.py imports g 2", "m.py imports lib.py 1"],
    ),
    "what is passed under the name of an import": (
        {"lib.py": LIB, "m.py": "from lib import g as h\ndef f():\n    apply(h)\n"},
        ["f reads g 3", "m.py imports g 1"],
    ),
    "a variable is another name": (
        {"m.py": "def g(): pass\ndef f():\n    x = g\n    apply(x)\n    return x\n"},
        ["f reads g 3"],
    ),
    "a decorator takes what it decorates": (
        {"m.py": "def logged(function):\n    return function\n@logged\ndef g(): pass\n"},
        ["m.py calls logged 3"],
    ),
    "a base and a method that replaces another": (
        {"lib.py": LIB, "m.py": "from lib import Shop\nclass Kiosk(Shop):\n    def open(self): pass\n"},
        ["Kiosk inherits Shop 2", "Kiosk.open overrides Shop.open 3", "m.py imports Shop 1"],
    ),
    "a function implements its signatures": (
        {"m.ts": "function f(x: string): void\nfunction f(x: any) {}\nfunction g() {\n  f(1)\n}\n"},
        ["f implements f 2", "g calls f 4"],
    ),
    "what is unknown is claimed of nothing": (
        {"lib.py": LIB, "m.py": "def f(x):\n    x.open()\n"},
        [],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_edges_of_a_file(case: tuple[Files, list[str]]) -> None:
    snapshot = Snapshot(case[0])
    definitions = [one for path in case[0] for one in snapshot.inside(path)]
    names: dict[int | str, str] = {one.identity: one.qualified_name for one in definitions}
    found = resolve_file(snapshot, resolver_of(snapshot), [*case[0]][-1]).edges
    ends = [
        (names.get(one.user, one.user), one.edge, names.get(one.used, one.used), one.line)
        for one in found
        if one.used != OUTSIDE
    ]
    assert sorted("{} {} {} {}".format(*one) for one in ends) == case[1]


def test_candidates_are_kept_with_who_may_use_them() -> None:
    snapshot = Snapshot({"lib.py": LIB, "m.py": "def f(x):\n    x.open()\n"})
    (edge, identities), *others = resolve_file(snapshot, resolver_of(snapshot), "m.py").open_references
    assert not others
    assert identities == (snapshot.find("lib.py::Shop.open").identity,)
    assert (edge.n_candidates, edge.may_be_outside, edge.line) == (1, True, 2)


def test_an_alias_of_an_operator_leads_nowhere() -> None:
    source = "class A\n  def <<(x); end\n  alias add <<\n  alias_method :put, :add\nend\nA.new.put(1)\n"
    snapshot = Snapshot({"m.rb": source})
    assert resolve_file(snapshot, resolver_of(snapshot), "m.rb")
