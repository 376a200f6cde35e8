"""Seed 003: chunk and segment uids, virtual paths; its three fixtures and its acceptance list."""

from __future__ import annotations

import json
import re

import xxhash

from birthmark.documents.definitions import chunk_documents
from birthmark.documents.document import encode_line
from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.model import ChunkedFile, FileNodes
from birthmark.identity.uids import ChunkSpan, chunk_uid, chunk_uids, normalize_for_uid, segment_uid, virtual_path
from reading import read

TWO = "def first():\n    return 'a' * 10\n\n\ndef second():\n    return 'b' * 10\n"
PADDING = "".join(f"# {i} {'x' * 60}\n" for i in range(4))  # more than a window of context


def uid_of(reading: FileNodes, name: str) -> str:
    (uid,) = [uid for chunk, uid in zip(reading.chunks, reading.chunk_uids, strict=True) if chunk.name == name]
    return uid


# Test fixtures


def test_line_shift_resilience() -> None:
    before = read("python", PADDING + "\n" + TWO)
    after = read("python", "import os\n" * 10 + PADDING + "\n" + TWO)
    for name in ("first", "second"):
        assert uid_of(before, name) == uid_of(after, name)


def test_segment_safety() -> None:
    fence = "```python\ndef f():\n    return 1\n```\n"
    reading = read("markdown", f"{fence}\ntext\n\n{fence}\n```python\ndef g(): pass\n```\n", "a.md")
    one, two, other = reading.segments
    assert one.segment_uid == two.segment_uid != other.segment_uid
    assert len(set(reading.chunk_uids)) == len(reading.chunk_uids)


def test_deterministic_collision_disambiguation() -> None:
    same = "x = 1\n" * 1000
    sizes = ChunkSizes(longest=600)
    before, after = read("python", same, sizes=sizes), read("python", "import os\n" * 60 + same, sizes=sizes)
    ordinals = [uid for uid in before.chunk_uids if ":ord" in uid]
    assert len(ordinals) > 2
    assert len(set(before.chunk_uids)) == len(before.chunk_uids)
    assert set(ordinals) <= set(after.chunk_uids)
    assert before.chunk_uids == read("python", same, sizes=sizes).chunk_uids


# The algorithms


def test_normalize_for_uid() -> None:
    assert normalize_for_uid(" a\r\nb\rc\n\t") == " a\nb\nc\n\t"


def test_segment_uid() -> None:
    expected = xxhash.xxh64(b"seg\0fence\0python\0x\ny").hexdigest()
    assert segment_uid("fence", "python", "x\r\ny") == f"segu:v1:{expected}"
    assert segment_uid("fence", None, "x") == "segu:v1:" + xxhash.xxh64(b"seg\0fence\0\0x").hexdigest()


def test_virtual_path() -> None:
    assert virtual_path("a.md", None) == "a.md"
    assert virtual_path("a.md", "segu:v1:0") == "a.md#seg:segu:v1:0"


def span(start: int, end: int, language: str | None = None) -> ChunkSpan:
    return ChunkSpan("a.py", "a.py", None, language, start, end, "gap", None)


def test_chunk_uid_construction() -> None:
    text = "p" * 200 + "SPAN" + "q" * 200

    def checksum(content: str) -> str:
        return xxhash.xxh64(content.encode()).hexdigest()

    span_hash, pre, post = checksum("span\0SPAN"), checksum("pre\0" + "p" * 128), checksum("post\0" + "q" * 128)
    assert chunk_uid(text, span(200, 204)) == f"ck64:v1:repo:a.py:{span_hash}:{pre}:{post}"
    assert chunk_uid(text, span(200, 204, "js")) == f"ck64:v1:repo:a.py:js:{span_hash}:{pre}:{post}"
    assert chunk_uid("SPAN", span(0, 4)) == f"ck64:v1:repo:a.py:{span_hash}"


def test_escalation() -> None:
    text = "a" + "-" * 300 + "SPAN" + "-" * 300 + "b" + "-" * 300 + "SPAN" + "-" * 300 + "c"
    first, second = text.index("SPAN"), text.rindex("SPAN")
    uids, metrics = chunk_uids(text, [span(first, first + 4), span(second, second + 4)])
    assert len(set(uids)) == 2
    assert not any(":ord" in uid for uid in uids)
    assert (metrics.collisions, metrics.resolved_by_escalation, metrics.resolved_by_ordinal) == (1, 2, 0)
    assert (metrics.largest_group, metrics.files) == (2, ("a.py",))


def test_ordinals_sort_numerically() -> None:
    text = "-" * 60_000
    spans = [span(start, start + 4) for start in range(5000, 55_000, 1000)]
    uids, metrics = chunk_uids(text, list(reversed(spans)))
    assert [int(uid.rsplit(":ord", 1)[1]) for uid in reversed(uids)] == list(range(1, len(spans) + 1))
    assert metrics.resolved_by_ordinal == len(spans)


def test_offsets_count_code_points() -> None:
    text = "é😀" * 100 + "SPAN"
    assert chunk_uid(text, span(200, 204)).split(":")[5] == xxhash.xxh64(("pre\0" + text[72:200]).encode()).hexdigest()


# Acceptance


def test_every_chunk_has_its_uid_where_the_contract_says() -> None:
    source = "# T\n\n```py\nx = 1\n```\n"
    reading = read("markdown", source, "a.md")
    for document in chunk_documents(ChunkedFile(reading.path, reading, source.encode)):
        text = json.loads(encode_line(document))
        assert re.fullmatch(r"ck64:v1:repo:a\.md.*", text["chunkUid"])
        assert text["metaV2"]["chunkUid"] == text["chunkUid"]
        if text["segment"]:
            assert text["metaV2"]["segment"]["segmentUid"] == text["segment"]["segmentUid"]
            assert text["virtualPath"] == f"a.md#seg:{text['segment']['segmentUid']}"
            assert text["metaV2"]["segment"]["virtualPath"] == text["virtualPath"]
        assert text["chunkId"]


def test_same_spans_in_other_segment_languages_do_not_collapse() -> None:
    reading = read("markdown", "```js\nf()\n```\n\n```py\nf()\n```\n", "a.md")
    uids = [uid for chunk, uid in zip(reading.chunks, reading.chunk_uids, strict=True) if chunk.segment >= 0]
    assert len(set(uids)) == 2
