"""Declarations on one line: `(language, source, expected)`."""

from __future__ import annotations

import pytest

from birthmark.surfaces.cli.terminal.lives import declaration
from reading import read

CASES = [
    ("python", "class A(B):\n    def f(\n        self,\n        x: T[\n            U\n        ],\n    ) -> int: ...\n",
     ["class A(B)", "def A.f(self, x: T[U]) -> int"]),
    ("python", "class A:\n    x: int = 1\n", ["class A", "A.x: int"]),
    ("javascript", "A.prototype.go = function go(x) {}\n", ["A.prototype.go = function go(x)"]),
    ("java", "class A {\n  public int f(f x) { return 1; }\n}\n", ["class A", "public int A.f(f x)"]),
    ("cpp", "int A::f(int x) { return x; }\n", ["int A::f(int x)"]),
    ("go", "func (s *Server) Run(port int) error { return nil }\n", ["func (s *Server) Server.Run(port int) error"]),
    ("rust", "impl A {\n    pub fn f(&self) {}\n}\n", ["impl A", "pub fn A.f(&self)"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "expected"), CASES)
def test_declarations(language: str, source: str, expected: list[str]) -> None:
    assert [declaration(entity) for entity in read(language, source).entities] == expected
