"""An entity between its users and what it uses."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.surfaces.formats.pictures.neighbourhood import GraphEdge, GraphLabel, draw_neighbourhood
from drawn_pictures import HOSTILE, SVG, boxes, check_picture, links, overlapping, texts, titles

CENTRE = GraphLabel("Cart.total", "method", "shop/cart.py", "bm-0")


def label(number: int, *, is_test: bool = False) -> GraphLabel:
    return GraphLabel(f"name{number}", "fn", f"shop/file{number}.py", f"bm-{number + 1}", is_test)


def edge(number: int, word: str = "calls", *, is_sure: bool = True, is_test: bool = False) -> GraphEdge:
    return GraphEdge(label(number, is_test=is_test), word, f"shop/file{number}.py:{number + 1}", is_sure)


def lines(root: ElementTree.Element, name: str) -> int:
    return sum(one.get("class") == name for one in root.iter(f"{SVG}path"))


def test_each_neighbour_has_kind_file_and_the_use_in_words() -> None:
    users = [edge(1), edge(2, "inherits", is_sure=False), edge(3, is_test=True)]
    root = check_picture(draw_neighbourhood(CENTRE, users, [edge(4, "reads")], lambda one: f"/e/{one.ref}"))
    assert texts(root, "name") == ["name1", "name2", "name3", "name4", "Cart.total"]
    assert texts(root, "detail faint") == [
        "fn · shop/file1.py",
        "fn, inherits, unsure · shop/file2.py",
        "fn, test · shop/file3.py",
        "fn, reads · shop/file4.py",
        "method · shop/cart.py",
    ]
    assert texts(root, "strong") == ["3 users", "uses 1"]
    assert titles(root) == [
        "name1 calls Cart.total at shop/file1.py:2",
        "name2 inherits Cart.total at shop/file2.py:3, which is unsure",
        "test name3 calls Cart.total at shop/file3.py:4",
        "Cart.total reads name4 at shop/file4.py:5",
        "Cart.total in shop/cart.py",
    ]
    assert links(root) == ["/e/bm-2", "/e/bm-3", "/e/bm-4", "/e/bm-5", "/e/bm-0"]
    assert (lines(root, "line"), lines(root, "line unsure")) == (3, 1)
    assert [one.get("class") for one in root.iter(f"{SVG}rect")][1:] == ["box", "box", "box test", "box", "box root"]


def test_several_uses_by_one_are_one_line() -> None:
    users = [edge(1, is_sure=False), edge(1, "reads"), *(edge(1) for _ in range(6))]
    root = check_picture(draw_neighbourhood(CENTRE, users, []))
    assert lines(root, "line") == 1
    assert titles(root)[0].startswith("name1 calls and reads Cart.total at shop/file1.py:2, ")
    assert titles(root)[0].endswith(" and 3 more")
    assert texts(root, "strong") == ["1 user", "uses nothing that is known"]


def test_the_rest_of_thousands_is_a_link() -> None:
    many = [edge(number) for number in range(3000)]
    root = check_picture(draw_neighbourhood(CENTRE, many, many[:41], None, "/users?of=a&b", "/used"))
    assert links(root) == ["/users?of=a&b", "/used"]
    assert texts(root, "strong") == ["3,000 users", "uses 41", "and 2,960 more", "and 1 more"]
    assert len(boxes(root)) == 81


@given(st.integers(0, 60), st.integers(0, 60))
def test_boxes_do_not_overlap_and_no_line_leads_through_one(n_users: int, n_used: int) -> None:
    edges = [edge(number) for number in range(60)]
    root = check_picture(draw_neighbourhood(CENTRE, edges[:n_users], edges[:n_used]))
    found = boxes(root)
    assert overlapping(found) == []
    for path in root.iter(f"{SVG}path"):
        level = re.match(r"M([\d.]+) ([\d.]+)H([\d.]+)C", path.attrib["d"])
        if level is not None:
            start, y, end = map(float, level.groups())
            left, right = sorted((start, end))
            assert [box for box in found if box[0] < right - 1 and left + 1 < box[2] and box[1] < y < box[3]] == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names(text: str) -> None:
    hostile = GraphEdge(GraphLabel(text, text, text, text), text, text)
    root = check_picture(draw_neighbourhood(hostile.label, [hostile], [hostile], lambda one: f"/e/{one.ref}"))
    assert len(titles(root)) == 3


def test_nothing_around_it_is_a_picture_too() -> None:
    root = check_picture(draw_neighbourhood(CENTRE, [], []))
    assert texts(root, "strong") == ["no user is known", "uses nothing that is known"]
