"""Which edits of a file may change its uses of a name, or what others see of it."""

from __future__ import annotations

import pytest

from birthmark.queries.past_users import FileText
from reading import read

SOURCE = """\
# About prices.
from shop import price, other

LIMIT = 3


class Till(Base):
    def ring(self):
        return self.last(price(1))

    def last(self, value):
        return value

    def unrelated(self):
        return 4


def free():
    return 5
"""
# An edit, whether it may concern uses of `price` in the file, and whether others see it.
EDITS = [
    ("return 4", "return 44", False, False),
    ("return 5", "return other(5)", False, False),
    ("# About prices.", "# About the price.", False, False),
    ("LIMIT = 3", "LIMIT = 4", False, True),
    ("price(1)", "1", True, False),
    ("return value", "return None", True, False),
    ("import price, other", "import other", True, True),
    ("import price, other", "import *", True, True),
    ("class Till(Base)", "class Till(Other)", False, True),
    ("def free()", "def price()", True, True),
]


def text_of(source: str) -> FileText:
    found = read("python", source, "a.py")
    return FileText(source.encode(), found.entities, [hash(one.qualified_name) for one in found.entities])


@pytest.mark.parametrize(("old", "new", "is_own", "is_outer"), EDITS)
def test_contexts(old: str, new: str, is_own: bool, is_outer: bool) -> None:
    assert old in SOURCE
    before, after, words = text_of(SOURCE), text_of(SOURCE.replace(old, new)), frozenset({b"price"})
    assert (before.own_context(words) != after.own_context(words)) is is_own
    assert (before.outer_context(words) != after.outer_context(words)) is is_outer


def test_a_file_without_a_mention_has_no_context() -> None:
    assert text_of("def f():\n    return 1\n").own_context(frozenset({b"price"})) is None


def test_what_is_inside_of_a_function() -> None:
    before, after = text_of(SOURCE), text_of(SOURCE.replace("return 4", "return Till()"))
    assert before.inner_context("Till.unrelated") != after.inner_context("Till.unrelated")
    assert before.inner_context("Till.last") == after.inner_context("Till.last")
