r"""Chunk uid, segment uid and virtual path: identity by content and context.

All hashes are xxh64, written as 16 hex digits, of text whose line ends are `\n`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import xxhash

NAMESPACE = "repo"
CONTEXT_CHARS = 128
ESCALATION_CHARS = 1024


def normalize_for_uid(text: str) -> str:
    """Normalize line ends and nothing else."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def checksum(text: str) -> str:
    # Bytes that are not UTF-8 were decoded to lone surrogates; they are hashed as the original bytes.
    return xxhash.xxh64_hexdigest(text.encode("utf-8", "surrogateescape"))


def segment_uid(segment_type: str, language: str | None, text: str) -> str:
    return "segu:v1:" + checksum(f"seg\0{segment_type}\0{language or ''}\0{normalize_for_uid(text)}")


def virtual_path(path: str, uid: str | None) -> str:
    """Return the path of a file, or the virtual path of a segment in it."""
    return f"{path}#seg:{uid}" if uid else path


class ChunkSpan(NamedTuple):
    """The identifying parts of a chunk; offsets count code points."""

    path: str
    virtual_path: str
    segment_uid: str | None
    language: str | None  # of the segment
    start: int
    end: int
    kind: str
    name: str | None


class ChunkMetrics(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Numbers of colliding chunk uids, by the way of resolution."""

    collisions: int = 0  # uids shared by several chunks
    resolved_by_escalation: int = 0  # chunks
    resolved_by_ordinal: int = 0  # chunks
    largest_group: int = 0
    files: tuple[str, ...] = ()

    def __add__(self, other: ChunkMetrics) -> ChunkMetrics:
        return ChunkMetrics(
            self.collisions + other.collisions,
            self.resolved_by_escalation + other.resolved_by_escalation,
            self.resolved_by_ordinal + other.resolved_by_ordinal,
            max(self.largest_group, other.largest_group),
            tuple(sorted({*self.files, *other.files})),
        )


def chunk_uid(text: str, chunk: ChunkSpan, context: int = CONTEXT_CHARS) -> str:
    """Return the uid of a chunk: hashes of its content and the characters around it."""
    start, end = chunk.start, chunk.end
    parts = ["ck64:v1", NAMESPACE, chunk.virtual_path]
    if chunk.language:
        parts.append(chunk.language)
    parts.append(checksum("span\0" + normalize_for_uid(text[start:end])))
    if before := text[max(0, start - context) : start]:
        parts.append(checksum("pre\0" + normalize_for_uid(before)))
    if after := text[end : end + context]:
        parts.append(checksum("post\0" + normalize_for_uid(after)))
    return ":".join(parts)


def chunk_id(chunk: ChunkSpan) -> str:
    """Return the older id, based on the range, which changes with every shift."""
    return "chunk_" + checksum(f"{chunk.path}\0{chunk.start}\0{chunk.end}\0{chunk.kind}\0{chunk.name or ''}")


def chunk_uids(text: str, chunks: Sequence[ChunkSpan]) -> tuple[list[str], ChunkMetrics]:
    """Return the uids of a file's chunks; they contain the path, so that chunks of other files never collide."""
    uids = [chunk_uid(text, chunk) for chunk in chunks]
    groups = [members for members in _group(uids).values() if len(members) > 1]
    n_escalated = n_counted = 0
    for members in groups:
        wider = {index: chunk_uid(text, chunks[index], ESCALATION_CHARS) for index in members}
        alike = [index for group in _group(wider).values() if len(group) > 1 for index in group]
        for ordinal, index in enumerate(sorted(alike, key=lambda index: _sort_key(chunks[index])), 1):
            wider[index] = f"{uids[index]}:ord{ordinal}"
        for index, uid in wider.items():
            uids[index] = uid
        n_counted += len(alike)
        n_escalated += len(members) - len(alike)
    largest = max(map(len, groups), default=0)
    files = tuple(sorted({chunks[members[0]].path for members in groups}))
    return uids, ChunkMetrics(len(groups), n_escalated, n_counted, largest, files)


def _group(uids: Sequence[str] | Mapping[int, str]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for index, uid in uids.items() if isinstance(uids, Mapping) else enumerate(uids):
        groups.setdefault(uid, []).append(index)
    return groups


def _sort_key(chunk: ChunkSpan) -> tuple[str, str, int, int, str, str]:
    return (chunk.path, chunk.segment_uid or "", chunk.start, chunk.end, chunk.kind, chunk.name or "")
