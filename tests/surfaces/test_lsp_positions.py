"""Positions of editors: units of UTF-16 or of what was agreed, lines that end at LF, CR or both."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from birthmark.surfaces.lsp.query import Positions

# Of one to four bytes, of one and two units; and what other programs end lines at.
TEXTS = st.text(st.sampled_from("aé€😀\U0001d54f\n\r\f\x0b\u2028\x85\t "), max_size=40)
WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-be", 2), "utf-32": ("utf-32-be", 4)}


def walk(text: str, encoding: str) -> list[tuple[int, int]]:
    """The line and unit of each character, and of the end, one character after the other."""
    codec, width = WIDTHS[encoding]
    line = unit = 0
    places: list[tuple[int, int]] = []
    for number, character in enumerate(text):
        is_second = character == "\n" and number > 0 and text[number - 1] == "\r"
        places.append(places[-1] if is_second else (line, unit))
        if is_second:
            continue
        unit += len(character.encode(codec)) // width
        if character in "\r\n":
            line, unit = line + 1, 0
    return [*places, (line, unit)]


@given(text=TEXTS, encoding=st.sampled_from(sorted(WIDTHS)))
def test_every_character_has_the_place_that_counting_gives(text: str, encoding: str) -> None:
    positions = Positions(text.encode(), encoding)
    offsets = [len(text[:number].encode()) for number in range(len(text) + 1)]
    for offset, (line, unit), number in zip(offsets, walk(text, encoding), range(len(text) + 1), strict=True):
        if text[number - 1 : number + 1] == "\r\n":
            continue  # Nothing begins within the end of a line.
        assert positions.position(offset) == Position(line, unit)
        assert positions.offset(Position(line, unit)) == offset


@pytest.mark.parametrize(
    ("text", "position", "offset"),
    [
        ("x = '😀' + y", (0, 7), 9),  # behind what has two units and four bytes
        ("x = '😀' + y", (0, 6), 5),  # within it
        ("ab\ncd", (0, 99), 2),  # a line that is shorter
        ("ab\ncd", (7, 0), 5),  # a line that is not there
        ("", (0, 0), 0),
    ],
)
def test_what_is_not_there_is_the_nearest_before(text: str, position: tuple[int, int], offset: int) -> None:
    assert Positions(text.encode()).offset(Position(*position)) == offset


def test_a_byte_that_is_no_utf_8_counts_as_one_character() -> None:
    positions = Positions(b"x = '\xe9' + y")
    assert positions.position(9) == Position(0, 9)
    assert positions.offset(Position(0, 9)) == 9


def test_lines_of_the_index_are_those_that_end_at_a_line_feed() -> None:
    positions = Positions(b"a\rb\n  c\nd")
    assert positions.lines(2, 2).start == Position(2, 2)
    assert positions.lines(2, 3).end == Position(3, 1)
