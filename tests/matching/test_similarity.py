"""Tokens, and how alike names and texts are."""

from __future__ import annotations

from collections import Counter

import pytest

from birthmark.matching.similarity import Bag, Texts, likeness, parts_of, tokens_in

TOKENS = {
    "words, numbers, operators": (b"x1 = f(a, 0x1F) + 2.5", "x1 = f a 0x1F + 2.5"),
    "brackets and separators say nothing": (b"{ [ ( ; , . ) ] }", ""),
    "joined operators": (b"a->b && !c", "a -> b && ! c"),
    "letters of any script": ("größe += ñ".encode(), "größe += ñ"),
    "no UTF-8": (b"\xff = \xfe\xfd", b"\xff = \xfe\xfd"),
}


@pytest.mark.parametrize(("source", "expected"), TOKENS.values(), ids=TOKENS.keys())
def test_tokens(source: bytes, expected: str | bytes) -> None:
    assert tokens_in(source) == (expected.encode() if isinstance(expected, str) else expected).split()


PARTS = {
    "parseHTTPResponse": "parse http response",
    "parse_http_response": "parse http response",
    "XMLReader2": "xml reader 2",
    "__init__": "init",
    "_": "_",
    "größe_ÄndernJetzt": "größe ändern jetzt",
}


@pytest.mark.parametrize(("name", "expected"), PARTS.items())
def test_parts(name: str, expected: str) -> None:
    assert parts_of(name) == set(expected.split())


LIKENESS = [("load", "load", 1.0), ("load", "_load", 1.0), ("load_config", "load_settings", 0.5), ("load", "save", 0.0)]


@pytest.mark.parametrize(("old", "new", "expected"), LIKENESS)
def test_likeness(old: str, new: str, expected: float) -> None:
    assert likeness(old, new) == expected


def test_what_is_everywhere_counts_little() -> None:
    bags = [Counter(tokens_in(b"self common %d" % i)) for i in range(20)]
    all_bags = [*bags, Counter([b"rare", b"self"]), Counter([b"rare", b"common"])]
    texts = Texts({i: [*bag.elements()] for i, bag in enumerate(all_bags)}, {})

    def share(one: Bag, other: Bag) -> float:
        return 2 * texts.common(one, other) / (texts.weigh(one) + texts.weigh(other))

    assert share(Counter([b"rare", b"self"]), Counter([b"rare", b"common"])) > 0.7
    assert share(bags[0], bags[1]) < 0.5
    assert texts.common(Counter(), Counter()) == 0.0
