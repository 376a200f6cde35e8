"""A picture as a document and as part of a page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.surfaces.formats.pictures.svg import (
    STYLE,
    Picture,
    embedded,
    file_name,
    head_at,
    page_rules,
    standalone,
    text_at,
    titled,
)
from drawn_pictures import HOSTILE, check_picture, links, texts, titles


def small(text: str, href: str | None = None) -> Picture:
    return Picture(
        file_name("of", text), f"title {text}", f"desc {text}", 100, 50, (titled(text, [text_at(1, 9, text)], href),)
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_are_texts(text: str) -> None:
    root = check_picture(small(text, f"/{text}"))
    assert len(texts(root)) == len(titles(root)) == len(links(root)) == 1


@given(st.text(min_size=1), st.text())
def test_any_text_can_be_drawn_and_linked(text: str, href: str) -> None:
    check_picture(small(text, href))


@pytest.mark.parametrize(
    ("href", "is_link"),
    [
        ("/entities/bm-1", True),
        ("#c1", True),
        ("?path=a:b", True),
        ("folder/a:b", True),
        ("https://example.org/", True),
        ("javascript:alert(1)", False),
        (" JavaScript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("", False),
        (None, False),
    ],
)
def test_only_paths_and_addresses_of_the_web_are_links(href: str | None, is_link: bool) -> None:
    assert bool(links(check_picture(small("a", href)))) == is_link


def test_a_picture_with_links_is_no_image() -> None:
    assert 'role="img"' in standalone(small("a"))
    assert 'role="group"' in standalone(small("a", "/a"))


def test_names_are_names_of_files() -> None:
    assert file_name("impact-of", "Cart.total") == "impact-of-Cart.total"
    assert file_name("path-from", "a/b c", "to", "../x") == "path-from-a-b-c-to-..-x"
    assert file_name("..", "数据") == file_name("") == "picture"
    assert len(file_name("a" * 500)) == 80


def test_pictures_of_one_page_share_no_id() -> None:
    ids = [re.findall(r'\bid="([^"]*)"', embedded(small(name))) for name in ("a.b", "a b", "a/b", "A.b")]
    assert len({one for its in ids for one in its}) == 8
    labelled = re.search(r'aria-labelledby="(\S+)" aria-describedby="(\S+)"', embedded(small("a.b")))
    assert labelled is not None
    assert list(labelled.groups()) == ids[0]


def test_a_document_has_its_style_and_a_page_has_it_once() -> None:
    document = standalone(small("a"))
    assert STYLE in document
    assert STYLE in page_rules()
    assert "prefers-color-scheme: dark" in document
    assert "<style" not in embedded(small("a"))


def test_the_rules_of_a_page_are_about_pictures_alone() -> None:
    for line in page_rules().splitlines():
        if "{" in line and not line.startswith("@media"):
            for selector in line.split("{")[0].split(","):
                assert selector.strip().startswith(("svg.picture", ":root"))


@pytest.mark.parametrize(
    ("direction", "way"),
    [
        ("right", "M9.0 9.0l-8 -4v8z"),
        ("left", "M9.0 9.0l8 -4v8z"),
        ("down", "M9.0 9.0l-4 -8h8z"),
        ("up", "M9.0 9.0l-4 8h8z"),
    ],
)
def test_heads_point_where_a_line_ends(direction: str, way: str) -> None:
    assert f'd="{way}"' in head_at(9, 9, direction)
