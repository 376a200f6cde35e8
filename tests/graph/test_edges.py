"""Edges are found from the snapshot as it is: tables of files and the edges between them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.graph.edges import CALLS, Edge, callees, users
from examples import n_examples
from graph_snapshot import Files, Snapshot, check, edges_in, edges_of, resolver_of, shown

PYTHON = {
    "pkg/__init__.py": "from .util import helper as renamed\nfrom .deep import *\n",
    "pkg/util.py": "def helper(): pass\nclass Base:\n  def save(self): pass\n",
    "pkg/deep.py": "def deep(): pass\n",
    "pkg/json.py": "def loads(): pass\n",
}
SCRIPTS = {
    "lib/a.js": "export function one() {}\nexport default class Thing {}\n",
    "lib/index.js": "export { one as uno } from './a';\nexport * from './b';\n",
    "lib/b.ts": "export const two = () => 1;\nexport class Shape { area() {} }\n",
    "main.js": "module.exports = require('./lib/c');\n",
    "lib/c.js": "exports.three = function () {};\n",
}
JAVA = {
    "src/main/java/a/b/C.java": "package a.b; class C { static void s() {} void t() {} }",
    "src/main/java/a/b/D.java": "package a.b; class D { void o(int i) {} void o(String s) {} }",
}
GO = {
    "sub/sub.go": "package sub\nfunc Do() {}\ntype T struct{}\nfunc (t T) Run() {}\n",
    "x.go": "package main\nfunc helper() {}\n",
}
RUST = {
    "src/lib.rs": "mod a;\npub mod b;\npub use a::first;\n",
    "src/a.rs": "pub fn first() {}\npub struct P;\n"
    "impl P { pub fn new() -> P { Self::make() } fn make() -> P { P } }\n",
    "src/b/mod.rs": "pub mod inner;\npub fn second() {}\nmacro_rules! shout { () => {} }\n",
    "src/b/inner.rs": "pub fn third() {}\n",
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"m.py": "def f():\n  def g(): pass\n  g()\n  f()\n  h()\n  print()\nclass h: pass\n"},
            """m.py:3 calls g: exact m.py::f.g
            m.py:4 calls f: exact m.py::f
            m.py:5 calls h: exact m.py::h
            m.py:6 calls print: unresolved""",
            id="bare names are looked up in the scopes around",
        ),
        pytest.param(
            {
                "m.py": "class A:\n  def f(self):\n    self.g()\n    g()\n    A.g(self)\n    self.z()\n"
                "  def g(self): pass\n"
            },
            """m.py:3 calls self g: exact m.py::A.g
            m.py:4 calls g: unresolved
            m.py:5 calls A g: exact m.py::A.g
            m.py:6 calls self z: unresolved""",
            id="a method sees its siblings only through self or the class",
        ),
        pytest.param(
            {"m.py": "class A:\n  def __init__(self, g):\n    self.g = g\n  def f(self):\n    self.g()\n"},
            "m.py:5 calls self g: exact m.py::A.g",
            id="an attribute that a method assigns is called",
        ),
        pytest.param(
            {"m.py": "try:\n  def f(): pass\nexcept E:\n  def f(): pass\nf()\n"},
            "m.py:5 calls f: name m.py::f m.py::f",
            id="two definitions of one name are candidates",
        ),
        pytest.param(
            PYTHON
            | {
                "m.py": "from pkg.util import helper as h, Base\nimport json, pkg.util\nh()\njson.loads()\n"
                "pkg.util.helper()\nclass K(Base, pkg.util.Base): pass\nBase.save()\nBase.nothing()\n"
            },
            """m.py:1 imports pkg.util helper: import pkg/util.py::helper
            m.py:1 imports pkg.util Base: import pkg/util.py::Base
            m.py:2 imports json: external
            m.py:2 imports pkg.util: import pkg/util.py
            m.py:3 calls h: import pkg/util.py::helper
            m.py:4 calls json loads: external
            m.py:5 calls pkg.util helper: import pkg/util.py::helper
            m.py:6 inherits Base: import pkg/util.py::Base
            m.py:6 inherits pkg.util Base: import pkg/util.py::Base
            m.py:7 calls Base save: import pkg/util.py::Base.save
            m.py:8 calls Base nothing: unresolved""",
            id="imports lead to definitions and modules, also under another name",
        ),
        pytest.param(
            PYTHON
            | {
                "m.py": "import pkg\nfrom pkg import *\npkg.renamed()\nrenamed()\ndeep()\npkg.util.helper()\npkg.no()\n"
            },
            """m.py:3 calls pkg renamed: import pkg/util.py::helper
            m.py:4 calls renamed: import pkg/util.py::helper
            m.py:5 calls deep: import pkg/deep.py::deep
            m.py:6 calls pkg.util helper: import pkg/util.py::helper
            m.py:7 calls pkg no: import pkg/__init__.py""",
            id="names that a package passes on are followed",
        ),
        pytest.param(
            PYTHON
            | {
                "pkg/sub/m.py": "from ..util import helper\nfrom .. import deep\nfrom . import n\nhelper()\n"
                "deep.deep()\n",
                "pkg/sub/n.py": "",
            },
            """pkg/sub/m.py:1 imports ..util helper: import pkg/util.py::helper
            pkg/sub/m.py:3 imports . n: import pkg/sub/n.py
            pkg/sub/m.py:4 calls helper: import pkg/util.py::helper
            pkg/sub/m.py:5 calls deep deep: import pkg/deep.py::deep""",
            id="relative imports",
        ),
        pytest.param(
            {
                "src/pkg/util.py": "def f(): pass",
                "src/pkg/__init__.py": "",
                "tests/t.py": "from pkg.util import f\nf()\n",
            },
            "tests/t.py:2 calls f: import src/pkg/util.py::f",
            id="packages may lie in src",
        ),
        pytest.param(
            PYTHON
            | {
                "m.py": "def f():\n  from pkg.util import helper as x\n  x()\ndef g():\n"
                "  from pkg.deep import deep as x\n  x()\n"
            },
            """m.py:3 calls x: import pkg/util.py::helper
            m.py:6 calls x: import pkg/deep.py::deep""",
            id="an import in a function holds there",
        ),
        pytest.param(
            PYTHON | {"m.py": "def f(x):\n  x.save()\n  x().save()\n  x.helper()\n"},
            """m.py:2 calls x save: name pkg/util.py::Base.save
            m.py:3 calls x() save: name pkg/util.py::Base.save
            m.py:4 calls x helper: name pkg/util.py::helper""",
            id="what is called on an unknown object may be any member of that name",
        ),
        pytest.param(
            PYTHON | {"m.py": "import pkg.util\nimport pkg.deep as default\npkg.renamed()\ndefault.deep()\n"},
            """m.py:3 calls pkg renamed: import pkg/util.py::helper
            m.py:4 calls default deep: import pkg/deep.py::deep""",
            id="an import of a part binds the whole",
        ),
        pytest.param(
            {"a.py": "from b import x\nx()\n", "b.py": "from a import x\n"},
            "a.py:2 calls x: import a.py",
            id="imports that run in a circle end",
        ),
        pytest.param(
            SCRIPTS
            | {
                "x.ts": "import Thing, { one } from './lib/a.js';\nimport * as lib from './lib';\none();\n"
                "new Thing();\n"
                "lib.uno();\nlib.two();\nclass S extends lib.Shape {}\nfs.read();\nimport fs from 'fs';\n"
            },
            """x.ts:3 calls one: import lib/a.js::one
            x.ts:4 calls Thing: import lib/a.js::Thing
            x.ts:5 calls lib uno: import lib/a.js::one
            x.ts:6 calls lib two: import lib/b.ts::two
            x.ts:7 inherits lib Shape: import lib/b.ts::Shape
            x.ts:8 calls fs read: external""",
            id="modules of scripts",
        ),
        pytest.param(
            SCRIPTS
            | {
                "y.js": "const c = require('./lib/c');\nconst { three: drei } = require('./main');\nc.three();\n"
                "drei();\n"
                "const o = { f() { this.g(); }, g() {} };\nObject.keys(o);\n",
                "k.js": "class K { keys() {} }",
            },
            """y.js:3 calls c three: import lib/c.js::three
            y.js:4 calls drei: import lib/c.js::three
            y.js:6 calls Object keys: unresolved""",
            id="modules of CommonJS",
        ),
        pytest.param(
            SCRIPTS
            | {"d.js": "export { default } from './lib/a';\n", "x.js": "import Thing from './d';\nnew Thing();\n"},
            "x.js:2 calls Thing: import lib/a.js::Thing",
            id="a default that is passed on",
        ),
        pytest.param(
            JAVA
            | {
                "src/test/java/a/b/T.java": "package a.b;\nclass T extends C { void f() {\ng();\nC.s();\n"
                "new C();\nt();\n"
                "new D().o(1);\nString.valueOf(1); } void g() {} }"
            },
            """src/test/java/a/b/T.java:2 inherits C: import src/main/java/a/b/C.java::C
            src/test/java/a/b/T.java:3 calls g: exact src/test/java/a/b/T.java::T.g
            src/test/java/a/b/T.java:4 calls C s: import src/main/java/a/b/C.java::C.s
            src/test/java/a/b/T.java:5 calls C: import src/main/java/a/b/C.java::C
            src/test/java/a/b/T.java:6 calls t: hierarchy src/main/java/a/b/C.java::C.t
            src/test/java/a/b/T.java:7 calls D() o: name src/main/java/a/b/D.java::D.o src/main/java/a/b/D.java::D.o
            src/test/java/a/b/T.java:8 calls String valueOf: unresolved""",
            id="a package of Java sees itself",
        ),
        pytest.param(
            JAVA
            | {
                "src/main/java/z/Z.java": "package z;\nimport a.b.C;\nimport static a.b.C.s;\nimport java.util.List;\n"
                "class Z { void f() {\ns();\nC.s();\nList.of(); } }",
                "k/K.kt": "import a.b.C as X\nfun f() { X.s() }",
            },
            """src/main/java/z/Z.java:2 imports a.b C: import src/main/java/a/b/C.java::C
            src/main/java/z/Z.java:3 imports a.b.C s: import src/main/java/a/b/C.java::C.s
            src/main/java/z/Z.java:4 imports java.util List: external
            src/main/java/z/Z.java:6 calls s: import src/main/java/a/b/C.java::C.s
            src/main/java/z/Z.java:7 calls C s: import src/main/java/a/b/C.java::C.s
            src/main/java/z/Z.java:8 calls List of: external
            k/K.kt:2 calls X s: import src/main/java/a/b/C.java::C.s""",
            id="imports of the JVM",
        ),
        pytest.param(
            GO
            | {
                "main.go": 'package main\nimport (\n s "example.com/me/sub"\n "fmt"\n)\nfunc main() {\n'
                "helper()\ns.Do()\n"
                "fmt.Println()\nt := s.T{}\nt.Run()\nlen(t)\n}\n"
            },
            """main.go:3 imports example.com/me/sub: import sub
            main.go:4 imports fmt: external
            main.go:7 calls helper: import x.go::helper
            main.go:8 calls s Do: import sub/sub.go::Do
            main.go:9 calls fmt Println: external
            main.go:10 calls s T: import sub/sub.go::T
            main.go:11 calls t Run: import sub/sub.go::T.Run
            main.go:12 calls len: unresolved""",
            id="packages of Go",
        ),
        pytest.param(
            RUST
            | {
                "src/m.rs": "use crate::a::P as Q;\nuse crate::b::{self, inner::third};\nuse std::io;\n"
                "fn f() {\nQ::new();\n"
                "b::second();\nthird();\nio::stdin();\ncrate::first();\nshout!();\n}\nmod tests {\n"
                "use super::*;\nfn t() {\nf();\nsuper::f();\n}\n}\n"
            },
            """src/a.rs:3 calls Self make: exact src/a.rs::P.make
            src/m.rs:1 imports crate::a P: import src/a.rs::P
            src/m.rs:5 calls Q new: import src/a.rs::P.new
            src/m.rs:6 calls b second: import src/b/mod.rs::second
            src/m.rs:7 calls third: import src/b/inner.rs::third
            src/m.rs:8 calls io stdin: external
            src/m.rs:9 calls crate first: import src/a.rs::first
            src/m.rs:15 calls f: exact src/m.rs::f
            src/m.rs:16 calls super f: import src/m.rs::f""",
            id="paths of Rust",
        ),
        pytest.param(
            RUST | {"src/n.rs": "fn f(p: P) {\nassert!(p.make());\nSome(1);\n}\n", "src/e.rs": "enum E { Some }\n"},
            """src/n.rs:2 calls p make: name src/a.rs::P.make
            src/n.rs:3 calls Some: unresolved""",
            id="in a macro of Rust the receiver is read from the text before",
        ),
        pytest.param(
            {
                "inc/u.h": "int twice(int);\n",
                "src/u.c": '#include "u.h"\nint twice(int a) { return a; }\n',
                "src/m.c": '#include "inc/u.h"\n#include <stdio.h>\nint main() {\ntwice(1);\nputs(0); }\n',
            },
            """src/m.c:1 imports inc/u.h: import inc/u.h
            src/m.c:2 imports stdio.h: external
            src/m.c:4 calls twice: import src/u.c::twice
            src/m.c:5 calls puts: unresolved""",
            id="a header leads to what it declares",
        ),
        pytest.param(
            {
                "a.cs": "namespace A.B { class C { public static void S() {} } }",
                "m.cs": "using A.B;\nusing Y = A.B.C;\nclass M { void F() {\nC.S();\nY.S();\nG(); } void G() {} }",
            },
            """m.cs:4 calls C S: import a.cs::A.B.C.S
            m.cs:5 calls Y S: import a.cs::A.B.C.S
            m.cs:6 calls G: exact m.cs::M.G""",
            id="namespaces of C#",
        ),
        pytest.param(
            {
                "src/C.php": "<?php\nnamespace A\\B;\nclass C { static function s() {} }",
                "m.php": "<?php\nuse A\\B\\C as D;\nuse Z\\Y;\nD::s();\nnew D();\nnew Y();\n",
            },
            """m.php:4 calls D s: import src/C.php::C.s
            m.php:5 calls D: import src/C.php::C
            m.php:6 calls Y: external""",
            id="namespaces of PHP",
        ),
        pytest.param(
            {
                "lib/a/b.rb": "class B\n  def run; end\n  def self.make; end\nend\n",
                "m.rb": "require 'a/b'\nclass M < B\n  def f\n    g(1)\n    B.new\n    B.make\n  end\n"
                "  def g(x); end\nend\n",
            },
            """m.rb:1 imports a/b: import lib/a/b.rb
            m.rb:2 inherits B: import lib/a/b.rb::B
            m.rb:4 calls g: exact m.rb::M.g
            m.rb:5 calls B: import lib/a/b.rb::B""",
            id="files of Ruby",
        ),
    ],
)
def test_edges(files: Files, expected: str) -> None:
    check(files, expected)


def sites(edges: list[Edge]) -> list[str]:
    return [f"{edge.source_path}:{edge.line} {edge.name} {edge.resolution} {edge.n_candidates}" for edge in edges]


@pytest.mark.parametrize(
    ("files", "target", "expected"),
    [
        pytest.param(
            PYTHON
            | {
                "m.py": "from pkg.util import helper as h\ndef f(): return h(1)\nh(2)\n",
                "n.py": "import pkg\npkg.renamed()\nfrom pkg import renamed as again\nagain()\n",
                "o.py": "def helper(): pass\nhelper()\n",
            },
            "pkg/util.py::helper",
            ["m.py:2 h import 1", "m.py:3 h import 1", "n.py:2 renamed import 1", "n.py:4 again import 1"],
            id="under whatever name it was imported",
        ),
        pytest.param(
            PYTHON | {"m.py": "from pkg.util import Base\nBase()\ndef f(x): x.save()\nBase().save()\n"},
            "pkg/util.py::Base",
            ["m.py:2 Base import 1", "m.py:4 Base import 1"],
            id="a class is called to make an instance",
        ),
        pytest.param(
            {"m.py": "class A:\n  def f(self): self.g()\n  def g(self): x.g()\nclass B:\n  def g(self): pass\n"},
            "m.py::A.g",
            ["m.py:2 g exact 1", "m.py:3 g name 2"],
            id="the sure ones first",
        ),
        pytest.param(
            SCRIPTS | {"x.js": "import Thing from './lib/a';\nnew Thing();\n"},
            "lib/a.js::Thing",
            ["x.js:2 Thing import 1"],
            id="a default import",
        ),
        pytest.param(
            {"src/lib.rs": "macro_rules! shout { () => {} }\nfn shout() { shout!(); }\nfn f() { shout(); }\n"},
            "src/lib.rs::shout",
            ["src/lib.rs:2 shout! exact 1"],
            id="a macro is not the function of its name",
        ),
    ],
)
def test_callers(files: Files, target: str, expected: list[str]) -> None:
    snapshot = Snapshot(files)
    assert sites(users(snapshot, resolver_of(snapshot), snapshot.find(target), CALLS)) == expected


def test_callees() -> None:
    snapshot = Snapshot(
        PYTHON | {"m.py": "from pkg.util import helper\ndef f(x):\n  helper()\n  len(x)\n  x.save()\n  f(x)\n"}
    )
    edges = callees(snapshot, resolver_of(snapshot), snapshot.find("m.py::f"))
    assert sites(edges) == [
        "m.py:3 helper import 1",
        "m.py:4 len unresolved 0",
        "m.py:5 save name 1",
        "m.py:6 f exact 1",
    ]
    assert [edge.target and edge.target.path for edge in edges] == ["pkg/util.py", None, None, "m.py"]


ALL = (
    PYTHON
    | SCRIPTS
    | JAVA
    | GO
    | RUST
    | {
        "m.py": "from pkg import renamed, deep\nfrom pkg.util import Base\nclass K(Base):\n"
        "  def f(self): renamed(); self.save()\n",
        "x.ts": "import { uno, two } from './lib';\nuno(); two();\nimport Thing from './lib/a';\nnew Thing();\n",
        "main.go": 'package main\nimport "example.com/me/sub"\nfunc main() { helper(); sub.Do() }\n',
        "src/m.rs": "use crate::a::P;\nfn f() { P::new(); crate::first(); }\n",
    }
)


EDGES = edges_of(ALL)


@given(st.lists(st.sampled_from(sorted(ALL)), max_size=4, unique=True))
def test_an_edge_never_leads_to_what_is_gone_and_returns_with_it(gone: list[str]) -> None:
    snapshot = Snapshot(ALL)
    for path in gone:
        snapshot.remove(path)
    left = edges_in(snapshot)
    assert left == edges_of({path: source for path, source in ALL.items() if path not in gone})
    assert not [line for line in left for path in gone if f" {path}" in line]
    for path in gone:
        snapshot.add(path, ALL[path])
    assert edges_in(snapshot) == EDGES


@given(st.permutations(range(len(EDGES))))
@settings(max_examples=n_examples(20), deadline=None)
def test_the_order_of_questions_does_not_matter(order: list[int]) -> None:
    snapshot = Snapshot(ALL)
    entries = list(snapshot.all_references())
    resolver = resolver_of(snapshot)
    answers = {index: shown(resolver.resolve(*entries[index])) for index in order}
    assert [line.rpartition(": ")[2] for line in EDGES] == [answers[index] for index in range(len(EDGES))]
