"""The change of an entity as the lines that differ."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.comparison.patch import CodeLines, Patch, make_patch

LINES = st.lists(st.sampled_from(["a", "b", "  c", "", "d"]), max_size=30).map(tuple)


def code(*lines: str, first: int = 1) -> CodeLines:
    return CodeLines("a.py", "f", first, lines)


def shown(patch: Patch) -> list[str]:
    """As a unified diff without its head."""
    found = []
    for hunk, lines in patch.hunks:
        found.append(f"-{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count}")
        found += [line.sign + line.text for line in lines]
    return found


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (code("a", "b", "c"), code("a", "x", "c"), ["-1,3 +1,3", " a", "-b", "+x", " c"]),
        (code("a", first=7), code("a", "b", first=9), ["-7,1 +9,2", " a", "+b"]),
        (None, code("a", first=5), ["-0,0 +5,1", "+a"]),
        (code("a", first=5), None, ["-5,1 +0,0", "-a"]),
        (code("a"), code("a"), []),
        (code("a", "b"), code("    a", "    c"), ["-1,2 +1,2", "     a", "-b", "+    c"]),
        (code("a", ""), code("  a", "   "), []),
    ],
    ids=["replaced", "elsewhere in the file", "added", "deleted", "equal", "indented", "blank lines"],
)
def test_patch(before: CodeLines | None, after: CodeLines | None, expected: list[str]) -> None:
    assert shown(make_patch(before, after)) == expected


def test_distant_differences_are_two_hunks() -> None:
    lines = [str(number) for number in range(20)]
    patch = make_patch(code(*lines), code("x", *lines[1:-1], "y"))
    assert [hunk.hunk.old_start for hunk in patch.hunks] == [1, 17]
    assert (patch.n_added, patch.n_removed) == (2, 2)


@given(LINES, LINES)
def test_a_patch_turns_the_old_lines_into_the_new(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    """Lines that are dedented alike are equal, so the sides here share an unindented line."""
    old, new = ("z", *old), ("z", *new)
    patch = make_patch(code(*old, first=3), code(*new, first=5))
    at = 3
    result: list[str] = []
    for hunk, lines in patch.hunks:
        start = hunk.old_start + (not hunk.old_count)
        result += old[at - 3 : start - 3]
        assert len(result) == hunk.new_start + (not hunk.new_count) - 5
        assert [text for sign, text in lines if sign == "-"] == [
            old[start - 3 + i] for i, (sign, _) in enumerate(line for line in lines if line.sign != "+") if sign == "-"
        ]
        result += [text for sign, text in lines if sign != "-"]
        at = start + hunk.old_count
    assert (*result, *old[at - 3 :]) == new


@given(LINES, LINES)
def test_a_patch_is_empty_only_where_difflib_sees_no_difference(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    old, new = ("z", *old), ("z", *new)
    differs = any(word != "equal" for word, *_ in difflib.SequenceMatcher(None, old, new).get_opcodes())
    assert bool(make_patch(code(*old), code(*new)).hunks) == differs
