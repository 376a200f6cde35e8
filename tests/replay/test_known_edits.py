"""A sample of `make soak`: generated trees of many languages, edited in known ways, and a judge that can find fault."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import soaking
from known_edits import Outcome
from soaking import Soaker, Tally, soak_generated
from source_trees import SourceTree, generate, read_tree

from worlds import World

ROOT = Path(__file__).parents[2]
RANDOM = Random(1)  # noqa: S311  nothing secret


@pytest.mark.parametrize("seed", range(3))
def test_known_edits_are_reported_as_they_were_made(tmp_path: Path, seed: int) -> None:
    tally = Tally()
    soak_generated(tmp_path / "tree", seed, tally, n_steps=2)
    assert tally.wrong == []
    assert tally.right["place of a mark"] > 0


def test_real_functions_are_found_without_birthmark() -> None:
    paths = ["tests/source_trees.py", "tests/soaking.py"]
    tree = read_tree(RANDOM, {path: (ROOT / path).read_text("utf-8") for path in paths})
    places = {place.name: place for place in tree.places().values()}
    lines = (ROOT / places["generate"].path).read_text("utf-8").splitlines()
    assert lines[places["generate"].start_line - 1].startswith("def generate(")
    assert {path: tree.text(path) for path in paths} == {path: (ROOT / path).read_text("utf-8") for path in paths}


def exchange(tree: SourceTree, outcome: Outcome) -> None:
    """A lie: two functions are said to be each other, and their texts stay."""
    (_, _, first, one), (_, _, second, other), *_ = tree.pieces()
    first.thing, second.thing = other, one
    outcome.touched |= {one.uid, other.uid}


def test_the_judge_finds_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world, tally = World(tmp_path / "tree", with_git=True), Tally()
    monkeypatch.setattr(soaking, "EDITS", (exchange,))
    soaker = Soaker(world.root, generate(RANDOM), tally)
    soaker.step(1)
    assert {wrong.partition(" of ")[0] for wrong in tally.wrong} >= {"place in diff", "place"}
