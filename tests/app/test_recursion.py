"""A function that calls itself is its own user, but not a reason to keep it."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.answers.impact import ImpactQuery, find_impacted
from birthmark.app.answers.neighbours import find_callees, find_users
from birthmark.graph.edges import users
from running import document
from worlds import World

CASES = {
    "python": ("a.py", "fact", "def fact(n):\n    return n * fact(n - 1) if n else 1\n", [2]),
    "python, a method": ("a.py", "A.down", "class A:\n    def down(self):\n        self.down()\n", [3]),
    "python, by another name": ("a.py", "fact", "def fact(n):\n    again(n - 1)\n\n\nagain = fact\n", [2, 5]),
    "javascript": ("a.js", "walk", "function walk(n) {\n  return n ? walk(n - 1) : 0\n}\n", [2]),
    "typescript, a method": ("a.ts", "A.walk", "class A {\n  walk(n: number) {\n    this.walk(n - 1)\n  }\n}\n", [3]),
    "go": ("a.go", "fact", "package a\n\nfunc fact(n int) int {\n\treturn n * fact(n-1)\n}\n", [4]),
    "rust": ("a.rs", "fact", "fn fact(n: u64) -> u64 {\n    n * fact(n - 1)\n}\n", [2]),
    "java": ("A.java", "A.fact", "class A {\n    int fact(int n) {\n        return fact(n - 1);\n    }\n}\n", [3]),
    "ruby": ("a.rb", "fact", "def fact(n)\n  fact(n - 1)\nend\n", [2]),
    "c": ("a.c", "fact", "int fact(int n) {\n    return fact(n - 1) + fact(n - 2);\n}\n", [2, 2]),
}


@pytest.mark.parametrize(("path", "ref", "source", "lines"), CASES.values(), ids=CASES)
def test_recursion_is_a_use(tmp_path: Path, path: str, ref: str, source: str, lines: list[int]) -> None:
    world = World(tmp_path, {path: source})
    world.index()
    with world.session() as session:
        found = find_users(session, ref).edges
        asked = users(session.graph, session.resolver, session.definition(world.entity(ref)))
        assert [edge.line for edge in found] == lines
        unnamed = [[str(edge._replace(name="")) for edge in edges] for edges in (found, asked)]
        assert sorted(unnamed[0]) == sorted(unnamed[1])  # The index does not keep by which name.
        inside = [edge.line for edge in find_callees(session, ref).edges]
        assert [edge.line for edge in find_users(session, ref, ["calls"]).edges] == inside
        _, depths = find_impacted(session, ref, ImpactQuery())
        assert depths[world.entity(ref).identity] == 0


def test_questions_about_the_graph_ignore_recursion(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": CASES["python"][2]})
    world.index()
    assert [one["entity"]["name"] for one in document("unused", cwd=world.root)["results"]] == ["fact"]
    (ranked,) = document("rank", cwd=world.root)["results"]
    assert ranked["users"] == 0


def test_recursion_that_comes_and_goes_is_the_same_as_in_a_new_index(tmp_path: Path) -> None:
    path, ref, source, lines = CASES["python"]
    world = World(tmp_path, {path: source})
    for _ in range(2):
        world.index()
        with world.session() as session:
            assert [edge.line for edge in find_users(session, ref).edges] == lines
        world.replace(path, "fact(n - 1)", "other(n - 1)")
        world.index()
        with world.session() as session:
            assert find_users(session, ref).edges == []
        world.replace(path, "other(n - 1)", "fact(n - 1)")
