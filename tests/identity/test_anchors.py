"""Anchors: both forms say the same, whatever is in them, and a damaged one is refused with one line."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.identity.anchors import (
    LONGEST_JSON,
    PREFIX,
    SKETCH,
    Anchor,
    Within,
    encode_anchor,
    find_within,
    hash_lines,
    is_anchor,
    make_anchor,
    parse_anchor,
    sketch_likeness,
    sketch_of,
    within_of,
)
from birthmark.identity.fingerprints import Fingerprint
from birthmark.identity.keys import generate_key, mint_mark

PAGE = Path(__file__).parents[2] / "docs/reference/anchors.md"
hashes = st.text("0123456789abcdef", min_size=16, max_size=16)
names = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=40)
parts = names.filter(lambda name: "/" not in name and name not in (".", ".."))
lines = st.tuples(st.integers(1, 5), st.integers(6, 10**6))
withins = st.builds(Within, st.just((5, 6)), hashes, hashes, hashes)  # in the lines of each anchor
keys = st.one_of(st.none(), st.just(generate_key("python", "fn", "load", None, "src/app.py", 1706284800)))
anchors = st.builds(
    lambda key, path, **fields: make_anchor(
        path="/".join(path), key=key, mark=None if key is None else mint_mark(key), **fields
    ),
    key=keys,
    path=st.lists(parts, min_size=1, max_size=4),
    name=names,
    kind=st.sampled_from(["fn", "method", "class"]),
    language=st.sampled_from(["python", "java"]),
    lines=lines,
    fingerprint=st.builds(
        Fingerprint, hashes, hashes, st.none() | hashes, st.none() | hashes, hashes, st.integers(1, 99)
    ),
    sketch=st.binary(min_size=SKETCH, max_size=SKETCH),
    repository=st.none() | st.just("example.org/shop"),
    commit=st.none() | st.text("0123456789abcdef", min_size=40, max_size=40),
    within=st.none() | withins,
)


@given(anchors)
def test_both_forms_are_read_back(anchor: Anchor) -> None:
    assert parse_anchor(str(anchor)) == anchor
    assert parse_anchor(encode_anchor(anchor).decode()) == anchor
    assert is_anchor(str(anchor))


@given(anchors, st.data())
def test_a_changed_character_is_noticed(anchor: Anchor, data: st.DataObject) -> None:
    text = str(anchor)
    at = data.draw(st.integers(len(PREFIX), len(text) - 1))
    other = data.draw(st.sampled_from("ABCxyz019-_").filter(lambda one: one != text[at]))
    with suppress(BirthmarkError):
        assert parse_anchor(text[:at] + other + text[at + 1 :]) == anchor  # a bit that base64 does not use


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for start in ("", "{", PREFIX, '{"anchor":1,'):
        with suppress(BirthmarkError):
            parse_anchor(start + text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bma2-AAAA", "format 2"),
        ('{"anchor":7}', "format 7"),
        ("bma1-", "damaged"),
        ("bma1-AAAA", "checksum"),
        ("bma1-" + "A" * 70_000, "characters"),
        ('{"anchor":1}', "missing required field"),
        ('{"path":"a"}', "damaged"),
        ("{", "damaged"),
        ("[" * 5_000, ""),
    ],
)
def test_what_is_no_anchor_is_refused_in_one_line(text: str, says: str) -> None:
    if not is_anchor(text):
        assert parse_anchor(text) is None
        return
    with pytest.raises(BirthmarkError, match=says) as caught:
        parse_anchor(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "field",
    [
        {"path": "../a.py"},
        {"path": "/etc/passwd"},
        {"path": ""},
        {"path": "a\0b"},
        {"lines": [5, 2]},
        {"lines": [0, 2]},
        {"fingerprints": "1:abc"},
        {"sketch": "AAAA"},
        {"sketch": "!"},
        {"mark": "bm-nothing"},
        {"commit": "HEAD; rm"},
        {"kind": "file"},
        {"within": {"lines": [1, 2], "tokens": "x", "before": "x", "after": "x"}},
        {"lines": [3, 9], "within": {"lines": [1, 2], **dict.fromkeys(("tokens", "before", "after"), "0" * 16)}},
        {"kind": "file", "name": "", "within": None},
    ],
)
def test_a_part_that_cannot_be_is_refused(field: dict[str, object]) -> None:
    document = json.loads(encode_anchor(EXAMPLE)) | field
    with pytest.raises(BirthmarkError, match="damaged"):
        parse_anchor(json.dumps(document))


SOURCE = b"def load(path):\n    with open(path) as file:\n        return file.read()\n"
EXAMPLE = make_anchor(
    path="src/app.py",
    name="load",
    kind="fn",
    language="python",
    lines=(1, 3),
    fingerprint=Fingerprint("0" * 16, "1" * 16, "2" * 16, None, "3" * 16),
    sketch=sketch_of(SOURCE),
)


def test_a_long_anchor_leaves_its_key_out() -> None:
    key = generate_key(
        "java", "method", "handleAuthorization", "Server.Filter", "src/main/java/org/example/Server.java", 1
    )
    anchor = make_anchor(
        path="src/main/java/org/example/Server.java",
        name="Server.Filter.handleAuthorization",
        kind="method",
        language="java",
        lines=(100, 200),
        fingerprint=Fingerprint("0" * 16, "1" * 16, "2" * 16, "4" * 16, "3" * 16),
        sketch=bytes(SKETCH),
        mark=mint_mark(key),
        key=key,
        repository="example.org/organisation/repository",
        commit="0" * 40,
    )
    assert anchor.key is None
    assert anchor.mark == mint_mark(key)
    assert len(encode_anchor(anchor)) <= LONGEST_JSON


def test_a_sketch_shows_how_much_is_the_same() -> None:
    text = b" ".join(b"word%d" % number for number in range(200))
    edited = text.replace(b"word7", b"other")
    assert sketch_likeness(sketch_of(text), sketch_of(text)) == 1
    assert sketch_likeness(sketch_of(text), sketch_of(text.replace(b" ", b"\n  "))) == 1
    assert sketch_likeness(sketch_of(text), sketch_of(edited)) > 0.6
    assert sketch_likeness(sketch_of(text), sketch_of(text[::-1])) < 0.2
    assert len(sketch_of(b"")) == SKETCH


LINES = [b"def f(x):", b"    a = 1", b"", b"    b = 2", b"    c = 3", b"    return a"]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (LINES, [(4, 4)]),
        ([b"# one", b"# two", *LINES], [(6, 6)]),
        ([*LINES[:3], b"\tb  =  2", *LINES[4:]], [(4, 4)]),
        ([*LINES[:3], b"    b = 4", *LINES[4:]], [(4, 4)]),
        ([*LINES[:3], *LINES[4:]], []),
        ([*LINES, *LINES], [(4, 4), (10, 10)]),
        ([*LINES, b"    b = 2", b"    return b"], [(4, 4)]),
        ([b"pass"], []),
    ],
)
def test_lines_are_found_again(after: list[bytes], expected: list[tuple[int, int]]) -> None:
    before, now = hash_lines(b"\n".join(LINES)), hash_lines(b"\n".join(after))
    within = within_of(before, 4, 4, 1, len(LINES))
    assert find_within(within, now, 1, len(after))[0] == expected


@pytest.mark.parametrize(
    ("text", "n_lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\n\n", 2), (b"a\r\nb\rc\n", 2), (b"\n", 1)]
)
def test_only_a_line_feed_ends_a_line(text: bytes, n_lines: int) -> None:
    assert len(hash_lines(text)) == n_lines


def test_the_vectors_of_the_specification_hold() -> None:
    vectors = [json.loads(block) for block in re.findall(r"```json vector\n(.*?)```", PAGE.read_text(), re.S)]
    assert len(vectors) >= 4
    for vector in vectors:
        if "sketch" in vector:
            assert sketch_of(vector["text"].encode()).hex() == vector["sketch"]
        elif "within" in vector:
            rows = hash_lines(vector["text"].encode())
            first, last = vector["lines"]
            found = within_of(rows, first, last, 1, len(rows))
            assert json.loads(msgspec.json.encode(found)) == vector["within"]
        else:
            anchor = parse_anchor(json.dumps(vector["anchor"]))
            assert anchor is not None
            assert str(anchor) == vector["line"]
            assert parse_anchor(vector["line"]) == anchor
