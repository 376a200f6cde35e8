"""Tiles as large as what they show."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from birthmark.surfaces.formats.pictures.svg import embedded
from birthmark.surfaces.formats.pictures.treemap import PlacedTile, Tile, draw_treemap, place_tiles, step_of
from drawn_pictures import HOSTILE, check_picture, links, overlapping, texts, titles

SIZES = st.lists(st.floats(0, 1e6), max_size=60)


def tile(name: str, size: float, heat: float | None = 0.5) -> Tile:
    return Tile(name, size, heat, f"{size:g} lines", f"src/{name}")


def corners(placed: PlacedTile) -> tuple[float, float, float, float]:
    return placed.x, placed.y, placed.x + placed.width, placed.y + placed.height


def test_tiles_are_as_large_as_their_sizes() -> None:
    placed = place_tiles([tile("a", 1), tile("b", 2), tile("c", 5)], 960, 480)
    areas = {one.tile.name: one.width * one.height for one in placed}
    assert areas["b"] == pytest.approx(2 * areas["a"])
    assert areas["c"] == pytest.approx(5 * areas["a"])


@given(SIZES)
def test_no_tiles_overlap_and_all_are_inside(sizes: list[float]) -> None:
    placed = place_tiles([tile(f"n{number}", size) for number, size in enumerate(sizes)], 960, 480)
    assert overlapping([corners(one) for one in placed]) == []
    for left, top, right, bottom in map(corners, placed):
        assert 0 <= left <= right <= 960
        assert 0 <= top <= bottom <= 480


@given(SIZES)
@example([1.0, 2097.0])  # a tile that is narrower than the gap between tiles
@example([0.0, 5e-324])  # a size that cannot be divided
def test_any_sizes_are_a_picture(sizes: list[float]) -> None:
    check_picture(draw_treemap([tile(f"n{number}", size) for number, size in enumerate(sizes)], "sizes"))


def test_what_is_too_small_is_one_tile() -> None:
    tiles = [tile("large", 1e6), *(tile(f"small{number}", 1) for number in range(300))]
    root = check_picture(draw_treemap(tiles, "t", link=lambda one: f"/{one.path}"))
    assert texts(root, "name") == ["large"]
    assert texts(root, "small faint end") == ["300 more, too small to be shown"]
    assert links(root) == ["/src/large"]


def test_thousands_are_tiles_of_their_own() -> None:
    root = check_picture(draw_treemap([tile(f"n{number}", 10) for number in range(3000)], "t"))
    assert len(titles(root)) == 3000
    root = check_picture(draw_treemap([tile(f"n{number}", 10) for number in range(5000)], "t"))
    assert "2,000 more: too small to be shown" in titles(root)


def test_without_sizes_all_are_the_same() -> None:
    placed = place_tiles([tile("a", 0), tile("b", 0)], 960, 480)
    assert placed[0].width * placed[0].height == pytest.approx(placed[1].width * placed[1].height)


def test_nothing_is_a_picture_too() -> None:
    root = check_picture(draw_treemap([], "Files of an empty folder"))
    assert texts(root) == ["There is nothing to show."]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names(text: str) -> None:
    root = check_picture(draw_treemap([Tile(text, 1, 1, text, text), tile("b", 9)], text, legend=(text, text)))
    assert len(titles(root)) == 2


@pytest.mark.parametrize(
    ("heat", "step"),
    [(None, 0), (-1, 1), (0, 1), (0.19, 1), (0.2, 2), (0.5, 3), (0.8, 5), (1, 5), (7, 5)],
)
def test_steps_of_heat(heat: float | None, step: int) -> None:
    assert step_of(heat) == step


def test_heat_is_said_in_words_too() -> None:
    drawn = draw_treemap([tile("a", 5, 1), tile("b", 5, None)], "t", legend=("few commits", "many commits"))
    root = check_picture(drawn)
    assert titles(root) == ["src/a: 5 lines; many commits: 5 of 5", "src/b: 5 lines"]
    assert texts(root, "small faint") == ["few commits", "many commits", "no figure"]
    assert 'class="heat heat-5"' in embedded(drawn)
    assert texts(check_picture(draw_treemap([tile("b", 5, None)], "t")), "small faint") == []


def test_a_name_is_left_out_where_too_little_of_it_would_be_seen() -> None:
    tiles = [tile("a_name_that_is_long", 1, None), tile("b", 1, None)]
    narrow = draw_treemap(tiles, "t", 100, 120)
    assert texts(check_picture(narrow), "name") == ["b"]
    wide = draw_treemap(tiles, "t", 240, 120)
    assert texts(check_picture(wide), "name") == ["a_nam…is_long", "b"]


@pytest.mark.parametrize(
    ("width", "shown"),
    [(960, "source/shop/basket.py"), (180, "shop/basket.py"), (130, "basket.py")],
)
def test_folders_of_a_path_are_left_out_first(width: float, shown: str) -> None:
    path = "source/shop/basket.py"
    picture = draw_treemap([Tile(path, 1, None, "label", path)], "Map", width, 120)
    assert texts(check_picture(picture), "name") == [shown]


@given(st.text("ab/", min_size=1, max_size=20), st.integers(0, 20))
def test_the_last_part_of_a_path_stays(path: str, width: int) -> None:
    picture = draw_treemap([Tile(path, 1, None, "label", path)], "Map", 40 + width * 8, 120)
    named = texts(check_picture(picture), "name")
    assert all(path.endswith(text) or "…" in text for text in named)
