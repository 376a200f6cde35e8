"""The pairing of a commit as a worker makes it: packed files in, the pairing and its derivations out.

Takes the files that a commit changed, as the cache has them; gives a PairedFiles, which is what `pair_commit` and
`find_commit_derivations` give of the same files. Most outlines are in several commits, so that they are kept unpacked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations
from birthmark.comparison.pair_commit import CommitPairing, Predecessor, pair_commit
from birthmark.extraction.codec import unpack_outline, unpack_source
from birthmark.extraction.model import EntityRef, OutlinedFile
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


class PairedFiles(NamedTuple):
    """The pairing of some files, and what it shows of where code came from."""

    pairing: CommitPairing
    derivations: tuple[CommitDerivation, ...]


class _Result(msgspec.Struct, frozen=True, array_like=True):
    """Refs are no keys of objects in every codec."""

    predecessors: list[tuple[EntityRef, Predecessor]]
    deleted: tuple[EntityRef, ...]
    born: tuple[EntityRef, ...]
    candidates: list[tuple[EntityRef, tuple[EntityRef, ...]]]
    files: dict[str, str]
    derivations: tuple[CommitDerivation, ...]


_encoder = msgspec.msgpack.Encoder()
_tasks = msgspec.msgpack.Decoder(PairingTask)
_results = msgspec.msgpack.Decoder(_Result)
_outline = lru_cache(_KEPT)(unpack_outline)
_source = lru_cache(_KEPT)(unpack_source)


def encode_pairing_task(task: PairingTask) -> bytes:
    return _encoder.encode(task)


def pair_packed(payload: bytes) -> bytes:
    """Runs in a worker."""
    task, family_of = _tasks.decode(payload), load_registry().family_of
    old, new = _outlined(task.old), _outlined(task.new)
    pairing = pair_commit(old, new, family_of, ids=(_ids(task.old), _ids(task.new)))
    derivations = find_commit_derivations(old, new, pairing, family_of)
    predecessors, candidates = list(pairing.predecessors.items()), list(pairing.candidates.items())
    result = _Result(predecessors, pairing.deleted, pairing.born, candidates, pairing.files, derivations)
    return _encoder.encode(result)


def decode_paired_files(result: bytes) -> PairedFiles:
    found = _results.decode(result)
    pairing = CommitPairing(dict(found.predecessors), found.deleted, found.born, dict(found.candidates), found.files)
    return PairedFiles(pairing, found.derivations)


def _ids(files: Sequence[PackedFile]) -> dict[str, str]:
    return {file.path: str(file.extraction) for file in files}


def _outlined(files: Sequence[PackedFile]) -> list[OutlinedFile]:
    return [
        OutlinedFile(file.path, _outline(file.outline), lambda packed=file.source: _source(packed))  # type: ignore[misc]
        for file in files
    ]
