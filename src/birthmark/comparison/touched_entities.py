"""Find the entities that a commit touched: those of its changed files that are not as they were.

Takes the files of a commit with one parent, before and after it; gives TouchedFiles, all that a replay needs of them.
Most entities of a changed file are untouched, so that the cost of a commit grows with what it touched. An untouched
entity has the same path, names, code, comments and package as before. `pair_packed` does so in a worker: packed files
in, TouchedFiles out. Most outlines are in several commits, so they are kept unpacked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache

import msgspec

from birthmark.comparison.changes import find_link_changes, have_same_package, is_verbatim
from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations
from birthmark.comparison.match_candidates import FamilyOf
from birthmark.comparison.pair_commit import CommitPairing, Predecessor, pair_commit
from birthmark.decoding import msgpack_decoder
from birthmark.extraction.codec import unpack_outline, unpack_source
from birthmark.extraction.model import Collisions, EntityRef, Outline, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.matching.pairing_state import ContentIds
from birthmark.model import Entity

Files = Sequence[OutlinedFile]
Run = tuple[int, int, int]  # entities in a row: the first position in the new and in the old file, and the count
LinkChanges = tuple[EntityRef, tuple[str, ...]]  # a touched entity, and its changes in the words of histories

_KEPT = 512  # outlines and sources that are kept unpacked


class FilePart(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file with only its touched entities, and their positions among all of them.

    A new file also names the old file that the untouched entities are from, and the runs of them.
    """

    path: str
    outline: Outline
    positions: tuple[int, ...]
    n_entities: int
    before: int = -1
    kept: tuple[Run, ...] = ()

    def pick(self, of_all: Sequence[int]) -> Sequence[int]:
        """Return the identities of the touched entities from those of all; none if they are not known."""
        return [of_all[position] for position in self.positions] if of_all else ()

    def join(self, touched: Sequence[int], before: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return the identities of all entities; the untouched ones have those of the old files."""
        joined = [0] * self.n_entities
        for position, identity in zip(self.positions, touched, strict=True):
            joined[position] = identity
        for position, old, count in self.kept:
            joined[position : position + count] = before[self.before][old : old + count]
        return tuple(joined)


class TouchedFiles(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The touched entities of old and new files; pairing, changes and derivations refer to these alone."""

    old: tuple[FilePart, ...]
    new: tuple[FilePart, ...]
    predecessors: tuple[tuple[EntityRef, Predecessor], ...]
    deleted: tuple[EntityRef, ...]
    born: tuple[EntityRef, ...]
    candidates: tuple[tuple[EntityRef, tuple[EntityRef, ...]], ...]
    renamed: dict[str, str]  # files: old path to new path
    changes: tuple[LinkChanges, ...]  # of those that have a predecessor and are not as they were
    derivations: tuple[CommitDerivation, ...]

    @property
    def pairing(self) -> CommitPairing:
        """Return the pairing; it is stored as pairs, as not every codec has refs as keys."""
        return CommitPairing(dict(self.predecessors), self.deleted, self.born, dict(self.candidates), self.renamed)


def find_touched(old: Files, new: Files, family_of: FamilyOf, ids: tuple[ContentIds, ContentIds]) -> TouchedFiles:
    """Return the touched entities of a commit; `ids` identify all files of either side."""
    pairing = pair_commit(old, new, family_of, ids=ids)
    derivations = find_commit_derivations(old, new, pairing, family_of)
    kept = _find_kept(old, new, pairing, derivations)
    old_numbers = [dict(_numbered(f, file, set(kept.values()))) for f, file in enumerate(old)]
    new_numbers = [dict(_numbered(g, file, kept)) for g, file in enumerate(new)]
    runs: list[dict[int, EntityRef]] = [{} for _ in new]
    for (g, d), ref in kept.items():
        runs[g][d] = ref

    def before(ref: EntityRef) -> EntityRef:
        return ref[0], old_numbers[ref[0]][ref[1]]

    def after(ref: EntityRef) -> EntityRef:
        return ref[0], new_numbers[ref[0]][ref[1]]

    return TouchedFiles(
        tuple(FilePart(*_part(*one)) for one in zip(old, old_numbers, strict=True)),
        tuple(
            FilePart(*_part(file, numbers), *_runs(kept_in))
            for file, numbers, kept_in in zip(new, new_numbers, runs, strict=True)
        ),
        tuple(
            (after(ref), predecessor._replace(ref=before(predecessor.ref)))
            for ref, predecessor in pairing.predecessors.items()
            if ref not in kept
        ),
        tuple(map(before, pairing.deleted)),
        tuple(map(after, pairing.born)),
        tuple((after(ref), tuple(map(before, olds))) for ref, olds in pairing.candidates.items()),
        pairing.files,
        tuple((after(ref), words) for ref, words in _link_changes(old, new, pairing, kept)),
        tuple(one._replace(source=before(one.source), derivative=after(one.derivative)) for one in derivations),
    )


def _find_kept(
    old: Files, new: Files, pairing: CommitPairing, derivations: Sequence[CommitDerivation]
) -> dict[EntityRef, EntityRef]:
    """Return untouched entities, new to old. Sources and derivatives of derivations count as touched."""
    is_packaged = cache(lambda f, g, language: have_same_package(old[f], new[g], language))
    derived = {one.derivative for one in derivations}
    sources = {one.source for one in derivations}
    kept = {}
    for ref, ((f, e), *_) in pairing.predecessors.items():
        g, d = ref
        if not is_verbatim(old[f], e, new[g], d) or ref in derived or (f, e) in sources:
            continue
        before, after = old[f].outline.entities[e], new[g].outline.entities[d]
        if (before.kind, before.language) == (after.kind, after.language) and is_packaged(f, g, after.language):
            kept[ref] = f, e
    return kept


def _link_changes(old: Files, new: Files, pairing: CommitPairing, kept: Collection[EntityRef]) -> Iterator[LinkChanges]:
    for ref, predecessor in pairing.predecessors.items():
        if ref not in kept and (changes := find_link_changes(old, new, pairing, predecessor.ref, ref)):
            yield ref, tuple(map(str, changes))


def _numbered(f: int, file: OutlinedFile, kept: Collection[EntityRef]) -> Iterator[tuple[int, int]]:
    """Yield position and number of touched entities."""
    positions = [e for e in range(len(file.outline.entities)) if (f, e) not in kept]
    return zip(positions, range(len(positions)), strict=True)


def _part(file: OutlinedFile, numbers: dict[int, int]) -> tuple[str, Outline, tuple[int, ...], int]:
    whole = file.outline
    part = Outline(
        whole.language,
        tuple(_with_container(whole.entities[position], numbers) for position in numbers),
        tuple(whole.fingerprints[position] for position in numbers),
        tuple(whole.weights[position] for position in numbers),
        tuple(whole.semantic_ids[position] for position in numbers),
        *((),) * 5,
        Collisions(),
        (),
    )
    return file.path, part, tuple(numbers), len(whole.entities)


def _with_container(entity: Entity, numbers: dict[int, int]) -> Entity:
    """Return the entity with its container renumbered; an untouched container is dropped."""
    container = numbers.get(entity.container, -1)
    return entity if container == entity.container else msgspec.structs.replace(entity, container=container)


def _runs(kept: dict[int, EntityRef]) -> tuple[int, tuple[Run, ...]]:
    """Return the old file, which is one since paths are the same, and the runs of untouched entities."""
    runs: list[Run] = []
    for position, (_, old) in sorted(kept.items()):
        first, first_old, count = runs[-1] if runs else (-1, -1, 0)
        if (position, old) == (first + count, first_old + count):
            runs[-1] = first, first_old, count + 1
        else:
            runs.append((position, old, 1))
    return next((f for f, _ in kept.values()), -1), tuple(runs)


class PackedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file with the number of its extraction, which identifies its content; outline and source are packed."""

    path: str
    extraction: int
    outline: bytes
    source: bytes


PairingTask = tuple[list[PackedFile], list[PackedFile]]  # the files that a commit changed, before and after
_encoder = msgspec.msgpack.Encoder()
_decode_task = msgpack_decoder(tuple[list[PackedFile], list[PackedFile]]).decode
decode_touched = msgpack_decoder(TouchedFiles).decode
_outline = lru_cache(_KEPT)(unpack_outline)
_source = lru_cache(_KEPT)(unpack_source)


def encode_pairing_task(task: PairingTask) -> bytes:
    return _encoder.encode(task)


def pair_packed(payload: bytes) -> bytes:
    """Pair packed files in a worker."""
    old, new = _decode_task(payload)
    ids = _ids(old), _ids(new)
    return _encoder.encode(find_touched(_outlined(old), _outlined(new), load_registry().family_of, ids))


def _ids(files: Sequence[PackedFile]) -> dict[str, str]:
    return {file.path: str(file.extraction) for file in files}


def _outlined(files: Sequence[PackedFile]) -> list[OutlinedFile]:
    return [
        OutlinedFile(file.path, _outline(file.outline), lambda packed=file.source: _source(packed))  # type: ignore[misc]
        for file in files
    ]
