"""Seed 000: the three priorities of matching, each test by its name there."""

from __future__ import annotations

from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import ContentMatch, NewEntity, PositionMatch, match_entities


def subject(name: str, lines: tuple[int, int], content: str, key: str = "") -> MatchCandidate:
    return MatchCandidate(key, "src/a.rs", "fn", name, None, *lines, content)


def test_match_by_content_hash_priority1() -> None:
    key = "rust:fn:calculate:__src_math_rs:T1706284800"
    old = [subject("calculate", (10, 20), "abc123", key)]
    assert match_entities([subject("calculate", (50, 60), "abc123")], old) == [ContentMatch(key)]


def test_match_by_position_when_hash_differs_priority2() -> None:
    key = "rust:fn:process:__src_data_rs:T1706284900"
    old = [subject("process", (20, 30), "old_hash_789", key)]
    assert match_entities([subject("process", (25, 35), "new_hash_456")], old) == [PositionMatch(key)]


def test_new_entity_detection_priority3() -> None:
    old = [subject("other", (20, 30), "x", "k")]
    assert match_entities([subject("brand_new_function", (20, 30), "y")], old) == [NewEntity()]


def test_position_match_within_tolerance() -> None:
    old = [subject("f", (100, 110), "old", "k"), subject("f", (500, 510), "other", "far")]
    assert match_entities([subject("f", (108, 118), "new")], old) == [PositionMatch("k")]


def test_hash_priority_over_position() -> None:
    old = [subject("f", (48, 58), "wrong", "a"), subject("f", (200, 210), "right", "b")]
    assert match_entities([subject("f", (50, 60), "right")], old) == [ContentMatch("b")]


def test_beyond_the_tolerance_a_namesake_is_new() -> None:
    """The seed has this as an edge case. Design: it holds where several share the name; one alone keeps its key."""
    old = [subject("f", (10, 20), "a", "k1"), subject("f", (100, 110), "b", "k2")]
    assert match_entities([subject("f", (50, 60), "c")], old) == [NewEntity()]
    assert match_entities([subject("f", (50, 60), "c")], old[:1]) == [PositionMatch("k1")]


def test_duplicates_do_not_both_get_the_first_ones_key() -> None:
    old = [subject("f", (10, 20), "same", "k1"), subject("f", (30, 40), "same", "k2")]
    new = [subject("f", (15, 25), "same"), subject("f", (35, 45), "same")]
    assert match_entities(new, old) == [ContentMatch("k1"), ContentMatch("k2")]
