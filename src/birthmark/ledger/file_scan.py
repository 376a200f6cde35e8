"""Scan the files that may have changed: read them, hash them, and have extracted what is not in the cache.

Takes ScannedFiles, which it fills in, and IndexTools to touch the world with. What was extracted is kept at once: a run
that is interrupted has lost nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha1
from typing import NamedTuple

import msgspec

from birthmark.errors import BirthmarkError
from birthmark.model import Problem
from birthmark.sources.discover import FoundFile
from birthmark.store.model import SnapshotFile
from birthmark.store.port import Store, Value

_BATCH = 200  # files that are looked up in the cache together
_FLUSH_SECONDS = 2.0
_RACY_NS = 50_000_000


class ExtractionTask(NamedTuple):
    """A source to be extracted."""

    content_id: bytes
    language: str
    content: bytes
    path: str  # one at which it stands


class PackedExtraction(msgspec.Struct, frozen=True, array_like=True):
    """What a worker made of a source, packed for the store; nodes only at full detail."""

    outline: bytes
    source: bytes
    nodes: bytes | None
    n_entities: int
    n_nodes: int
    n_chunks: int
    n_edges: int
    notes: bytes


class IndexTools(NamedTuple):
    """How the world is touched."""

    read: Callable[[FoundFile], bytes]  # raises BirthmarkError
    detect: Callable[[FoundFile, bytes], str | None]
    extract: Callable[[Iterable[ExtractionTask]], Iterator[tuple[ExtractionTask, PackedExtraction | Problem]]]
    family_of: Callable[[str], str]
    extractor: str  # what extractions depend on besides content and language
    setup: str  # all that may give another index of the same files
    wants_nodes: bool
    now: Callable[[], int]
    progress: Callable[[str, int, int], None]


class ScannedFile(msgspec.Struct):
    """A file that may have changed, as it is found."""

    found: FoundFile
    content_id: bytes = b""
    language: str | None = None
    problem: str | None = None


def content_id_of(content: bytes) -> bytes:
    """Git's id of the blob, so that what git knows by it is known here without reading."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).digest()


def extract_missing(store: Store, looks: list[ScannedFile], tools: IndexTools) -> int:
    """Read and hash the files, and put what is not in the cache there. Returns how many were extracted."""
    problems: dict[tuple[bytes, str], str] = {}
    waiting: list[tuple[Value, ...]] = []
    n_extracted, flushed = 0, time.monotonic()
    for task, result in tools.extract(_missing_tasks(store, looks, tools)):
        n_extracted += 1
        if isinstance(result, Problem):
            problems[task.content_id, task.language] = result.problem
        else:
            waiting.append((task.content_id, task.language, tools.extractor, *msgspec.structs.astuple(result)))
        if time.monotonic() - flushed > _FLUSH_SECONDS:
            _flush(store, waiting)
            flushed = time.monotonic()
    _flush(store, waiting)
    for look in looks:
        if look.language is not None:
            look.problem = look.problem or problems.get((look.content_id, look.language))
    return n_extracted


def _flush(store: Store, waiting: list[tuple[Value, ...]]) -> None:
    if waiting:
        with store.writing():
            store.keep_extractions(waiting)
        waiting.clear()


def _missing_tasks(store: Store, looks: list[ScannedFile], tools: IndexTools) -> Iterator[ExtractionTask]:
    seen: set[tuple[bytes, str]] = set()
    for first in range(0, len(looks), _BATCH):
        tools.progress("reading", first, len(looks))
        batch: dict[tuple[bytes, str], tuple[bytes, str]] = {}
        for look in looks[first : first + _BATCH]:
            content = _read(look, tools)
            if content is not None and look.language is not None:
                batch.setdefault((look.content_id, look.language), (content, look.found.path))
        cached = store.extractions(batch.keys() - seen, tools.extractor, with_nodes=tools.wants_nodes)
        for (content_id, language), (content, path) in batch.items():
            if (content_id, language) not in cached and (content_id, language) not in seen:
                yield ExtractionTask(content_id, language, content, path)
        seen |= batch.keys()
    tools.progress("reading", len(looks), len(looks))


def _read(look: ScannedFile, tools: IndexTools) -> bytes | None:
    try:
        content = tools.read(look.found)
    except BirthmarkError as error:
        look.problem = str(error)
        return None
    look.content_id = content_id_of(content)
    look.language = tools.detect(look.found, content)
    return content


def is_racy(found: FoundFile, started: int) -> bool:
    """Whether a file was written so shortly before it was looked at that it may be written again unseen."""
    return max(found.mtime_ns, found.ctime_ns) >= started - _RACY_NS


def is_as_known(found: FoundFile, row: SnapshotFile | None) -> bool:
    return row is not None and (found.size, found.mtime_ns, found.ctime_ns, found.inode, found.language) == (
        row.size,
        row.mtime_ns,
        row.ctime_ns,
        row.inode,
        row.attribute,
    )


def pending_paths(
    found: Iterable[FoundFile], known: dict[str, SnapshotFile], read: Callable[[FoundFile], bytes]
) -> list[str]:
    """Files that are new, gone or changed since they were indexed; read only where their status leaves a doubt."""
    there = {file.path: file for file in found}
    changed = [path for path, file in there.items() if not _is_same(file, known.get(path), read)]
    return sorted([*changed, *(path for path in known if path not in there)])


def _is_same(found: FoundFile, row: SnapshotFile | None, read: Callable[[FoundFile], bytes]) -> bool:
    if row is None or is_as_known(found, row):
        return row is not None
    if (found.size, found.language) != (row.size, row.attribute):
        return False
    try:
        return content_id_of(read(found)) == row.content
    except BirthmarkError:
        return False
