"""The pairing of a commit as a worker makes it: packed files in, what the commit touched out.

Takes the files that a commit changed, as the cache has them; gives what `find_touched` gives of the same files. Most
outlines are in several commits, so that they are kept unpacked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from birthmark.comparison.touched_entities import TouchedFiles, find_touched
from birthmark.decoding import msgpack_decoder
from birthmark.extraction.codec import unpack_outline, unpack_source
from birthmark.extraction.model import OutlinedFile
from birthmark.languages.registry import load_registry

_KEPT = 512  # outlines and sources that are kept unpacked


class PackedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file by the number of its extraction, which says whether two are equal; outline and source as they are kept."""

    path: str
    extraction: int
    outline: bytes
    source: bytes


class PairingTask(msgspec.Struct, frozen=True, array_like=True):
    """The files that a commit changed, before and after."""

    old: list[PackedFile]
    new: list[PackedFile]


_encoder = msgspec.msgpack.Encoder()
_tasks = msgpack_decoder(PairingTask)
decode_touched = msgpack_decoder(TouchedFiles).decode
_outline = lru_cache(_KEPT)(unpack_outline)
_source = lru_cache(_KEPT)(unpack_source)


def encode_pairing_task(task: PairingTask) -> bytes:
    return _encoder.encode(task)


def pair_packed(payload: bytes) -> bytes:
    """Runs in a worker."""
    task = _tasks.decode(payload)
    old, new = _outlined(task.old), _outlined(task.new)
    return _encoder.encode(find_touched(old, new, load_registry().family_of, (_ids(task.old), _ids(task.new))))


def _ids(files: Sequence[PackedFile]) -> dict[str, str]:
    return {file.path: str(file.extraction) for file in files}


def _outlined(files: Sequence[PackedFile]) -> list[OutlinedFile]:
    return [
        OutlinedFile(file.path, _outline(file.outline), lambda packed=file.source: _source(packed))  # type: ignore[misc]
        for file in files
    ]
