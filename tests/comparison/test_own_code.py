"""The lines of a container without those of its members."""

from __future__ import annotations

import pytest
from comparing import state
from hypothesis import given
from hypothesis import strategies as st

from birthmark.comparison.own_code import own_code_of
from birthmark.comparison.patch import Patch, make_patch
from birthmark.extraction.model import OutlinedEntity

CART = 'class Cart:\n    """A cart."""\n\n    limit = 5\n\n    def add(self, item):\n        return item\n'


def patch(before: str, after: str, language: str = "python") -> Patch:
    """Of the first entity of each."""
    old, new = (OutlinedEntity(state("a", text, language), 0) for text in (before, after))
    return make_patch(own_code_of(old), own_code_of(new))


def signed(found: Patch) -> list[str]:
    return [line.sign + line.text.strip() for hunk in found.hunks for line in hunk.lines if line.sign != " "]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (CART, CART.replace("return item", "return None"), []),
        (CART, CART.replace("limit = 5", "limit = 6"), []),
        (CART, CART + "\n    def more(self):\n        return 1\n", []),
        (CART, CART.replace("    limit = 5\n\n", ""), []),
        (CART, CART.replace("return item", "return item  # noqa"), []),
        ("class Cart:\n    pass\n", "class Cart:\n    def add(self):\n        return 1\n", ["-pass"]),
        (CART, CART.replace("class Cart", "class Cart(Base)"), ["-class Cart:", "+class Cart(Base):"]),
        (CART, CART.replace("A cart", "The cart"), ['-"""A cart."""', '+"""The cart."""']),
        (CART, CART.replace("    def add", "    # Adding.\n\n    def add"), ["+# Adding."]),
    ],
    ids=[
        "in a method",
        "in a field",
        "a method more",
        "a field less",
        "a remark behind a member",
        "its first member",
        "in the head",
        "in the documentation",
        "between members",
    ],
)
def test_own_changes_of_a_class(before: str, after: str, expected: list[str]) -> None:
    assert signed(patch(before, after)) == expected


def test_members_are_one_line_in_a_patch() -> None:
    found = patch(
        f"{CART}    # The end.\n\n    last = 1\n", f"{CART}    # Not yet.\n\n    last = 1\n".replace("A cart", "A Cart")
    )
    ((hunk, lines),) = found.hunks
    assert [line.sign + line.text for line in lines] == [
        " class Cart:",
        '-    """A cart."""',
        '+    """A Cart."""',
        "     …",
        "-    # The end.",
        "+    # Not yet.",
    ]
    assert (hunk.old_start, hunk.old_count) == (1, 8)


def test_members_on_the_line_of_their_container() -> None:
    assert signed(patch("class A { int x; }", "class A { long x; }", "java")) == []
    assert signed(patch("class A { int x; }", "class B { int x; }", "java")) == [
        "-class A { int x; }",
        "+class B { int x; }",
    ]


def test_without_its_name_a_renamed_class_is_as_it_was() -> None:
    old, new = (OutlinedEntity(state("a.py", CART.replace("Cart", name)), 0) for name in ("Cart", "Basket"))
    assert make_patch(own_code_of(old), own_code_of(new)).hunks
    assert not make_patch(own_code_of(old, with_name=False), own_code_of(new, with_name=False)).hunks


MEMBERS = st.lists(
    st.sampled_from(["    x = 1\n", "    def f(self):\n        return 1\n", "\n", "    # A remark.\n"]), max_size=8
)


@given(MEMBERS, MEMBERS)
def test_numbers_are_those_of_the_file(before: list[str], after: list[str]) -> None:
    """Each line of a patch that is no `…` is in the file, within the lines that its hunk says."""
    texts = ["class C:\n    pass\n" + "".join(lines) for lines in (before, after)]
    for hunk, lines in patch(*texts).hunks:
        starts = hunk.old_start, hunk.new_start
        for text, sign, start, count in zip(texts, "-+", starts, (hunk.old_count, hunk.new_count), strict=True):
            there = text.splitlines()[max(start - 1, 0) : start - 1 + count]
            assert [line.text for line in lines if line.sign == sign and line.text not in there] == []
