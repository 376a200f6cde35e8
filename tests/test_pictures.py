"""The pictures of the documents show what the commands print; `make docs-pictures` draws them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.surfaces.formats.pictures.svg import standalone
from drawn_pictures import check_picture
from pairing_examples import EXAMPLES
from pairing_pictures import COLUMNS, compare, draw_example
from terminal_pictures import PICTURES, SESSIONS, draw_session


@pytest.mark.parametrize("name", SESSIONS)
def test_picture_is_current(name: str, tmp_path: Path) -> None:
    assert draw_session(name, tmp_path) == (PICTURES / f"{name}.svg").read_text("utf-8")


@pytest.mark.parametrize("name", EXAMPLES)
def test_picture_of_a_pairing_is_current(name: str, tmp_path: Path) -> None:
    picture = draw_example(name, tmp_path)
    assert standalone(picture) == (PICTURES / f"{name}.svg").read_text("utf-8")
    check_picture(picture)
    sources = (*EXAMPLES[name].before.values(), *EXAMPLES[name].after.values())
    assert max(len(line) for source in sources for line in source.splitlines()) <= COLUMNS


@pytest.mark.parametrize(
    ("name", "linked"),
    [
        (
            "matching-passes",
            [
                "load > load: same content (high)",
                "total > total: same name (high)",
                "tax > tax: same content elsewhere (high)",
                "show > show_list: same body (medium)",
                "cheapest > lowest: similar (low)",
            ],
        ),
        (
            "matching-shift",
            ["start > start: same content (high)", *["ticks > ticks: same name and position (low)"] * 2],
        ),
        ("matching-tie", ["area > area: a tie"] * 2),
        ("matching-derivation", ["report > report: same name (high)", "report > sum_paid: extracted from, 92%"]),
    ],
)
def test_what_matching_is_explained_by(name: str, linked: list[str], tmp_path: Path) -> None:
    """As the page says it."""
    links = compare(EXAMPLES[name].before, EXAMPLES[name].after, tmp_path).links
    found = [f"{link.old.qualified_name} > {link.new.qualified_name}: {link.label}" for link in links]
    assert sorted(found) == sorted(linked)


def test_pictures_load_nothing() -> None:
    for picture in PICTURES.glob("*.svg"):
        text = picture.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text
        assert text.count("url(") == text.count("url(#")
