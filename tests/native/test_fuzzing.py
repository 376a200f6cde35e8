"""The driver of `make fuzz-native` finds what it is made to find, and makes the same inputs again."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzing_native
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Level
from damaged_sources import DAMAGES, damage, made_sources
from fuzzing_native import FuzzInput, check, make_inputs

SPEC = next(iter(load_registry(()).languages.values()))
SOURCE = FuzzInput(b"x = 1\n" * 50, SPEC, Level.OUTLINE)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(fuzzing_native, "KEPT", tmp_path)
    monkeypatch.setattr(fuzzing_native, "CURRENT", tmp_path / "current")
    return tmp_path


def length(content: bytes, _: LanguageSpec, __: Level) -> object:
    return len(content)


def fails(content: bytes, _: LanguageSpec, __: Level) -> object:
    return 1 // len(content) // 0


def covers_nothing(_: bytes, __: LanguageSpec, ___: Level) -> object:
    return None


def test_problems_are_found_and_inputs_are_known(kept: Path) -> None:
    assert check(SOURCE, length, length) is None
    assert check(SOURCE, covers_nothing, length) is None
    assert check(SOURCE, length, covers_nothing) == "different"
    assert check(SOURCE, fails, None) == "raised ZeroDivisionError"
    assert fuzzing_native._decode((kept / "current").read_bytes()) == SOURCE


def test_a_seed_makes_the_same_inputs_again() -> None:
    files = [SOURCE, FuzzInput(b"def f():\n    return 1\n", SPEC, Level.OUTLINE)]
    first, second, other = (list(islice(make_inputs(files, Random(seed)), 50)) for seed in (1, 1, 2))  # noqa: S311 - no secret
    assert first == second
    assert first != other


@given(st.binary(max_size=200), st.binary(max_size=50), st.randoms(use_true_random=False))
def test_any_source_can_be_damaged(source: bytes, other: bytes, random: Random) -> None:
    assert isinstance(damage(source, other, random), bytes)
    for one in DAMAGES:
        one(source, other, random)


def test_every_damage_changes_something() -> None:
    source, other = b"def name(x):\n\treturn name(x) + 1\n" * 3, b"class Other:\n    y = 2\n"
    for one in DAMAGES:
        assert {one(source, other, Random(seed)) for seed in range(20)} != {source}  # noqa: S311 - no secret


def test_made_sources_are_deep_and_empty() -> None:
    made = made_sources(3)
    assert {b"", b"\0", b"(((", b"[[[x]]]", b"\xff\xff\xff"} <= set(made)
