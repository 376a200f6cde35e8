"""Outlines are kept up to a bound of what is in them; the last one always is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from birthmark.extraction import outline_memory
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, Outline
from birthmark.extraction.outline_memory import OutlineMemory
from birthmark.model import Level


@pytest.fixture(scope="module")
def large() -> Outline:
    """One of three functions."""
    blob = Blob(b"1", "python", lambda: b"def a(): ...\ndef b(): ...\ndef c(): ...\n", "a.py")
    with Extractor(n_workers=1) as extractor:
        ((_, outline),) = extractor.outlines([blob], Level.ENTITIES)
    assert isinstance(outline, Outline)
    return replace(outline, chunks=(), references=(), bindings=())


def held(memory: OutlineMemory) -> list[int]:
    return [number for number in range(10) if memory.get(number, Level.ENTITIES) is not None]


def test_what_is_in_outlines_counts_and_not_their_number(large: Outline, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, small = OutlineMemory(), replace(large, entities=())
    monkeypatch.setattr(outline_memory, "_MOST", 2 + len(large.entities))
    for number, outline in enumerate((small, small, large)):
        memory.put(number, Level.ENTITIES, outline)
    assert held(memory) == [1, 2]
    memory.put(2, Level.ENTITIES, small)
    memory.put(3, Level.ENTITIES, small)
    assert held(memory) == [1, 2, 3], "what is put again counts once"
    memory.forget_numbers()
    assert held(memory) == []


def test_the_last_one_is_kept_however_large_it_is(large: Outline, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = OutlineMemory()
    monkeypatch.setattr(outline_memory, "_MOST", 1)
    for number in range(2):
        memory.put(number, Level.ENTITIES, large)
    assert held(memory) == [1]
