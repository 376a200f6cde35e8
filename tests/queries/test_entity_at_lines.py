"""Which entity some lines mean."""

from __future__ import annotations

import pytest

from birthmark.queries.ref import entity_at_lines
from reading import read

RECORD = "class K {\n  int n;\n  record Point(int x, int y) {}\n  int f() { return 1; }\n}\n"
NESTED = "class A { class B { int f() { return 1; } } }\n"
METHODS = "class A:\n    def f(self):\n        a = 1\n        return a\n\n    def g(self):\n        return 2\n"

CASES = [
    ("a record and its fields", "java", RECORD, (3, 3), "K.Point"),
    ("a field beside it", "java", RECORD, (2, 2), "K.n"),
    ("a method on one line", "java", RECORD, (4, 4), "K.f"),
    ("the first line of a class", "java", RECORD, (1, 1), "K"),
    ("the last line of a class", "java", RECORD, (5, 5), "K"),
    ("one-liners in one another", "java", NESTED, (1, 1), "A"),
    ("a class on one line", "python", "class A: x = 1\n", (1, 1), "A"),
    ("a lambda", "python", "x = lambda: 0\n", (1, 1), "x"),
    ("two on a line", "python", "x = 1; y = 2\n", (1, 1), "x"),
    ("in a body", "python", METHODS, (3, 3), "A.f"),
    ("lines of a body", "python", METHODS, (3, 4), "A.f"),
    ("all lines of a method", "python", METHODS, (2, 4), "A.f"),
    ("from one method into the next", "python", METHODS, (4, 6), "A"),
    ("between methods", "python", METHODS, (5, 5), "A"),
    ("a class and a method that begin together", "java", "class A { int f() {\n  return 1; }\n}\n", (1, 2), "A.f"),
    ("more than there is", "python", "\n" + METHODS, (1, 20), "A"),
    ("nothing", "python", "\n\nx = 1\n", (1, 1), None),
]


@pytest.mark.parametrize(("language", "source", "lines", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_lines(language: str, source: str, lines: tuple[int, int], expected: str | None) -> None:
    entities = read(language, source).entities
    found = entity_at_lines(entities, *lines)
    assert (None if found is None else entities[found].qualified_name) == expected
