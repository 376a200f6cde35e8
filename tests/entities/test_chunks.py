"""Chunks tile a source."""

from __future__ import annotations

import pytest

from birthmark.entities.chunks import ChunkSizes
from reading import read

CLASS = '''\
import os

# What C is for.
class C:
    """Doc."""

    x = 1

    def f(self):
        return 1

    y = 2

    # What g does.
    @property
    def g(self):
        return 2


def h(): pass
'''


def layout(language: str, source: str, sizes: ChunkSizes | None = None) -> list[tuple[str, str | None, int, int]]:
    reading = read(language, source, sizes=sizes)
    return [(chunk.kind, chunk.name, chunk.start_line, chunk.end_line) for chunk in reading.chunks]


def test_a_class_gives_its_head_and_its_methods() -> None:
    assert layout("python", CLASS) == [
        ("gap", None, 1, 2),
        ("class", "C", 3, 8),
        ("method", "C.f", 9, 10),
        ("gap", "C", 11, 13),
        ("method", "C.g", 14, 19),
        ("fn", "h", 20, 20),
    ]


def test_closing_braces_go_with_what_they_close() -> None:
    assert layout("java", "class A {\n  void f() {\n  }\n}\n") == [("class", "A", 1, 1), ("method", "A.f", 2, 4)]


def test_nested_functions_stay_in_their_function() -> None:
    assert layout("python", "def f():\n    def g():\n        pass\n    return g\n") == [("fn", "f", 1, 4)]


def test_long_chunks_are_cut_at_statements() -> None:
    body = "".join(f"    call_number_{i}(\n        argument)\n" for i in range(30))
    parts = layout("python", f"def f():\n{body}", ChunkSizes(longest=200))
    assert len(parts) > 5
    assert all(kind == "fn" and name == "f" for kind, name, _, _ in parts)
    assert all(start % 2 == 0 for _, _, start, _ in parts[1:])  # each starts with a call


def test_long_lines_are_cut_between_characters() -> None:
    reading = read("python", "x = '" + "é" * 500 + "'\n", sizes=ChunkSizes(longest=100))
    assert max(chunk.end_byte - chunk.start_byte for chunk in reading.chunks) <= 100
    assert sum(chunk.end - chunk.start for chunk in reading.chunks) == 507


def test_short_chunks_join() -> None:
    source = "def a(): pass\ndef b(): pass\ndef c(): pass\n"
    assert layout("python", source, ChunkSizes(shortest=20)) == [("fn", "a", 1, 3)]


@pytest.mark.parametrize("source", ["", "\n", "x", "def f(): pass"])
def test_small_sources_tile(source: str) -> None:
    assert sum(chunk.end - chunk.start for chunk in read("python", source).chunks) == len(source)


def test_offsets_count_code_points() -> None:
    first, second = read("python", "x = '😀é'\n\ndef f(): pass\n").chunks
    assert (first.start, first.end, second.start, second.end) == (0, 10, 10, 24)
    assert second.start_byte == 14
