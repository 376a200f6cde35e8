"""Names parse back to their parts, whatever is in them."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.identity.keys import (
    Key,
    choose_birth,
    choose_births,
    derive_marks,
    external_key,
    generate_key,
    mint_mark,
    parse_key,
    parse_mark,
    place_of,
    semantic_path_of,
)
from birthmark.identity.semantic_ids import SemanticId, base_id, base_ids, fnv1a, parse_semantic_id
from birthmark.model import Node

HOSTILE = ["->", "[", "]", ",", "#", "#0", ":", ":T1", "%", "%3A", "[in:x]", ",h:abcd]", "EXTERNAL_MODULE", " ", "\n"]
HOSTILE += ["😀", "\u202eabc", "e\u0301", "get:name", "T5", "10-50", "x" * 10_000, "", "a.b", "operator->", "\0"]

names = st.lists(st.sampled_from([*HOSTILE, "a", "B", "_"]), max_size=4).map("".join) | st.text(max_size=20)
words = st.from_regex(r"[a-z]+", fullmatch=True)
births = st.integers(0, 2**40)


@given(words, words, names, st.none() | names, names, births)
def test_keys_parse_back(language: str, kind: str, name: str, parent: str | None, path: str, birth: int) -> None:
    key = generate_key(language, kind, name, parent, path, birth)
    assert parse_key(key) == Key(language, kind, name, parent, place_of(path), birth)
    assert str(parse_key(key)) == key
    assert semantic_path_of(key) == key.rsplit(":T", 1)[0]


@given(words, words, names, st.none() | names, names, births)
def test_v1_keys_come_back_whole(language: str, kind: str, name: str, parent: str | None, path: str, line: int) -> None:
    key = semantic_path_of(generate_key(language, kind, name, parent, path, 0)) + f":{line}-{line + 9}"
    assert semantic_path_of(key) == key
    assert parse_key(key) is None


@given(
    names,
    st.from_regex(r"[A-Z][A-Z_]{0,9}", fullmatch=True).filter(
        lambda type_: type_ not in ("PARAMETER", "EXTERNAL_MODULE")
    ),
    names,
    names,
    st.none() | st.from_regex(r"[0-9a-f]{4}([0-9a-f]{4})?", fullmatch=True),
    st.none() | st.integers(0, 10**6),
)
def test_semantic_ids_parse_back(
    file: str, type_: str, name: str, parent: str, digest: str | None, counter: int | None
) -> None:
    parts = SemanticId(file, type_, name, parent, digest, counter)
    assert parse_semantic_id(str(parts)) == parts


@given(names, names, names, st.integers(0, 300), st.none() | st.just("abcd"))
def test_parameters_parse_back(file: str, name: str, parent: str, position: int, digest: str | None) -> None:
    parts = SemanticId(file, "PARAMETER", name, parent, digest, position=position)
    assert parse_semantic_id(str(parts)) == parts


@given(names)
def test_externals_parse_back(name: str) -> None:
    parts = SemanticId("", "EXTERNAL_MODULE", name)
    assert parse_semantic_id(str(parts)) == parts


@given(names, names, names, names)
def test_different_parts_have_different_ids(file: str, other: str, name: str, another: str) -> None:
    one, two = SemanticId(file, "CALL", name, "p"), SemanticId(other, "CALL", another, "p")
    assert (str(one) == str(two)) == (one == two)


@given(st.lists(st.tuples(st.sampled_from(["CALL", "PARAMETER", "EXTERNAL_MODULE"]), names, names), max_size=5), names)
def test_the_ids_of_many_nodes_are_those_of_each(nodes: list[tuple[str, str, str]], file: str) -> None:
    made = [
        Node(type_, name, parent, 1, 1, 0, 1, None, 3 if type_ == "PARAMETER" else None, -1)
        for type_, name, parent in nodes
    ]
    each = [base_id(file, node.type, node.name, node.named_parent, node.position) for node in made]
    assert base_ids(made, {-1: file}) == each


@given(st.text(max_size=30))
def test_anything_else_is_no_id(text: str) -> None:
    for parsed in (parse_key(text), parse_semantic_id(text)):
        assert parsed is None or str(parsed) == text or "%" in text


@pytest.mark.parametrize("text", ["", "a", "a->b", "a->CALL->f", "a->call->f[in:x]", "a->CALL->f[in:x]#", "->"])
def test_no_semantic_id(text: str) -> None:
    assert parse_semantic_id(text) is None


@pytest.mark.parametrize(
    "text", ["", "T1", "rust:fn:T1", "a:b:c:d:e:f:T1", "rust:fn:f:__a_rs:T", "rust:fn:f:__a_rs:T-1"]
)
def test_no_key(text: str) -> None:
    assert parse_key(text) is None


def test_a_method_has_its_parent_in_the_key() -> None:
    key = "rust:method:process:MyStruct:__src_lib_rs:T1706284800"
    assert generate_key("rust", "method", "process", "MyStruct", "src/lib.rs", 1706284800) == key


def test_externals_are_born_at_zero() -> None:
    assert external_key("rust", "struct", "HashMap", "std::collections") == "rust:struct:HashMap:std_collections:T0"


def test_a_taken_second_moves_on() -> None:
    assert choose_birth(5, {5, 6, 8}) == 7
    assert choose_births(["a", "a", "b", "a"], 5, {"a": {6}}) == [5, 7, 5, 8]


@given(st.lists(st.sampled_from("abc")), st.integers(0, 99))
def test_births_are_unique_and_rise_within_a_path(paths: list[str], now: int) -> None:
    given_births = choose_births(paths, now)
    for path in set(paths):
        own = [birth for other, birth in zip(paths, given_births, strict=True) if other == path]
        assert own == sorted(set(own))
        assert own[0] == now


def test_the_mark_of_a_key() -> None:
    """Others store these strings: this one may never change."""
    assert mint_mark("rust:fn:handle_auth:__src_auth_rs:T1706284800") == "bm-wyahghpvwxw4"


@given(names)
def test_marks_are_well_formed_and_forgive_how_they_are_typed(key: str) -> None:
    mark = mint_mark(key)
    assert parse_mark(mark) == mark
    assert parse_mark(f" {mark.upper().replace('0', 'O').replace('1', 'I')} ") == mark


@given(st.lists(names))
def test_the_marks_of_many_keys_are_those_of_each(keys: list[str]) -> None:
    """Made in C where the module is; no digit is one of those that are misread."""
    digits = str.maketrans("abcdefghijklmnopqrstuv", "abcdefghjkmnpqrstvwxyz")
    expected = []
    for key in keys:
        number = int.from_bytes(sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 4
        expected.append("bm-" + _in_base_32(number).translate(digits))
    assert derive_marks(keys) == expected


def _in_base_32(number: int) -> str:
    return "".join("0123456789abcdefghijklmnopqrstuv"[number >> shift & 31] for shift in range(55, -1, -5))


def test_a_key_that_is_no_text_has_a_mark_beside_others() -> None:
    assert derive_marks(["k", "\ud800"]) == [mint_mark("k"), mint_mark("\ud800")]


def test_a_taken_mark_leads_to_another() -> None:
    first = mint_mark("k")
    second = mint_mark("k", {first})
    assert second != first
    assert mint_mark("k", {first}) == second


@pytest.mark.parametrize("text", ["", "bm-", "bm-123", "xx-7k3q9w2m4x8p", "bm-7k3q9w2m4x8u", "bm-7k3q9w2m4x8pp"])
def test_no_mark(text: str) -> None:
    assert parse_mark(text) is None


@pytest.mark.parametrize(("text", "value"), [(b"", 0x811C9DC5), (b"a", 0xE40C292C), (b"foobar", 0xBF9CF968)])
def test_fnv1a(text: bytes, value: int) -> None:
    """The published vectors of FNV-1a, 32 bits."""
    assert fnv1a(text) == value
