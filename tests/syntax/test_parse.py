"""What leaves the room is plain values."""

from __future__ import annotations

from birthmark.syntax.parse import read_syntax
from reading import language


def test_no_tree_sitter_object_leaves() -> None:
    syntax = read_syntax(b"def f(): pass\n", language("python"))
    values = [*syntax, *(value for item in syntax.items for value in item)]
    assert not [value for value in values if type(value).__module__.startswith("tree_sitter")]
    assert syntax.cut_points((0, 13), 1)
    assert not [name for name in dir(syntax.cut_points) if not name.startswith("_")]
