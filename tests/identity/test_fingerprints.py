"""Which part of an entity an edit touches: `(before, after, what changes)`."""

from __future__ import annotations

import pytest

from birthmark.identity.fingerprints import VERSION, Fingerprint
from reading import read

ASPECTS = ("content", "interface", "body", "documentation", "text")

CASES = [
    # nothing, formatting, comments
    ("python", "def f(a): return a\n", "def f(a): return a\n", ""),
    ("python", "def f(a:int=1): return a\n", "def f(a: int = 1):\n    return a\n", "text"),
    ("python", "def f():\n    return 1\n", "def f():\n    # why\n    return 1\n", "text"),
    # interface
    ("python", "def f(a): return a\n", "def f(b): return a\n", "content interface text"),
    ("python", "def f(a): return a\n", "def f(*, a): return a\n", "content interface text"),
    ("python", "def f(a): return a\n", "def f(a) -> int: return a\n", "content interface text"),
    ("python", "def f(a): return a\n", "async def f(a): return a\n", "content interface text"),
    ("python", "def f(a): return a\n", "@d\ndef f(a): return a\n", "content interface text"),
    ("python", "class A(B): x = 1\n", "class A(C): x = 1\n", "content interface text"),
    ("python", "x: int = 1\n", "x: str = 1\n", "content interface text"),
    ("java", "class A { void f() {} }", "class A<T extends B> { void f() {} }", "content interface text"),
    ("java", "interface A { void f(); }", "interface A { void f() throws E; }", "content body text"),
    ("rust", "fn f<T>(a: T) {}", "fn f<T: Clone>(a: T) {}", "content interface text"),
    ("rust", "fn f() {}", "pub fn f() {}", "content interface text"),
    ("typescript", "function f(a: string) {}", "function f(a: number) {}", "content interface text"),
    ("javascript", "const f = (a) => { g(); };", "const f = async (a) => { g(); };", "content interface text"),
    ("go", "package p\nfunc f(a int) {}\n", "package p\nfunc f(a int) error {}\n", "content interface text"),
    # body or value
    ("python", "def f(a): return a\n", "def f(a): return -a\n", "content body text"),
    (
        "python",
        "def f():\n    if a:\n        b()\n        c()\n",
        "def f():\n    if a:\n        b()\n    c()\n",
        "content body text",
    ),
    ("python", "X = 1\n", "X = 2\n", "content body text"),
    ("javascript", "const s = 'a b';", "const s = 'a  b';", "content body text"),
    ("c", "int f(void) { return 1; }", "int f(void) { return 2; }", "content body text"),
    # the name is part of the content only
    ("python", "def f(a): return a\n", "def g(a): return a\n", "content text"),
    ("java", "class A { int f; }", "class B { int f; }", "content text"),
    # documentation
    ("python", 'def f():\n    "Doc."\n    return 1\n', 'def f():\n    "Other."\n    return 1\n', "documentation text"),
    ("python", "# Doc.\ndef f(): pass\n", "# Other.\ndef f(): pass\n", "documentation"),
    ("java", "/** Doc. */\nclass A {}", "/** Other. */\nclass A {}", "documentation"),
    ("rust", "/// Doc.\nfn f() {}", "/// Other.\nfn f() {}", "documentation"),
    ("go", "package p\n// Doc.\nfunc f() {}\n", "package p\n// Other.\nfunc f() {}\n", "documentation"),
    ("java", "/**\n * Doc.\n */\nclass A {}", "   /**\n    * Doc.\n    */\nclass A {}", ""),
]


def fingerprint(language: str, source: str) -> Fingerprint:
    return read(language, source).fingerprints[0]


@pytest.mark.parametrize(("language", "before", "after", "changes"), CASES)
def test_what_an_edit_changes(language: str, before: str, after: str, changes: str) -> None:
    old, new = fingerprint(language, before), fingerprint(language, after)
    assert [aspect for aspect in ASPECTS if getattr(old, aspect) != getattr(new, aspect)] == changes.split()


def test_a_missing_part_is_null() -> None:
    print_ = fingerprint("typescript", "declare function f(): void;")
    assert (print_.body, print_.documentation, print_.version) == (None, None, VERSION)


def test_value_given_or_not_is_no_change_of_the_interface() -> None:
    assert (
        fingerprint("java", "class A { int x; }").interface == fingerprint("java", "class A { int y = 1; }").interface
    )
    assert read("java", "class A { int x; }").fingerprints[1].interface == (
        read("java", "class A { int x = 1; }").fingerprints[1].interface
    )


def test_a_definition_keeps_its_fingerprint_wherever_it_stands() -> None:
    alone = read("python", "def f(a):\n    if a:\n        b()\n    return a\n").fingerprints[0]
    nested = read(
        "python",
        "class A:\n    class B:\n        def f(a):\n            if a:\n                b()\n            return a\n",
    )
    assert (nested.fingerprints[2].content, nested.fingerprints[2].body) == (alone.content, alone.body)
