"""What a file mentions by name, in the words of each language."""

from __future__ import annotations

import pytest

from birthmark.graph.reading.read_references import references_of, split_callee, split_import
from birthmark.graph.reading.references import Binding, Reference
from birthmark.model import Level
from reading import read


def shown(reference: Reference) -> str:
    receiver = f"{reference.receiver} " if reference.receiver else ""
    alias = f" as {reference.alias}" if reference.alias else ""
    return f"{reference.line} {reference.edge} {receiver}{reference.name}{alias}".strip()


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        (
            "python",
            "import os.path\nimport numpy as np\nfrom .x import y as z, w as w\nfrom a import *\n",
            ["1 imports os.path", "2 imports numpy  as np", "3 imports .x y as z", "3 imports .x w", "4 imports a *"],
        ),
        (
            "python",
            "class A(b.C, D):\n  x = f(1)\n  def m(self):\n    self.n(os.path.join())\n    q[0](1)\n    f().g()\n",
            [
                "1 inherits b C",
                "1 inherits D",
                "2 calls f",
                "4 calls self n",
                "4 calls os.path join",
                "5 calls q[0] ()",
                "6 calls f() g",
                "6 calls f",
            ],
        ),
        (
            "javascript",
            "import d, { a as b, c } from 'node:fs';\nimport * as ns from './y';\nimport 'node:side';\n"
            "const f = require('./u'), { q, r: s } = require('v');\nexport { k as l } from './w';\nnew A.B();\n",
            [
                "1 imports node:fs default as d",
                "1 imports node:fs a as b",
                "1 imports node:fs c",
                "2 imports ./y * as ns",
                "3 imports node:side",
                "4 calls require",
                "4 imports ./u  as f",
                "4 imports v q",
                "4 imports v r as s",
                "4 calls require",
                "4 imports v",
                "5 imports ./w k as l",
                "6 calls A B",
            ],
        ),
        (
            "typescript",
            "import r = require('foo');\nimport type { a as b } from 'z';\nmaybe!();\n"
            "class A extends B<C> implements D, E.F {}\n",
            [
                "1 imports foo  as r",
                "2 imports z a as b",
                "3 calls maybe",
                "4 inherits B",
                "4 implements D",
                "4 implements E F",
            ],
        ),
        (
            "go",
            'package p\nimport f "fmt"\nimport . "a/b"\nimport _ "c"\nfunc g() { t.N(); f.X(); h(); T{} }\n',
            [
                "2 imports fmt  as f",
                "3 imports a/b  as .",
                "4 imports c  as _",
                "5 calls t N",
                "5 calls f X",
                "5 calls h",
                "5 calls T",
            ],
        ),
        (
            "rust",
            "use a::b as c;\nuse a::{self, d as e, f::g, h::*};\nuse foo as bar;\nextern crate ab as cd;\n"
            "fn f() { m!(); Vec::<u8>::new(); x.y(); }\nimpl D for P {}\n",
            [
                "1 imports a b as c",
                "2 imports a",
                "2 imports a d as e",
                "2 imports a::f g",
                "2 imports a::h *",
                "3 imports foo  as bar",
                "4 imports ab  as cd",
                "5 calls m!",
                "5 calls Vec new",
                "5 calls x y",
                "6 implements D",
            ],
        ),
        (
            "java",
            "import a.b.C;\nimport static a.b.D.e;\nimport a.f.*;\n"
            "class K extends L implements M { void m() { new C().x(); } }\n",
            [
                "1 imports a.b C",
                "2 imports a.b.D e",
                "3 imports a.f *",
                "4 calls C() x",
                "4 calls C",
                "4 inherits L",
                "4 implements M",
            ],
        ),
        ("csharp", "using X = A.B;\nusing N.M;\n", ["1 imports A.B  as X", "2 imports N.M"]),
        (
            "kotlin",
            "import a.b.d as c\nimport a.b.*\nimport a.E\nimport q as z\n",
            ["1 imports a.b d as c", "2 imports a.b *", "3 imports a E", "4 imports q  as z"],
        ),
        (
            "scala",
            "import a.b.{c => d, e}\nimport a.x._\nimport a.F as G\n",
            ["1 imports a.b c as d", "1 imports a.b e", "2 imports a.x *", "3 imports a F as G"],
        ),
        (
            "php",
            "<?php\nuse A\\B as C;\nuse Foo as Bar;\nuse A\\{D as E, F\\G};\n$this->g(); self::h(); C::k();\n",
            [
                "2 imports A B as C",
                "3 imports Foo  as Bar",
                "4 imports A D as E",
                "4 imports A\\F G",
                "5 calls $this g",
                "5 calls self h",
                "5 calls C k",
            ],
        ),
        ("ruby", "require 'a/b'\nx.save!\nA::B.i(1)\n", ["1 imports a/b", "2 calls x save!", "3 calls A.B i"]),
        (
            "cpp",
            "#include <a/b.h>\nvoid f() { this->h(); n::k<int>(); }\n",
            ["1 imports a/b.h", "2 calls this h", "2 calls n k"],
        ),
    ],
)
@pytest.mark.parametrize("level", [Level.OUTLINE, Level.NODES])
def test_references(language: str, source: str, expected: list[str], level: Level) -> None:
    reading = read(language, source, level=level)
    references = references_of(reading.nodes, reading.entities, reading.language, source.encode())
    assert [shown(reference) for reference in references] == expected


