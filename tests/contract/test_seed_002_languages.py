"""Seed 002 in every language: named parents, collisions and stability, where the notion exists."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.extraction.read import read_source
from birthmark.identity.semantic_ids import parse_semantic_id
from birthmark.languages.registry import load_registry
from reading import read

CASES = Path(__file__).parents[1] / "cases"

# language, source, the named parents of the calls of `target` in it
PARENTS = [
    (
        "python",
        "target()\ndef f():\n    if a:\n        g(lambda: target())\nclass A:\n    x = target()\n",
        "global f A",
    ),
    (
        "typescript",
        "target(); function f() { g(() => { target(); }); } class A { x = target(); m() { target(); } }",
        "global f A m",
    ),
    ("tsx", "const C = () => <p onClick={() => target()}>{target()}</p>;", "C C"),
    ("java", "class A { int x = target(); void m() { run(() -> { if (a) target(); }); } }", "A m"),
    (
        "go",
        "package p\nvar x = target()\nfunc f() { g(func() { target() }) }\nfunc (a A) m() { target() }\n",
        "global f m",
    ),
    ("rust", "fn f() { g(|| { target(); }); } impl A { fn m(&self) { if a { target(); } } }", "f m"),
    ("c", "int f(void) { if (a) { for (;;) target(); } return 0; }", "f"),
    (
        "cpp",
        "int f() { g([] { target(); }); return 0; } void A::m() { target(); } class B { void n() { target(); } };",
        "f m n",
    ),
    ("csharp", "class A { int x = target(); void M() { Run(() => { target(); }); } }", "A M"),
    ("ruby", "target()\ndef f\n  g { target() }\nend\nclass A\n  target()\nend\n", "global f A"),
    (
        "php",
        "<?php target(); function f() { g(function () { target(); }); } class A { function m() { target(); } }",
        "global f m",
    ),
    (
        "kotlin",
        "val x = target()\nfun f() { g { target() } }\nclass A {\n  fun m() { if (a) target() }\n}\n",
        "global f m",
    ),
    ("swift", "func f() { g { target() } }\nclass A {\n  func m() { if a { target() } }\n}\n", "f m"),
    ("scala", "object A {\n  val x = target()\n  def m() = { g(() => target()) }\n}\n", "A m"),
    ("sql", "CREATE FUNCTION f() RETURNS int AS $$ SELECT target(); $$ LANGUAGE sql;", "f"),
]


@pytest.mark.parametrize(("language", "source", "parents"), PARENTS, ids=[case[0] for case in PARENTS])
def test_named_parent(language: str, source: str, parents: str) -> None:
    found = [
        node.named_parent for node in read(language, source).nodes if node.type == "CALL" and node.name == "target"
    ]
    assert found == parents.split()


# language, two calls with other arguments and two that are identical, in one function
COLLISIONS = [
    ("python", "def f():\n    g(1)\n    g(2)\n    g(3)\n    g(3)\n"),
    ("javascript", "function f() { g(1); g(2); g(3); g(3); }"),
    ("typescript", "function f() { g(1); g(2); g(3); g(3); }"),
    ("java", "class A { void f() { g(1); g(2); g(3); g(3); } }"),
    ("go", "package p\nfunc f() { g(1); g(2); g(3); g(3) }\n"),
    ("rust", "fn f() { g(1); g(2); g(3); g(3); }"),
    ("c", "void f(void) { g(1); g(2); g(3); g(3); }"),
    ("cpp", "void f() { g(1); g(2); g(3); g(3); }"),
    ("csharp", "class A { void f() { g(1); g(2); g(3); g(3); } }"),
    ("ruby", "def f\n  g(1)\n  g(2)\n  g(3)\n  g(3)\nend\n"),
    ("php", "<?php function f() { g(1); g(2); g(3); g(3); }"),
    ("kotlin", "fun f() {\n  g(1)\n  g(2)\n  g(3)\n  g(3)\n}\n"),
    ("swift", "func f() {\n  g(1)\n  g(2)\n  g(3)\n  g(3)\n}\n"),
    ("scala", "object A {\n  def f() = {\n    g(1)\n    g(2)\n    g(3)\n    g(3)\n  }\n}\n"),
]


@pytest.mark.parametrize(("language", "source"), COLLISIONS, ids=[case[0] for case in COLLISIONS])
def test_collisions(language: str, source: str) -> None:
    reading = read(language, source)
    nodes = zip(reading.nodes, reading.semantic_ids, strict=True)
    parsed = [parse_semantic_id(id_) for node, id_ in nodes if node.type == "CALL" and node.name == "g"]
    hashes = [parts.content_hash for parts in parsed if parts]
    assert len(hashes) == 4
    assert None not in hashes
    assert len(set(hashes)) == 3
    assert [parts.counter for parts in parsed if parts] == [None, None, 0, 1]


def sources() -> list[Path]:
    registry = load_registry()
    paths = (path for path in CASES.glob("*/*") if path.suffix != ".expected")
    return sorted(path for path in paths if not registry.languages[path.parent.name].is_container)


@pytest.mark.parametrize("case", sources(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_add_lines_above_no_change(case: Path) -> None:
    registry = load_registry()
    content = case.read_bytes()
    spec = registry.detect(case.name, None, lambda: content)
    assert spec is not None
    if content.startswith(b"#!"):
        return  # The first line of a script must stay there.
    before = read_source("a", content, spec, registry)
    after = read_source("a", b"\n" * 10 + content, spec, registry)
    assert before.semantic_ids == after.semantic_ids
    assert before.fingerprints == after.fingerprints
    assert [entity.start_line + 10 for entity in before.entities] == [entity.start_line for entity in after.entities]
