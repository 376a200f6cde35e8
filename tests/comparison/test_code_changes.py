"""Which changes may change what code does."""

from __future__ import annotations

import pytest
from comparing import state

from birthmark.comparison.entity_changes import compare_files
from birthmark.comparison.review_parts import changed_top_levels, code_changes

SHOP = '''import tax


class Cart:
    """A cart."""

    limit = 5

    def add(self, item):
        """Add it."""
        return item


def total(cart):
    return sum(cart)
'''
JAVA = "class A {\n  /** Says it. */\n  int f() { return 1; }\n}\n"


def changed(before: str, after: str, language: str = "python") -> list[str]:
    """The names of what changed, and `top level`."""
    old, new = [state("a", before, language)], [state("a", after, language)]
    comparison = compare_files(old, new, lambda name: name)
    found = [one.after or one.before for one in code_changes(comparison, old, new)]
    names = [place.qualified_name for place in found if place is not None]
    return [*names, *(["top level"] if [*changed_top_levels(old, new, {})] else [])]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return sum(cart)", "return max(cart)", ["total"]),
        ("return sum(cart)", "return sum( cart )  # all", []),
        ("return item", "return None", ["Cart.add"]),
        ("limit = 5", "limit = 6", ["Cart.limit"]),
        ("class Cart:", "class Cart(list):", ["Cart"]),
        ('"""Add it."""', '"""Add one."""', ["Cart.add"]),
        ("import tax\n", "import tax, fees\n", ["top level"]),
        ("import tax\n", "import tax  \n\n", []),
        ("def total(cart):\n    return sum(cart)\n", "", ["total"]),
        ("\n\ndef total", "\n\n\n\ndef total", []),
    ],
)
def test_what_counts(old: str, new: str, expected: list[str]) -> None:
    assert changed(SHOP, SHOP.replace(old, new)) == expected


def test_a_comment_that_documents_does_nothing() -> None:
    assert changed(JAVA, JAVA.replace("Says it", "Says so"), "java") == []
    assert changed(JAVA, JAVA.replace("return 1", "return 2"), "java") == ["A.f"]


def test_a_class_that_got_a_member_changed_by_that_alone() -> None:
    more = SHOP.replace("\n\ndef total", "\n    def drop(self):\n        return 1\n\n\ndef total")
    assert changed(SHOP, more) == ["Cart.drop"]


def test_all_of_a_new_file_is_new() -> None:
    new = [state("b.py", SHOP)]
    assert [*changed_top_levels([], new, {})] == ["b.py"]
    assert [*changed_top_levels([state("a.py", SHOP)], new, {"a.py": "b.py"})] == []