def test_a_reference_knows_the_entity_it_stands_in() -> None:
    reading = read("python", "f()\ndef a():\n  g()\n  def b():\n    h()\nclass C(D): pass\n")
    references = references_of(reading.nodes, reading.entities, "python")
    assert [(reference.name, reference.entity) for reference in references] == [("f", -1), ("g", 0), ("h", 1), ("D", 2)]


@pytest.mark.parametrize(
    ("callee", "expected"),
    [
        ("f", (None, "f")),
        ("new:a.B<c.D>", ("a", "B")),
        ("a?.b!.c", ("a?.b", "c")),
        ("a[0].b", ("a[0]", "b")),
        ("a[0]", None),
        ("()", None),
        ("::f", (None, "f")),
        ("\\A\\b", ("\\A", "b")),
    ],
)
def test_split_callee(callee: str, expected: tuple[str | None, str] | None) -> None:
    assert split_callee(callee) == expected


@pytest.mark.parametrize(
    ("imported", "expected"),
    [
        ("os.path", ("os.path", "")),
        ("a:b", ("a", "b")),
        ("node:fs", ("node:fs", "")),
        ("node:fs:read", ("node:fs", "read")),
        ("https://x.org:80/y.js", ("https://x.org:80/y.js", "")),
        ("https://x.org/y.js:default", ("https://x.org/y.js", "default")),
        ("crate::a:b::c", ("crate::a::b", "c")),
    ],
)
def test_split_import(imported: str, expected: tuple[str, str]) -> None:
    assert split_import(imported, ("node",)) == expected


def test_what_is_a_scheme_in_one_language_is_a_module_in_another() -> None:
    reading = read("python", "from node import visit\n")
    references = references_of(reading.nodes, reading.entities, reading.language)
    assert [(reference.receiver, reference.name) for reference in references] == [("node", "visit")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("d", ["1 calls d"]),
        ("a.d()", ["1 calls a d"]),
        ('a.d("/x")', ["1 calls a d"]),
        ("make().d", ["1 calls make() d"]),
        ("make()()", []),
        ("a[]", []),
        ("", []),
    ],
)
def test_a_mention_is_a_reference(path: str, expected: list[str]) -> None:
    mention = Binding("calls", "", path, -1, -1, 1, 0)
    assert [shown(one) for one in references_of([], [], "python", b"", [mention, mention])] == expected
