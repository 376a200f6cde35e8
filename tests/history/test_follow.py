"""What a commit did to an entity, in the words of histories."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from birthmark.extraction.model import Outline
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.follow import WalkedLineage
from birthmark.vocabulary import HistoryChange
from dialects import DIALECTS, Program
from pasts import FakePast

Case = tuple[str, str, str]  # before, after, expected changes

# In each language: the file, what is asked for, and what happens to it.
CHANGES: dict[str, tuple[str, str, list[Case]]] = {
    "python": (
        "a.py",
        "f",
        [
            ("", "def f(a):\n    return a\n", "introduced"),
            ("def f(a):\n    return a\n", "def f(a):\n    return a + 1\n", "body change"),
            ("def f(a):\n    return a\n", "def f(a, b=1):\n    return a\n", "parameter change"),
            ("def f(a):\n    return a\n", "def f(a, *, b):\n    return a\n", "parameter change"),
            ("def f(a):\n    return a\n", "def f(a: int):\n    return a\n", "parameter change"),
            ("def f(a):\n    return a\n", "def f(a) -> int:\n    return a\n", "return type change"),
            ("def f(a) -> int:\n    return a\n", "def f(a) -> list[int]:\n    return a\n", "return type change"),
            ("def f(a):\n    return a\n", "async def f(a):\n    return a\n", "modifier change"),
            ("def f(a):\n    return a\n", "@cache\ndef f(a):\n    return a\n", "annotation change"),
            ("@g(1)\ndef f(a):\n    return a\n", "@g(2)\ndef f(a):\n    return a\n", "annotation change"),
            ("def f(a):\n    return a\n", "def f[T](a):\n    return a\n", "type parameter change"),
            ("def f(a):\n    return a\n", 'def f(a):\n    """A."""\n    return a\n', "documentation change"),
            ("def f(a):\n    return a\n", "def f(a):\n    # so\n    return a\n", "documentation change"),
            ("def f(a):\n    return a\n", "# Why.\ndef f(a):\n    return a\n", "documentation change"),
            ("def f(a, b):\n    return a\n", "def f(a,b):\n    return a\n", "format change"),
            ("def f(a, b):\n    return a\n", "def f(a, b,):\n    return a\n", "format change"),
            ("def f(a):\n    return a\n", "def f(a):\n\n    return a\n", "format change"),
            ("def f(a):\n    return a\n", "x = 1\n\ndef f(a):\n    return a\n", ""),
            ("f = 1\n", "f = 2\n", "initializer change"),
            ("f: int = 1\n", "f: str = 1\n", "type change"),
            ("f: int\n", "f: int = 1\n", "initializer added"),
            ("class f:\n    x = 1\n", "class f:\n    x = 2\n", ""),
            ("class f:\n    x = 1\n", "class f(A):\n    x = 1\n", "inheritance change"),
            ("class f:\n    x = 1\n", "@d\nclass f:\n    x = 1\n", "annotation change"),
        ],
    ),
    "python attributes": (
        "a.py",
        "A.f",
        [
            ("class A:\n    pass\n", "class A:\n    def g(self):\n        self.f = 1\n", "introduced"),
            (
                "class A:\n    def g(self):\n        self.f = 1\n",
                "class A:\n    def g(self):\n        self.f = 2\n",
                "initializer change",
            ),
            (
                "class A:\n    def g(self):\n        self.f: int = 1\n",
                "class A:\n    def g(self):\n        self.f: str = 1\n",
                "type change",
            ),
            (
                "class A:\n    def g(self):\n        self.f = 1\n        self.h = 2\n",
                "class A:\n    def g(self):\n        self.f = 1\n",
                "",
            ),
            # Which assignment defines it depends on the others: the one in the constructor is gone.
            (
                "class A:\n    def __init__(self):\n        self.f = 1\n    def g(self):\n        self.f = 2\n",
                "class A:\n    def __init__(self):\n        pass\n    def g(self):\n        self.f = 2\n",
                "initializer change",
            ),
        ],
    ),
    "typescript": (
        "a.ts",
        "A.f",
        [
            ("class A {}", "class A { f(a) { return a; } }", "introduced"),
            ("class A { f(a) { return a; } }", "class A { f(a) { return a + 1; } }", "body change"),
            ("class A { f(a) { return a; } }", "class A { f(a, b = 1) { return a; } }", "parameter change"),
            ("class A { f(a) { return a; } }", "class A { f(a?: number) { return a; } }", "parameter change"),
            ("class A { f(a) { return a; } }", "class A { f(a): number { return a; } }", "return type change"),
            ("class A { f(a) { return a; } }", "class A { f<T>(a) { return a; } }", "type parameter change"),
            ("class A { f(a) { return a; } }", "class A { static f(a) { return a; } }", "modifier change"),
            ("class A { f(a) { return a; } }", "class A { async f(a) { return a; } }", "modifier change"),
            ("class A { f(a) { return a; } }", "class A { *f(a) { return a; } }", "modifier change"),
            ("class A { f(a) { return a; } }", "class A { private f(a) { return a; } }", "access modifier change"),
            ("class A { f(a) { return a; } }", "class A { @memo() f(a) { return a; } }", "annotation change"),
            ("class A { f(a) { return a; } }", "class A {\n/** A. */\nf(a) { return a; } }", "documentation change"),
            ("class A { f(a) { return a; } }", "class A { f(a) { return a; /* so */ } }", "documentation change"),
            ("class A { f(a) { return a; } }", "class A { f(a) {\n  return a;\n} }", "format change"),
            ("class A { f(a) { return a; } }", "class A {\n\n  f(a) { return a; } }", ""),
            ("class A { f = 1; }", "class A { f = 2; }", "initializer change"),
            ("class A { f: number = 1; }", "class A { f: string = 1; }", "type change"),
            ("class A { f = 1; }", "class A { readonly f = 1; }", "modifier change"),
        ],
    ),
    "javascript": (
        "a.js",
        "f",
        [
            ("const g = 1;", "const g = 1;\nfunction f(a) { return a; }", "introduced"),
            ("function f(a) { return a; }", "function f(a) { return -a; }", "body change"),
            ("function f(a) { return a; }", "function f({ a, b }) { return a; }", "parameter change"),
            ("function f(a) { return a; }", "export function f(a) { return a; }", "access modifier change"),
            ("function f(a) { return a; }", "async function f(a) { return a; }", "modifier change"),
            ("const f = (a) => a;", "const f = (a, b) => a;", "parameter change"),
            ("const f = (a) => a;", "const f = (a) => a * 2;", "body change"),
            ("const f = (a) => a;", "let f = (a) => a;", "modifier change"),
            ("function f(a) { return a; }", "// A.\nfunction f(a) { return a; }", "documentation change"),
            ("function f(a) { return a; }", "function f( a ) { return a; }", "format change"),
            ("class f {}", "class f extends A {}", "inheritance change"),
        ],
    ),
    "java": (
        "A.java",
        "A.f",
        [
            ("class A { }", "class A { int f(int a) { return a; } }", "introduced"),
            ("class A { int f(int a) { return a; } }", "class A { int f(int a) { return -a; } }", "body change"),
            (
                "class A { int f(int a) { return a; } }",
                "class A { int f(int b) { return b; } }",
                "body change, parameter change",
            ),
            (
                "class A { int f(int a) { return a; } }",
                "class A { int f(final int a) { return a; } }",
                "parameter change",
            ),
            ("class A { int f(int a) { return a; } }", "class A { int f(@X int a) { return a; } }", "parameter change"),
            ("class A { int f(int a) { return a; } }", "class A { long f(int a) { return a; } }", "return type change"),
            ("class A { A f() { return a; } }", "class A { List<A> f() { return a; } }", "return type change"),
            ("class A { A f() { return a; } }", "class A { <T> A f() { return a; } }", "type parameter change"),
            (
                "class A { int f(int a) { return a; } }",
                "class A { static int f(int a) { return a; } }",
                "modifier change",
            ),
            (
                "class A { int f(int a) { return a; } }",
                "class A { public int f(int a) { return a; } }",
                "access modifier change",
            ),
            (
                "class A { int f(int a) { return a; } }",
                "class A { @X int f(int a) { return a; } }",
                "annotation change",
            ),
            ("class A { @X(1) int f() { return a; } }", "class A { @X(2) int f() { return a; } }", "annotation change"),
            ("class A { int f() { return a; } }", "class A { int f() throws E { return a; } }", "exception change"),
            (
                "class A { int f() throws E { return a; } }",
                "class A { int f() throws E, F { return a; } }",
                "exception change",
            ),
            (
                "class A { int f() { return a; } }",
                "class A {\n/** A. */\nint f() { return a; } }",
                "documentation change",
            ),
            ("class A { int f() { return a; } }", "class A { int f() { return a; /* so */ } }", "documentation change"),
            ("class A { int f() { return a; } }", "class A { int f()\n{ return a; } }", "format change"),
            ("class A { int f() { return a; } }", "class A { int g; int f() { return a; } }", ""),
            ("class A { int f = 1; }", "class A { int f = 2; }", "initializer change"),
            ("class A { int f; }", "class A { int f = 2; }", "initializer added"),
            ("class A { int f = 2; }", "class A { int f; }", "initializer removed"),
            ("class A { int f; }", "class A { long f; }", "type change"),
            ("class A { int f; }", "class A { final int f; }", "modifier change"),
            ("class A { int f; }", "class A { private int f; }", "access modifier change"),
            ("class A { int f; }", "class A { @X int f; }", "annotation change"),
            ("class A { class f { } }", "class A { class f extends B { } }", "inheritance change"),
            ("class A { class f { } }", "class A { class f implements B { } }", "inheritance change"),
            ("class A { class f { } }", "class A { static class f { } }", "modifier change"),
            ("class A { class f { } }", "class A { interface f { } }", "type change"),
            ("class A { class f { } }", "class A { class f<T> { } }", "type parameter change"),
            ("class A { class f { } }", "class A { class f { int x; } }", ""),
        ],
    ),
    "go": (
        "a.go",
        "f",
        [
            ("package a\n", "package a\nfunc f(a int) int { return a }\n", "introduced"),
            ("func f(a int) int { return a }", "func f(a int) int { return a + 1 }", "body change"),
            ("func f(a int) int { return a }", "func f(a, b int) int { return a }", "parameter change"),
            ("func f(a int) int { return a }", "func f(a int) (int, error) { return a }", "return type change"),
            ("func f(a int) int { return a }", "func f[T any](a int) int { return a }", "type parameter change"),
            ("func f(a int) int { return a }", "// f is.\nfunc f(a int) int { return a }", "documentation change"),
            ("func f(a int) int { return a }", "func f(a int) int { return a /* so */ }", "documentation change"),
            ("func f(a int) int { return a }", "func f(a int) int {\n\treturn a\n}", "format change"),
            ("const f = 1\n", "const f = 2\n", "initializer change"),
            ("var f int = 1\n", "var f uint = 1\n", "type change"),
            ("type f struct { a int }", "type f struct { a uint }", ""),
        ],
    ),
    "rust": (
        "a.rs",
        "f",
        [
            ("struct A;", "struct A;\nfn f(a: u8) -> u8 { a }", "introduced"),
            ("fn f(a: u8) -> u8 { a }", "fn f(a: u8) -> u8 { a + 1 }", "body change"),
            ("fn f(a: u8) -> u8 { a }", "fn f(a: &mut u8) -> u8 { a }", "parameter change"),
            ("fn f(a: u8) -> u8 { a }", "fn f(a: u8) -> Option<u8> { a }", "return type change"),
            ("fn f(a: u8) -> u8 { a }", "fn f<T>(a: u8) -> u8 { a }", "type parameter change"),
            ("fn f<T>(a: u8) -> u8 { a }", "fn f<T: Copy>(a: u8) -> u8 { a }", "type parameter change"),
            ("fn f<T>(a: T) -> u8 { a }", "fn f<T>(a: T) -> u8 where T: Copy { a }", "type parameter change"),
            ("fn f(a: u8) -> u8 { a }", "unsafe fn f(a: u8) -> u8 { a }", "modifier change"),
            ("fn f(a: u8) -> u8 { a }", "pub fn f(a: u8) -> u8 { a }", "access modifier change"),
            ("pub fn f(a: u8) -> u8 { a }", "pub(crate) fn f(a: u8) -> u8 { a }", "access modifier change"),
            ("fn f(a: u8) -> u8 { a }", "#[inline]\nfn f(a: u8) -> u8 { a }", "annotation change"),
            ("fn f(a: u8) -> u8 { a }", "/// A.\nfn f(a: u8) -> u8 { a }", "documentation change"),
            ("fn f(a: u8) -> u8 { a }", "fn f(a: u8) -> u8 { a /* so */ }", "documentation change"),
            ("fn f(a: u8) -> u8 { a }", "fn f(a: u8) -> u8 {\n    a\n}", "format change"),
            ("const f: u8 = 1;", "const f: u8 = 2;", "initializer change"),
            ("const f: u8 = 1;", "const f: u16 = 1;", "type change"),
            ("struct f { a: u8 }", "struct f { a: u16 }", ""),
            ("struct f { a: u8 }", "#[derive(Debug)]\nstruct f { a: u8 }", "annotation change"),
        ],
    ),
}
ALL = [(path, name, *case) for path, name, cases in CHANGES.values() for case in cases]

PRICE, SHIP = "sum tax log give", "stock mail give"

# Before, after, what is asked for, expected changes; `""` is the top level of a file.
STORIES: dict[str, tuple[Program, Program, str, str]] = {
    "renamed": (
        {"a": {"Shop": {"price": PRICE}}},
        {"a": {"Shop": {"cost": PRICE}}},
        "a::Shop.cost",
        "rename",
    ),
    "renamed and edited": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"a": {"Shop": {"pricing": "sum tax log mail give", "ship": SHIP}}},
        "a::Shop.pricing",
        "rename, body change",
    ),
    "two names swapped with their order": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"a": {"Shop": {"ship": SHIP, "price": PRICE}}},
        "a::Shop.price",
        "",
    ),
    "moved to another type": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}, "Bill": {"send": "mail give"}}},
        {"a": {"Shop": {"ship": SHIP}, "Bill": {"send": "mail give", "price": PRICE}}},
        "a::Bill.price",
        "moved",
    ),
    "moved to a type in another file": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}, "b": {"Bill": {"send": "mail give"}}},
        {"a": {"Shop": {"ship": SHIP}}, "b": {"Bill": {"send": "mail give", "price": PRICE}}},
        "b::Bill.price",
        "moved",
    ),
    "moved and edited": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}, "b": {"Bill": {"send": "mail give"}}},
        {"a": {"Shop": {"ship": SHIP}}, "b": {"Bill": {"send": "mail give", "price": "sum tax log mail give"}}},
        "b::Bill.price",
        "moved, body change",
    ),
    "its type was renamed": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"a": {"Store": {"price": PRICE, "ship": SHIP}}},
        "a::Store.price",
        "container change",
    ),
    "the type itself was renamed": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"a": {"Store": {"price": PRICE, "ship": SHIP}}},
        "a::Store",
        "rename",
    ),
    "its file was renamed": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"b": {"Shop": {"price": PRICE, "ship": SHIP}}},
        "b::Shop.price",
        "container change",
    ),
    "its folder was renamed": (
        {"x/a": {"Shop": {"price": PRICE}}, "x/b": {"Bill": {"send": "mail log give"}}},
        {"y/a": {"Shop": {"price": PRICE}}, "y/b": {"Bill": {"send": "mail log give"}}},
        "y/b::Bill.send",
        "container change",
    ),
    "file and type were renamed and it was edited": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"b": {"Store": {"price": "sum tax log mail give", "ship": SHIP}}},
        "b::Store.price",
        "container change, body change",
    ),
    "its type moved to another file": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}, "Bill": {"send": "mail log give"}}},
        {"a": {"Bill": {"send": "mail log give"}}, "b": {"Shop": {"price": PRICE, "ship": SHIP}}},
        "b::Shop.price",
        "container change",
    ),
    "an extracted function is introduced": (
        {"a": {"Shop": {"order": "sum tax log stock mail give"}}},
        {"a": {"Shop": {"order": "sum tax log ship give", "ship": "stock mail give"}}},
        "a::Shop.ship",
        "introduced",
    ),
    "the source of an extraction goes on": (
        {"a": {"Shop": {"order": "sum tax log stock mail give"}}},
        {"a": {"Shop": {"order": "sum tax log ship give", "ship": "stock mail give"}}},
        "a::Shop.order",
        "body change",
    ),
    "a copy is introduced": (
        {"a": {"Shop": {"price": PRICE}}},
        {"a": {"Shop": {"price": PRICE, "cost": PRICE}}},
        "a::Shop.cost",
        "introduced",
    ),
    "what was copied goes on": (
        {"a": {"Shop": {"price": PRICE}}},
        {"a": {"Shop": {"cost": PRICE, "price": PRICE}}},
        "a::Shop.price",
        "",
    ),
    "a copy in another file is introduced": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}, "b": {"Bill": {"price": PRICE}}},
        "b::Bill.price",
        "introduced",
    ),
    "a copied file is introduced": (
        {"a": {"Shop": {"price": PRICE, "ship": SHIP}}},
        {"a": {"Shop": {"price": "sum give", "ship": SHIP}}, "b": {"Shop": {"price": PRICE, "ship": SHIP}}},
        "b::Shop.ship",
        "introduced",
    ),
    "what another was inlined into goes on": (
        {"a": {"Shop": {"order": "sum tax log ship give", "ship": "stock mail give"}}},
        {"a": {"Shop": {"order": "sum tax log stock mail give"}}},
        "a::Shop.order",
        "body change",
    ),
    "a split file": (
        {"a": {"Shop": {"price": PRICE}, "Bill": {"send": "mail log give"}}},
        {"b": {"Shop": {"price": PRICE}}, "c": {"Bill": {"send": "mail log give"}}},
        "c::Bill.send",
        "container change",
    ),
    "merged files": (
        {"b": {"Shop": {"price": PRICE}}, "c": {"Bill": {"send": "mail log give"}}},
        {"a": {"Shop": {"price": PRICE}, "Bill": {"send": "mail log give"}}},
        "a::Bill.send",
        "container change",
    ),
    "files that swapped their names": (
        {"a": {"Shop": {"price": PRICE}}, "b": {"Bill": {"send": "stock mail give"}}},
        {"b": {"Shop": {"price": PRICE}}, "a": {"Bill": {"send": "stock mail give"}}},
        "a::Bill.send",
        "container change",
    ),
    "a function moved to another file": (
        {"a": {"": {"price": PRICE, "ship": SHIP}}, "b": {"": {"send": "mail log give"}}},
        {"a": {"": {"ship": SHIP}}, "b": {"": {"send": "mail log give", "price": PRICE}}},
        "b::price",
        "moved",
    ),
    "a function in a renamed file": (
        {"a": {"": {"price": PRICE, "ship": SHIP}}},
        {"b": {"": {"price": PRICE, "ship": SHIP}}},
        "b::price",
        "container change",
    ),
}


def check(before: dict[str, str], after: dict[str, str], ref: str, expected: str) -> None:
    """What the second commit did to an entity: its changes, or none."""
    steps = FakePast([before, after]).history(ref)
    changes = {step.commit: step.changes for step in steps}
    assert ", ".join(changes.get("1", ())) == expected
    assert changes[steps[-1].commit] == ("introduced",)
    assert {change for step in steps for change in step.changes} <= set(HistoryChange)


@pytest.mark.parametrize(("path", "name", "before", "after", "expected"), ALL)
def test_each_change_has_its_word(path: str, name: str, before: str, after: str, expected: str) -> None:
    check({path: before}, {path: after}, f"{path}::{name}", expected)


@pytest.mark.parametrize("language", DIALECTS)
@pytest.mark.parametrize("story", STORIES)
def test_each_story_is_told_alike_in_all_languages(story: str, language: str) -> None:
    before, after, ref, expected = STORIES[story]
    dialect = DIALECTS[language]
    if dialect.function is None and any("" in types for types in after.values()):
        return
    file, _, name = ref.partition("::")
    check(dialect.write(before), dialect.write(after), f"{file}.{dialect.extension}::{name}", expected)


@pytest.mark.parametrize("language", DIALECTS)
@pytest.mark.parametrize(
    ("story", "expected"),
    [
        ("an extracted function is introduced", ["extracted from Shop.order"]),
        ("a copy is introduced", ["copied from Shop.price"]),
    ],
)
def test_where_something_new_comes_from(story: str, expected: list[str], language: str) -> None:
    before, after, ref, _ = STORIES[story]
    dialect = DIALECTS[language]
    file, _, name = ref.partition("::")
    past = FakePast([dialect.write(before), dialect.write(after)])
    (step,) = past.history(f"{file}.{dialect.extension}::{name}")
    sources = WalkedLineage(CommitPairings(past)).sources(step)
    assert [f"{source.end.kind} {source.end.place.qualified_name}" for source in sources] == expected


LOAD = "def load(path):\n    return [line.strip() for line in open(path) if line and not line.isspace()]\n"
LOAD_JS = "function load(path) {\n    return read(path).split(NEWLINE).filter(line => line && !isSpace(line));\n}\n"
AGAIN = LOAD.replace("load", "load_again")
COPIES: list[tuple[dict[str, str], dict[str, str], str, list[str]]] = [
    ({"a.py": LOAD}, {"a.py": LOAD, "b.py": AGAIN}, "b.py::load_again", ["copied from a.py"]),
    ({"a.py": LOAD}, {"a.py": LOAD + AGAIN}, "a.py::load_again", ["copied from a.py"]),
    (
        {"b.py": LOAD, "c/d.py": AGAIN},
        {"b.py": LOAD, "c/d.py": AGAIN, "c/a.py": LOAD},
        "c/a.py::load",
        ["copied from b.py", "copied from c/d.py"],
    ),
    ({"a.js": LOAD_JS}, {"a.js": LOAD_JS, "b.ts": LOAD_JS}, "b.ts::load", ["copied from a.js"]),
    ({"a.js": LOAD_JS}, {"a.js": LOAD_JS, "b.py": LOAD}, "b.py::load", []),
    (
        {"a.py": "def f():\n    return 1\n"},
        {"a.py": "def f():\n    return 1\n", "b.py": "def g():\n    return 1\n"},
        "b.py::g",
        [],
    ),
]


@pytest.mark.parametrize(("before", "after", "ref", "expected"), COPIES)
def test_copies_of_what_the_commit_did_not_touch(
    before: dict[str, str], after: dict[str, str], ref: str, expected: list[str]
) -> None:
    past = FakePast([before, after])
    (step,) = past.history(ref)
    found = WalkedLineage(CommitPairings(past)).sources(step)
    assert [f"{source.end.kind} {source.end.place.path}" for source in found] == expected


class CountingPast(FakePast):
    """Notes the blobs whose outlines were asked for."""

    outlined: set[str]

    def outlines(self, files: Sequence[tuple[str, str]]) -> list[Outline | None]:
        self.outlined |= {blob for blob, _ in files}
        return super().outlines(files)


def test_commits_that_leave_a_method_as_it_is_cost_no_outline() -> None:
    """Its text is in the class, verbatim and once: that is certain without extracting the file."""
    method = "    def f(self):\n        return sorted(self.items, key=lambda item: (item.price, item.name))\n"
    versions = [f"class A:\n    x = {n}\n\n{method}\n    def g(self):\n        return {n}\n" for n in range(9)]
    past = CountingPast([{"a.py": text} for text in versions])
    past.outlined = set()
    assert past.story("a.py::A.f") == ["0 introduced"]
    assert past.outlined == {past.blob("8", "a.py"), past.blob("0", "a.py")}


def outlined_paths(versions: list[dict[str, str]], ref: str) -> tuple[list[str], set[str]]:
    """The story of an entity, and the files whose outlines it took."""
    past = CountingPast(versions)
    past.outlined = set()
    story = past.story(ref)
    held = {past.blob(str(n), path): path for n, files in enumerate(versions) for path in files}
    return story, {held[blob] for blob in past.outlined}


def test_overloads_that_change_are_found_without_the_other_files() -> None:
    first = "    Object f(int a%d) {\n        for (Item item : items) { total += item.price() * %d; }\n    }\n"
    second = "    Object f(String b%d) {\n        return parser.parse(Files.newBufferedReader(path), %d);\n    }\n"
    versions = [
        {
            "A.java": "class A {\n" + first % (n, n) + second % (n, n) + "}\n",
            "B.java": f"class B {{\n    int count = {n};\n}}\n",
        }
        for n in range(3)
    ]
    story, outlined = outlined_paths(versions, "A.java::A.f")
    assert story[0] == "2 body change, parameter change"
    assert outlined == {"A.java"}


def test_a_small_file_of_which_nothing_stays_is_found_without_the_other_files() -> None:
    versions = [
        {"a.py": f"def version():\n    return {n}\n", "b.py": f"def other(value):\n    return value + {n}\n"}
        for n in range(3)
    ]
    story, outlined = outlined_paths(versions, "a.py::version")
    assert story == ["2 body change", "1 body change", "0 introduced"]
    assert outlined == {"a.py"}


def test_what_came_with_the_first_sources_came_from_nowhere() -> None:
    versions = [{"notes": "so"}, {"notes": "so", "a.py": "def f(a):\n    return a\n", "b.py": "B = 1\n"}]
    assert outlined_paths(versions, "a.py::f") == (["1 introduced"], {"a.py"})
