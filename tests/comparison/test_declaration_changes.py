"""What changed about a declaration, in the words of histories, in every language.

What has no types has no change of them; what is written in another form only has another format or modifiers.
"""

from __future__ import annotations

import pytest

from birthmark.comparison.changes import find_changes
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from pasts import FakePast

# By file: what is asked for, before, after, expected changes.
CASES: dict[str, list[tuple[str, str, str, str]]] = {
    "a.js": [
        ("f", "app.f = function(a) { return a; };", "function f(a) { return a; }", "modifier change"),
        ("f", "app.f = function(a) { return a; };", "app.f = function f(a) { return a; };", "modifier change"),
        ("f", "A.prototype.f = function(a) { return a; };", "class A { f(a) { return a; } }", "modifier change"),
        ("f", "const o = { f: function(a) { return a; } };", "const o = { f(a) { return a; } };", "modifier change"),
        (
            "f",
            "exports.f = function(a) { return a; };",
            "exports.f = function(a, b) { return a; };",
            "parameter change",
        ),
        ("f", "const f = a => a;", "const f = (a) => a;", "format change"),
        ("f", "const f = a => a;", "const f = (a, b) => a;", "parameter change"),
        ("f", "var f = 1;", "exports.f = 1;", "modifier change"),
    ],
    "a.ts": [
        ("f", "app.f = function(a: number) { return a; };", "function f(a: number) { return a; }", "modifier change"),
        ("f", "const f = (a: number) => a;", "const f = (a: number): number => a;", "return type change"),
        ("f", "let f: number = 1;", "let f = 1;", "type change"),
    ],
    "a.py": [
        ("f", "f = lambda a: a\n", "f = lambda a, b: a\n", "parameter change"),
        ("f", "def f(a):\n    return a\n", "f = lambda a: a\n", "body change, modifier change"),
        ("f", "class f(A, metaclass=M):\n    x = 1\n", "class f(A):\n    x = 1\n", "modifier change"),
    ],
    "a.go": [
        ("f", "package a\nvar f = 1\n", "package a\nvar (\n\tf = 1\n)\n", "format change"),
        (
            "f",
            "package a\nfunc f() int { return 1 }\n",
            "package a\nfunc f() (int, error) { return 1 }\n",
            "return type change",
        ),
    ],
    "a.rb": [
        ("f", "def f(a)\n  a\nend\n", "def f a\n  a\nend\n", "format change"),
        ("f", "def f a\n  a\nend\n", "def f a, b\n  a\nend\n", "parameter change"),
        ("f", "def f(a)\n  a\nend\n", "def f(a, b: 1)\n  a\nend\n", "parameter change"),
        ("f", "def f(a)\n  a\nend\n", "private def f(a)\n  a\nend\n", "access modifier change"),
        ("F", "class F < A\n  x\nend\n", "class F < B\n  x\nend\n", "inheritance change"),
        ("F", "class F\n  x\nend\n", "module F\n  x\nend\n", "type change"),
    ],
    "a.php": [
        ("f", "<?php function f($a) { return $a; }", "<?php function f(int $a) { return $a; }", "parameter change"),
        ("f", "<?php function f($a) { return $a; }", "<?php function f($a): int { return $a; }", "return type change"),
        ("f", "<?php function f($a) { return $a; }", "<?php function &f($a) { return $a; }", "modifier change"),
        (
            "f",
            "<?php class A { function f() {} }",
            "<?php class A { public function f() {} }",
            "access modifier change",
        ),
        ("f", "<?php class A { public $f = 1; }", "<?php class A { protected $f = 1; }", "access modifier change"),
        ("f", "<?php class A { public $f = 1; }", "<?php class A { public int $f = 1; }", "type change"),
    ],
    "a.kt": [
        ("f", "fun f(a: Int) { g(a) }", "fun Int.f(a: Int) { g(a) }", "modifier change"),
        ("f", "fun f(a: Int): Int { return a }", "fun f(a: Int): Long { return a }", "return type change"),
        ("f", "class f(val a: Int)", "data class f(val a: Int)", "modifier change"),
        ("f", "class f(val a: Int)", "class f(val a: Int, val b: Int = 1)", "parameter change"),
    ],
    "a.swift": [
        ("f", "func f() -> Int { return 1 }", "func f() throws -> Int { return 1 }", "exception change"),
        ("f", "func f() -> Int { return 1 }", "func f() async -> Int { return 1 }", "modifier change"),
        ("f", "func f() -> Int { return 1 }", "func f() -> Int? { return 1 }", "return type change"),
    ],
    "a.scala": [
        ("f", "object A { def f(a: Int): Int = a }", "object A { def f(a: Int)(b: Int): Int = a }", "parameter change"),
        ("f", "object A { def f(a: Int): Int = a }", "object A { def f(a: Int): Long = a }", "return type change"),
        ("f", "class f(a: Int)", "case class f(a: Int)", "modifier change"),
    ],
    "a.cs": [
        ("f", "class A { int f() { return 1; } }", "class A { [X] int f() { return 1; } }", "annotation change"),
        ("f", "class A { int f() { return 1; } }", "class A { Task<int> f() { return 1; } }", "return type change"),
        ("f", "class A { int f { get; set; } }", "class A { int f { get; } }", "modifier change"),
    ],
    "a.cpp": [
        ("f", "int f(int a) { return a; }", "long f(int a) { return a; }", "return type change"),
        ("f", "struct A { int f() { return 1; } };", "struct A { int f() const { return 1; } };", "modifier change"),
        ("A", "A::A(int a) : x(a) { }", "A::A(int a) : x(a), y(1) { }", "body change"),
        ("A", "A::A(int a) : x(a) { }", "A::A(int a) : x(a), y(1) { x++; }", "body change"),
        ("A", "A::A(int a) : x(a) { }", "A::A(int a, int b) : x(a) { }", "parameter change"),
    ],
    "a.c": [
        ("f", "int f[3];", "int f[4];", "type change"),
        ("f", "int f = 1;", "static int f = 1;", "modifier change"),
        ("f", "int *f(void) { return 0; }", "int f(void) { return 0; }", "return type change"),
    ],
    "A.java": [
        ("f", "class A { int f[]; }", "class A { int f; }", "type change"),
        ("f", "class A { int f[]; }", "class A { int[] f; }", "format change"),
        ("f", "class A { int f() { return 1; } }", "class A { int f() throws E { return 1; } }", "exception change"),
    ],
    "a.sql": [
        ("f", "CREATE TABLE f (a int);", "CREATE TABLE f (a int, b int);", "body change"),
        ("f", "CREATE VIEW f AS SELECT 1;", "CREATE VIEW f AS SELECT 2;", "body change"),
    ],
}


@pytest.mark.parametrize(
    ("path", "name", "before", "after", "expected"),
    [(path, *case) for path, cases in CASES.items() for case in cases],
)
def test_each_change_of_a_head_has_its_word(path: str, name: str, before: str, after: str, expected: str) -> None:
    past = FakePast([{path: before}, {path: after}])
    old, new = (find_named(past, commit, path, name) for commit in ("0", "1"))
    assert ", ".join(find_changes(old, new)) == expected


def find_named(past: FakePast, commit: str, path: str, name: str) -> OutlinedEntity:
    """The last one, for a constructor is in the class of its name."""
    blob = past.blob(commit, path)
    assert blob is not None
    outline = past.outlines([(blob, path)])[0]
    assert outline is not None
    ordinal = max(i for i, entity in enumerate(outline.entities) if entity.name == name)
    return OutlinedEntity(OutlinedFile(path, outline, lambda: past.content(blob)), ordinal)
