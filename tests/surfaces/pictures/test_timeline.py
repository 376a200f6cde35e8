"""Changes along an axis of time."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.surfaces.formats.pictures.timeline import Moment, draw_timeline, kind_of, place_ticks, scale_of
from drawn_pictures import HOSTILE, SVG, check_picture, links, texts, titles

DAY = 86_400
START = 1_300_000_000  # 2011-03-13


def moment(at: int, *changes: str, anchor: str = "c1") -> Moment:
    return Moment(at, changes or ("body change",), f"subject {at}", "Ada", anchor)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        (("introduced",), "born"),
        (("revived",), "born"),
        (("rename", "body change"), "renamed, moved"),
        (("container change",), "renamed, moved"),
        (("relocated",), "renamed, moved"),
        (("body change",), "edited"),
        (("parameter change", "documentation change"), "edited"),
        (("documentation change", "format change"), "documentation, format"),
        (("deleted",), "deleted"),
        (("a word of tomorrow",), "edited"),
        ((), "edited"),
    ],
)
def test_kinds_of_moments(changes: tuple[str, ...], kind: str) -> None:
    assert kind_of(Moment(0, changes, "", "", "")).name == kind


def test_each_moment_is_a_mark_with_its_words_and_link() -> None:
    moments = [moment(START + 900 * DAY, "rename", anchor="c2"), moment(START, "introduced")]
    root = check_picture(draw_timeline(moments, "History of a"))
    assert links(root) == ["#c1", "#c2"]
    assert titles(root) == ["introduced: subject 1300000000 (Ada)", f"rename: subject {START + 900 * DAY} (Ada)"]
    assert texts(root, "small") == ["born", "renamed, moved"]
    assert "Jan 2012" in texts(root, "small faint middle")
    assert links(check_picture(draw_timeline(moments, "t", link=None))) == []


def test_marks_of_the_same_time_are_above_each_other() -> None:
    root = check_picture(draw_timeline([moment(START, anchor=f"c{number}") for number in range(4)], "t"))
    marks = [one.attrib["d"] for link in root.iter(f"{SVG}a") for one in link.iter(f"{SVG}path")]
    places = [re.match(r"M([\d.]+) ([\d.]+)", mark) for mark in marks]
    assert len({one[1] for one in places if one}) == 1
    assert len({one[2] for one in places if one}) == 4


@given(st.lists(st.integers(START, START + 4000 * DAY), min_size=1, max_size=200))
def test_every_moment_is_counted_once(times: list[int]) -> None:
    root = check_picture(draw_timeline([moment(at) for at in times], "t"))
    bars = [int(text.replace(",", "")) for text in texts(root, "small middle on-edited")]
    assert sum(bars) + len(links(root)) - len(bars) == len(times)
    assert texts(root, "small faint end") == [f"{len(times):,}"]


def test_thousands_are_bars_that_can_be_read() -> None:
    moments = [moment(START + number * DAY, anchor=f"c{number}") for number in range(3000)]
    root = check_picture(draw_timeline(moments, "t"))
    assert len(links(root)) < 30
    assert sum(map(int, texts(root, "small middle on-edited"))) == 3000
    assert links(root)[-1] == "#c2999"
    assert re.match(r"\d+ edited, 2019-\S+ to 2019-05-29: body change: subject .* more$", titles(root)[-1])


def test_no_moment_is_a_picture_too() -> None:
    assert texts(check_picture(draw_timeline([], "History of nothing"))) == ["There is no change to show."]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(text: str) -> None:
    root = check_picture(draw_timeline([Moment(START, (text,), text, text, text)], text))
    assert len(titles(root)) == 1


@pytest.mark.parametrize("times", [(-(10**20), 10**20), (0, 0), (253_402_300_799, 253_402_300_799), (-5, START)])
def test_any_number_may_be_a_date(times: tuple[int, int]) -> None:
    check_picture(draw_timeline([moment(at) for at in times], "t"))


@given(st.integers(0, 4_000_000_000), st.integers(0, 2_000_000_000))
def test_dates_are_on_the_axis_in_order_and_apart(first: int, span: int) -> None:
    ticks = place_ticks(scale_of([first, first + span], 200, 900))
    places = [x for x, _ in ticks]
    assert places
    assert all(200 <= x <= 900 for x in places)
    assert all(after - before > 60 for before, after in pairwise(places))
    assert len({label for _, label in ticks}) == len(ticks)


@pytest.mark.parametrize(
    ("days", "labels"),
    [
        (3, ["12 Mar 2011", "13 Mar 2011", "14 Mar 2011", "15 Mar 2011", "16 Mar 2011", "17 Mar 2011", "18 Mar 2011"]),
        (200, ["Apr 2011", "May 2011", "Jun 2011", "Jul 2011", "Aug 2011", "Sep 2011", "Oct 2011"]),
        (2000, ["2012", "2013", "2014", "2015", "2016"]),
        (20000, ["2020", "2030", "2040", "2050", "2060"]),
    ],
)
def test_dates_are_days_months_or_years(days: int, labels: list[str]) -> None:
    assert [label for _, label in place_ticks(scale_of([START, START + days * DAY], 200, 900))] == labels
