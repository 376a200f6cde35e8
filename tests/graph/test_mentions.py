"""Uses that are no calls, language by language."""

from __future__ import annotations

import pytest

from birthmark.graph.edges import ALL_USES, SUBCLASSES, users
from graph_snapshot import Files, Snapshot, resolver_of


def uses_of(files: Files, target: str) -> list[str]:
    snapshot = Snapshot(files)
    edges = users(snapshot, resolver_of(snapshot), snapshot.find(target), ALL_USES)
    return sorted(f"{edge.source_path}:{edge.line} {edge.edge} {edge.resolution}" for edge in edges)


CASES: dict[str, tuple[Files, str, str]] = {
    "a dot that ends a comment above takes no member": (
        {"a.py": "RATE = 2\n\n\ndef f(shop):\n    # As in shop.rates.\n    RATE.bit_length\n"},
        "a.py::RATE",
        """
        a.py:6 reads exact
        """,
    ),
    "a constant": (
        {"a.py": "RATE = 2\n\n\ndef f():\n    return RATE * 2\n", "b.py": "from a import RATE\n\nprint(RATE)\n"},
        "a.py::RATE",
        """
        a.py:5 reads exact
        b.py:1 imports import
        b.py:3 reads import
        """,
    ),
    "a comment, a string, a keyword argument and a parameter are no uses": (
        {
            "a.py": "RATE = 2\n",
            "b.py": "from a import RATE\n# RATE\ns = 'RATE'\nf(RATE=1)\n\n\ndef g(RATE):\n    return RATE\n\n\n"
            'def h():\n    """RATE"""\n    return {"RATE": f"RATE {RATE}"}\n',
        },
        "a.py::RATE",
        """
        b.py:1 imports import
        b.py:13 reads import
        """,
    ),
    "a name in an f-string, and as a key": (
        {"a.py": "KEY = 1\nx = f'{KEY}'\ny = {KEY: 2}\n"},
        "a.py::KEY",
        """
        a.py:2 reads exact
        a.py:3 reads exact
        """,
    ),
    "a class: a type, a base, a decorator's argument, a call": (
        {
            "a.py": "class Shop:\n    pass\n",
            "b.py": "from a import Shop\n\n\nclass Big(Shop):\n    pass\n\n\n"
            "def f(one: Shop, many: list[Shop]) -> Shop | None:\n"
            "    here: Shop = Shop()\n    return isinstance(one, Shop)\n",
        },
        "a.py::Shop",
        """
        b.py:1 imports import
        b.py:4 inherits import
        b.py:8 types import
        b.py:8 types import
        b.py:8 types import
        b.py:9 calls import
        b.py:9 types import
        b.py:10 reads import
        """,
    ),
    "a decorator": (
        {
            "a.py": "def twice(f):\n    return f\n\n\n@twice\ndef g(): ...\n\n\n"
            "@twice\nclass C:\n    @twice\n    def m(self): ...\n"
        },
        "a.py::twice",
        """
        a.py:11 calls exact
        a.py:5 calls exact
        a.py:9 calls exact
        """,
    ),
    "a function that is passed": (
        {"a.py": "def twice(f): ...\n", "b.py": "import a\n\nmap(a.twice, [])\nuse = a.twice\na.twice(1)\n"},
        "a.py::twice",
        """
        b.py:3 reads import
        b.py:4 reads import
        b.py:5 calls import
        """,
    ),
    "a field": (
        {
            "a.py": "class Shop:\n    def __init__(self):\n        self.items = []\n\n    def add(self):\n"
            "        self.items += [1]\n        return self.items\n\n\nclass Big(Shop):\n    def all(self):\n"
            "        return self.items\n\n\ndef f(shop: Shop, other):\n    shop.items = []\n    return other.items\n",
        },
        "a.py::Shop.items",
        """
        a.py:12 reads hierarchy
        a.py:16 writes exact
        a.py:17 reads name
        a.py:6 writes exact
        a.py:7 reads exact
        """,
    ),
    "an alias": (
        {"a.py": "LIMIT = 1\n", "b.py": "from a import LIMIT as most\n\nprint(most)\n"},
        "a.py::LIMIT",
        """
        b.py:1 imports import
        b.py:3 reads import
        """,
    ),
    "a local of that name is another thing": (
        {"a.py": "def total(): ...\n\n\ndef f():\n    total = 1\n    return total\n"},
        "a.py::total",
        "",
    ),
    "an import over several lines": (
        {"a.py": "def f(): ...\n", "b.py": "from a import (\n    g,\n    f,\n)\n\nx = [f]\n"},
        "a.py::f",
        """
        b.py:3 imports import
        b.py:6 reads import
        """,
    ),
    "modules of JavaScript": (
        {
            "a.js": "export const RATE = 2;\nexport class Shop {}\n",
            "b.js": "import { RATE } from './a';\nconst x = { RATE: 1, rate: RATE };\nconsole.log(`RATE ${RATE}`);\n"
            "export { RATE };\n",
        },
        "a.js::RATE",
        """
        b.js:1 imports import
        b.js:2 reads import
        b.js:3 reads import
        b.js:4 exports import
        """,
    ),
    "types of TypeScript": (
        {
            "a.ts": "export class Shop { items: string[] = []; }\n",
            "b.ts": "import { Shop } from './a';\nfunction f(one: Shop, all: Array<Shop>): Shop {\n"
            "  // Shop\n  one.items = [];\n  return one;\n}\n",
        },
        "a.ts::Shop",
        """
        b.ts:1 imports import
        b.ts:2 types import
        b.ts:2 types import
        b.ts:2 types import
        """,
    ),
    "types and fields of Java": (
        {
            "p/Shop.java": "package p;\nclass Shop {\n  int size;\n  int twice() { return size * 2; }\n}\n",
            "p/Use.java": "package p;\nclass Use {\n  Shop shop;\n  Shop f(Shop other) {\n    other.size = 3;\n"
            "    Shop here = new Shop();\n    return here;\n  }\n}\n",
        },
        "p/Shop.java::Shop",
        """
        p/Use.java:3 types import
        p/Use.java:4 types import
        p/Use.java:4 types import
        p/Use.java:6 calls import
        p/Use.java:6 types import
        """,
    ),
    "a class is meant, not its constructor": (
        {"p/Shop.java": "package p;\nclass Shop {\n  Shop() {}\n  Shop same(Shop other) { return other; }\n}\n"},
        "p/Shop.java::Shop",
        """
        p/Shop.java:4 types exact
        p/Shop.java:4 types exact
        """,
    ),
    "a field of Java": (
        {
            "p/Shop.java": "package p;\nclass Shop {\n  int size;\n  int twice() { return size * 2; }\n}\n",
        },
        "p/Shop.java::Shop.size",
        """
        p/Shop.java:4 reads exact
        """,
    ),
    "a type of Go": (
        {
            "s/shop.go": "package s\n\ntype Shop struct {\n\tSize int\n}\n",
            "s/use.go": "package s\n\nfunc Open(one *Shop) []Shop {\n"
            "\tvar two Shop\n\tone.Size = 2\n\treturn []Shop{two}\n}\n",
        },
        "s/shop.go::Shop",
        """
        s/use.go:3 types import
        s/use.go:3 types import
        s/use.go:4 types import
        s/use.go:6 types import
        """,
    ),
    "keys of literals in Go": (
        {
            "s/shop.go": "package s\n\ntype Shop struct {\n\tNames []string\n\tSize int\n}\n\n"
            'func Open() *Shop {\n\tother := map[string]int{"Size": 1}\n'
            '\treturn &Shop{\n\t\tNames: []string{"a"},\n\t\tSize: 2,\n\t}\n}\n',
        },
        "s/shop.go::Shop.Size",
        "s/shop.go:12 writes exact",
    ),
    "a regular expression is no code": (
        {"a.js": "const limit = 1;\nconst x = f(/limit/, limit / 2);\n"},
        "a.js::limit",
        "a.js:2 reads exact",
    ),
    "a lifetime of Rust is no string": (
        {
            "src/lib.rs": "pub struct Shop;\nfn f<'a>(one: &'a Shop) -> &'a Shop { one }\n"
            "fn g(c: char) -> bool { c == '\"' }\nfn h(x: Shop) {}\n"
        },
        "src/lib.rs::Shop",
        """
        src/lib.rs:2 types exact
        src/lib.rs:2 types exact
        src/lib.rs:4 types exact
        """,
    ),
    "variables of Ruby": (
        {
            "a.rb": "class Shop\n  LIMIT = 1\n\n  def most\n"
            '    @LIMIT # LIMIT\n    LIMIT\n    "#{LIMIT} LIMIT"\n  end\nend\n'
        },
        "a.rb::Shop.LIMIT",
        """
        a.rb:6 reads exact
        a.rb:7 reads exact
        """,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_uses(case: str) -> None:
    files, target, expected = CASES[case]
    assert uses_of(files, target) == sorted(line.strip() for line in expected.strip().splitlines())


def test_methods_that_override_one() -> None:
    snapshot = Snapshot(
        {
            "a.py": "class A:\n    def run(self): ...\n\n\nclass B(A):\n    def run(self): ...\n",
            "b.py": "from a import B\n\n\nclass C(B):\n    def run(self): ...\n\n\nclass D:\n    def run(self): ...\n",
        }
    )
    found = users(snapshot, resolver_of(snapshot), snapshot.find("a.py::A.run"), SUBCLASSES)
    assert [(edge.edge, edge.source and edge.source.qualified_name) for edge in found] == [
        ("overrides", "B.run"),
        ("overrides", "C.run"),
    ]
