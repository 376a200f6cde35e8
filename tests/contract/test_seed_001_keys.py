"""Seed 001: keys, content hashes and matching; tests 1 to 14 by their names there."""

from __future__ import annotations

import time

from birthmark.identity.keys import choose_births, generate_key, semantic_path_of
from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import (
    ContentMatch,
    FileMatch,
    NewEntity,
    PositionMatch,
    match_entities,
    match_file,
)
from reading import read


def content_hash(code: str) -> str:
    return read("rust", code).fingerprints[0].content


def subject(id_: str, name: str, lines: tuple[int, int], content: str) -> MatchCandidate:
    return MatchCandidate(id_, "src/lib.rs", "fn", name, None, *lines, content)


def test_generate_v2_key_with_timestamp() -> None:
    assert generate_key("rust", "fn", "main", None, "src/lib.rs", 1706284800) == "rust:fn:main:__src_lib_rs:T1706284800"


def test_extract_semantic_path_from_v2_key() -> None:
    assert semantic_path_of("rust:fn:main:__src_lib_rs:T1706284800") == "rust:fn:main:__src_lib_rs"


def test_extract_semantic_path_from_v1_key() -> None:
    assert semantic_path_of("rust:fn:main:__src_lib_rs:10-50") == "rust:fn:main:__src_lib_rs:10-50"
    assert semantic_path_of("rust:fn:T1:__src_lib_rs:10-50") == "rust:fn:T1:__src_lib_rs:10-50"


def test_timestamp_collision_disambiguated_by_name() -> None:
    keys = [generate_key("rust", "fn", name, None, "a.rs", 1706284800) for name in ("process_a", "process_b")]
    assert keys == ["rust:fn:process_a:__a_rs:T1706284800", "rust:fn:process_b:__a_rs:T1706284800"]


def test_rapid_entity_creation_monotonic_timestamps() -> None:
    births = choose_births(["rust:fn:f:__a_rs"] * 100, int(time.time()))
    assert births == sorted(set(births))


def test_compute_sha256_hash_deterministic() -> None:
    code = 'fn main() { println!("hello"); }'
    assert len({content_hash(code) for _ in range(100)}) == 1


def test_whitespace_normalization() -> None:
    """Design: tokens are compared, so this holds with no white space at all between them."""
    assert content_hash('fn main(){println!("hi");}') == content_hash('fn main() {\n    println!("hi");\n}')


def test_different_code_different_hash() -> None:
    assert content_hash("fn process(x: i32) -> i32 { x + 1 }") != content_hash("fn process(x: i32) -> i32 { x + 2 }")


def test_hash_length_16_chars() -> None:
    digest = content_hash("fn f() {}")
    assert len(digest) == 16
    assert int(digest, 16) >= 0


def test_hash_match_unchanged_entity() -> None:
    old, new = [subject("T100", "f", (10, 20), "abc123")], [subject("", "f", (30, 40), "abc123")]
    assert match_entities(new, old) == [ContentMatch("T100")]
    assert match_file(new, old) == FileMatch(("T100",), (), (), ())


def test_position_match_modified_entity() -> None:
    old, new = [subject("T100", "f", (10, 20), "abc123")], [subject("", "f", (15, 25), "def456")]
    assert match_entities(new, old) == [PositionMatch("T100")]
    assert match_file(new, old) == FileMatch((), ("T100",), (), ())


def test_no_match_new_entity() -> None:
    assert match_entities([subject("", "new_func", (1, 2), "x")], []) == [NewEntity()]


def test_duplicate_entities_order_based_matching() -> None:
    old = [subject("T100", "f", (10, 20), "same"), subject("T101", "f", (30, 40), "same")]
    new = [subject("", "f", (15, 25), "same"), subject("", "f", (35, 45), "same")]
    assert match_entities(new, old) == [ContentMatch("T100"), ContentMatch("T101")]


def test_deleted_entity_detection() -> None:
    old = [subject("E1", "a", (1, 2), "a"), subject("E2", "b", (3, 4), "b"), subject("E3", "c", (5, 6), "c")]
    assert match_file(old[:2], old).deleted == ("E3",)


def test_many_lines_above_change_nothing() -> None:
    """Seed 000 allows ten lines, seed 001 a hundred. Design: how far neighbours moved is taken out first."""
    old = [subject("a", "f", (10, 20), "1"), subject("b", "g", (30, 35), "2"), subject("c", "f", (40, 50), "3")]
    new = [subject("", "f", (110, 120), "1"), subject("", "g", (130, 135), "2"), subject("", "f", (141, 155), "4")]
    assert match_entities(new, old) == [ContentMatch("a"), ContentMatch("b"), PositionMatch("c")]
