"""Code that is nearly the same: groups of it, and what is too short or too common to count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from birthmark.matching.clones import FEWEST_TOKENS, find_clones, find_clones_of

CODE = [b"word%d" % number for number in range(60)]
EDITED = [*CODE[:20], b"other", *CODE[21:]]
FOREIGN = [b"foreign%d" % number for number in range(60)]
WORDS = st.sampled_from([b"a", b"b", b"c", b"d", b"e"])


def groups(*codes: list[bytes], least: float = 0.7) -> list[list[tuple[int, float]]]:
    return find_clones(codes, least)


def test_equal_and_edited_codes_are_in_one_group() -> None:
    assert groups(FOREIGN, CODE, EDITED, CODE) == [[(1, 1.0), (3, 1.0), (2, 0.98)]]


def test_what_shares_too_little_is_in_none() -> None:
    half = [*CODE[:30], *FOREIGN[:30]]
    assert groups(CODE, half) == []
    assert groups(CODE, half, least=0.5) == [[(0, 1.0), (1, 0.5)]]


def test_what_is_short_is_in_none() -> None:
    assert groups(CODE[: FEWEST_TOKENS - 1], CODE[: FEWEST_TOKENS - 1]) == []


def test_groups_with_most_code_come_first() -> None:
    assert [group[0][0] for group in groups(CODE[:40], CODE[:40], FOREIGN, FOREIGN)] == [2, 0]


def test_clones_of_one_code_begin_with_it() -> None:
    group = find_clones_of([FOREIGN, CODE, EDITED, CODE], 3, 0.7)
    assert [code for code, _ in group] == [3, 1, 2]
    assert find_clones_of([FOREIGN, CODE], 0, 0.7) == []


@given(st.lists(st.lists(WORDS, min_size=28, max_size=40), max_size=6))
def test_each_code_is_in_one_group_and_equal_ones_together(codes: list[list[bytes]]) -> None:
    found = find_clones(codes, 0.7)
    members = [code for group in found for code, _ in group]
    assert len(members) == len(set(members))
    group_of = {code: number for number, group in enumerate(found) for code, _ in group}
    for one, tokens in enumerate(codes):
        equal = [other for other, others in enumerate(codes) if others == tokens]
        if len(tokens) >= FEWEST_TOKENS and len(equal) > 1:
            assert {group_of[other] for other in equal} == {group_of[one]}
