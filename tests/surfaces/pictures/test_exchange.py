"""What a change did to folders, and what moved between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.surfaces.formats.pictures.exchange import ModuleChange, ModuleMove, draw_exchange
from drawn_pictures import HOSTILE, SVG, boxes, check_picture, links, overlapping, texts, titles

A = ModuleChange("src/a", 3, 6, 0, 0, 5)
B = ModuleChange("src/b", 0, 0, 4, 5, 0)
C = ModuleChange("src/c", 0, 0, 0, 0, 0)
COUNTS = st.integers(0, 100_000)


def test_rows_have_bars_with_numbers_and_arrows_with_theirs() -> None:
    root = check_picture(draw_exchange([A, B, C], [ModuleMove("src/a", "src/b", 5)], link=lambda one: f"/d/{one.name}"))
    assert texts(root, "small") == ["+3\N{EN SPACE}~6", "\N{MINUS SIGN}4", "no change"]
    assert texts(root, "small middle halo") == ["5"]
    assert texts(root, "name end") == ["src/a", "src/b", "src/c"]
    assert texts(root, "small faint end") == ["5 out", "5 in"]
    assert titles(root) == [
        "src/a: 3 added, 6 modified, 0 deleted, 0 moved in, 5 moved out",
        "src/b: 0 added, 0 modified, 4 deleted, 5 moved in, 0 moved out",
        "src/c: 0 added, 0 modified, 0 deleted, 0 moved in, 0 moved out",
        "5 entities moved from src/a to src/b",
    ]
    assert links(root) == ["/d/src/a", "/d/src/b", "/d/src/c"]


def test_bars_are_as_long_as_their_numbers() -> None:
    bars = boxes(check_picture(draw_exchange([A, B], [])))[3:]
    added, modified, deleted = (right - left for left, _, right, _ in bars)
    assert modified == pytest.approx(2 * added, abs=0.2)
    assert deleted == pytest.approx(added * 4 / 3, abs=0.2)


def test_more_is_thicker() -> None:
    moves = [ModuleMove("src/a", "src/b", 1), ModuleMove("src/b", "src/a", 30)]
    root = check_picture(draw_exchange([A, B], moves))
    drawn = [one for one in root.iter(f"{SVG}path") if one.get("class") == "line"][1:]
    widths = [float(one.attrib["stroke-width"]) for one in drawn]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 2 * widths[1]


CHANGES = st.lists(st.tuples(COUNTS, COUNTS, COUNTS, COUNTS, COUNTS), max_size=20)


@given(CHANGES, st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25), COUNTS), max_size=30))
def test_any_change_is_a_picture(numbers: list[tuple[int, ...]], moved: list[tuple[int, int, int]]) -> None:
    modules = [ModuleChange(f"m{number}", *counts) for number, counts in enumerate(numbers)]
    moves = [ModuleMove(f"m{source}", f"m{target}", n) for source, target, n in moved]
    root = check_picture(draw_exchange(modules, moves))
    assert overlapping(boxes(root)) == []
    known = {module.name for module in modules}
    assert len(titles(root)) == len(modules) + sum({one.source, one.target} <= known for one in moves)


def test_of_thousands_those_with_most_changes_are_rows() -> None:
    modules = [ModuleChange(f"m{number}", number, 0, 0, 0, 0) for number in range(3000)]
    moves = [ModuleMove(f"m{number}", f"m{number - 1}", 1) for number in range(1, 3000)]
    root = check_picture(draw_exchange(modules, moves))
    assert texts(root, "name end") == [f"m{number}" for number in range(2940, 3000)]
    assert "and 2,940 more" in texts(root)
    assert sum("moved from" in title for title in titles(root)) == 59


def test_nothing_is_a_picture_too() -> None:
    assert "No folder changed." in texts(check_picture(draw_exchange([], [])))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names(text: str) -> None:
    hostile = [ModuleChange(text, 1, 1, 1, 1, 1), A]
    root = check_picture(draw_exchange(hostile, [ModuleMove(text, "src/a", 1)], text, lambda one: f"/{one.name}"))
    assert len(titles(root)) == 3
