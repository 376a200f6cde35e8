"""The map of modules."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.app.answers.module_map import FileUse, map_modules
from birthmark.app.workspace.freshness import Freshness, freshness_document
from birthmark.documents.whole_graph import ModulesDocument
from birthmark.surfaces.formats.pictures.module_picture import describe_modules, draw_modules, place_boxes
from birthmark.vocabulary import Resolution
from drawn_pictures import HOSTILE, SVG, boxes, check_picture, links, overlapping, titles

NAMES = [f"{folder}/{name}.x" for folder in ("a", "b & <c>", 'd"e') for name in ("one", "two", "three")]
USES = st.lists(
    st.builds(FileUse, st.sampled_from(NAMES), st.integers(1, 9), st.sampled_from(NAMES), st.sampled_from(Resolution)),
    max_size=30,
)


def map_documents(files: dict[str, int], uses: list[FileUse], module_of: Callable[[str], str]) -> ModulesDocument:
    return map_modules(files, uses, module_of, freshness_document(Freshness(None, None, [])))


@given(USES)
def test_no_two_boxes_overlap_and_uses_that_close_no_cycle_point_down(uses: list[FileUse]) -> None:
    found = map_documents(dict.fromkeys(NAMES, 1), uses, lambda path: path)
    boxes = place_boxes(found)
    for one in boxes.values():
        for other in boxes.values():
            if one is not other and one.y == other.y:
                assert one.x + one.width < other.x or other.x + other.width < one.x
    for use in found.uses:
        assert use.closing or boxes[use.user].y < boxes[use.used].y
    root = check_picture(draw_modules(found, lambda module: f"/m/{module.name}"))
    assert sorted(links(root)) == sorted(f"/m/{name}" for name in NAMES)


def test_no_modules_are_a_picture_too() -> None:
    empty = map_documents({}, [], str)
    assert check_picture(draw_modules(empty)).findtext(f"{SVG}title") == "0 modules in 0 layers"
    assert describe_modules(empty) == "There is no module."


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names(text: str) -> None:
    found = map_documents({text: 1, "b": 1}, [FileUse(text, 1, "b", Resolution.EXACT)], lambda path: path)
    assert len(titles(check_picture(draw_modules(found)))) == 3


def test_thousands_of_modules() -> None:
    names = [f"src/module{number}.py" for number in range(3000)]
    uses = [FileUse(name, 1, names[number // 10], Resolution.EXACT) for number, name in enumerate(names) if number]
    root = check_picture(draw_modules(map_documents(dict.fromkeys(names, 1), uses, lambda path: path)))
    assert len(boxes(root)) == 3000
    assert overlapping(boxes(root)) == []
