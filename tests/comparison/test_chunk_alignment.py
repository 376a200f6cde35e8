"""Chunks are followed by aligning them: `(old, new, expected)`, words of `kind:name:text`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.comparison.chunks import ChunkKeys, align_chunks

CASES = [
    ("same", "call:f:1 call:g:2", "call:f:1 call:g:2", {0: 0, 1: 1}),
    ("inserted", "call:f:1 call:g:2", "call:f:1 call:h:3 call:g:2", {0: 0, 1: 2}),
    ("removed", "call:f:1 call:h:3 call:g:2", "call:f:1 call:g:2", {0: 0, 2: 1}),
    ("another argument", "call:f:1 call:g:2", "call:f:9 call:g:2", {0: 0, 1: 1}),
    ("twins keep their order", "call:f:1 call:f:1", "call:f:1 call:f:2 call:f:1", {0: 0, 1: 2}),
    ("the only one of its kind is renamed", "var:x:1 call:g:2", "var:y:1 call:g:2", {0: 0, 1: 1}),
    ("of two new ones nothing is said", "var:x:1 call:g:2", "var:y:5 var:z:6 call:g:2", {1: 2}),
    ("moved whole", "call:f:1 call:g:2 call:h:3", "call:g:2 call:h:3 call:f:1", {0: 2, 1: 0, 2: 1}),
    ("gone", "call:f:1", "", {}),
]


def keys(words: str) -> list[ChunkKeys]:
    parts = [word.split(":") for word in words.split()]
    return [((kind, name, text), (kind, name), kind) for kind, name, text in parts]


@pytest.mark.parametrize(("old", "new", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_alignment(old: str, new: str, expected: dict[int, int]) -> None:
    assert align_chunks(keys(old), keys(new)) == expected


words = st.lists(st.sampled_from(["call:f:1", "call:f:2", "call:g:1", "var:x:1", "var:y:1"])).map(" ".join)


@given(words, words)
def test_no_chunk_has_two_successors(old: str, new: str) -> None:
    aligned = align_chunks(keys(old), keys(new))
    assert len(set(aligned.values())) == len(aligned)
    assert align_chunks(keys(old), keys(old)) == {i: i for i in range(len(old.split()))}
