"""What became of chunks between two states of a tree, for those who keep something by chunk uid.

Kept: the same uid. Rekeyed: the same text under a new uid, so that an embedding can stay. Changed: other text of the
same entity, or in the same place. Gone and added: the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from birthmark.comparison.match_candidates import EntityRef
from birthmark.extraction.model import Outline
from birthmark.matching.chunk_alignment import ChunkKeys, align_chunks
from birthmark.vocabulary import ChunkState


class ChunkFile(NamedTuple):
    """A file with its outline in place."""

    path: str
    outline: Outline


class ChunkChange(NamedTuple):
    """The file and the index of a chunk, before and after."""

    change: ChunkState
    before: EntityRef | None
    after: EntityRef | None


def compare_chunks(
    old: Sequence[ChunkFile], new: Sequence[ChunkFile], heirs: dict[EntityRef, EntityRef]
) -> list[ChunkChange]:
    """`heirs` says which old entity is which new one, by file and index."""
    state = _State(old, new)
    state.match(ChunkState.KEPT, lambda file, index: file.outline.chunk_uids[index])
    state.match(ChunkState.REKEYED, lambda file, index: (file.path, text_hash(file, index)))
    state.match(ChunkState.REKEYED, text_hash)
    state.align(heirs)
    gone = [ChunkChange(ChunkState.GONE, place, None) for place in state.old_left]
    added = [ChunkChange(ChunkState.ADDED, None, place) for place in state.new_left]
    return sorted([*state.changes, *gone, *added], key=lambda change: _order(old, new, change))


class _State:
    def __init__(self, old: Sequence[ChunkFile], new: Sequence[ChunkFile]) -> None:
        self.old, self.new = old, new
        self.old_left, self.new_left = _places(old), _places(new)
        self.changes: list[ChunkChange] = []

    def match(self, change: ChunkState, key: Callable[[ChunkFile, int], Hashable]) -> None:
        """Pair chunks that share a key, in source order."""
        free: dict[Hashable, list[EntityRef]] = {}
        for place in self.new_left:
            free.setdefault(key(self.new[place[0]], place[1]), []).append(place)
        for same in free.values():
            same.reverse()
        pairs = [
            (place, twins.pop()) for place in self.old_left if (twins := free.get(key(self.old[place[0]], place[1])))
        ]
        self._take(change, pairs)

    def align(self, heirs: dict[EntityRef, EntityRef]) -> None:
        """What is left of an entity, or of what stands between entities, follows in order."""
        groups: dict[Hashable, tuple[list[EntityRef], list[EntityRef]]] = {}
        for place in self.old_left:
            owner = (place[0], self.old[place[0]].outline.chunks[place[1]].entity)
            key = heirs.get(owner, (-1, -1)) if owner[1] >= 0 else self.old[place[0]].path
            groups.setdefault(key, ([], []))[0].append(place)
        for place in self.new_left:
            entity = self.new[place[0]].outline.chunks[place[1]].entity
            groups.setdefault((place[0], entity) if entity >= 0 else self.new[place[0]].path, ([], []))[1].append(place)
        for olds, news in groups.values():
            aligned = align_chunks(
                [chunk_keys(self.old[f], c) for f, c in olds], [chunk_keys(self.new[f], c) for f, c in news]
            )
            self._take(ChunkState.CHANGED, [(olds[before], news[after]) for before, after in aligned.items()])

    def _take(self, change: ChunkState, pairs: list[tuple[EntityRef, EntityRef]]) -> None:
        self.changes += [ChunkChange(change, before, after) for before, after in pairs]
        olds, news = {before for before, _ in pairs}, {after for _, after in pairs}
        self.old_left = [place for place in self.old_left if place not in olds]
        self.new_left = [place for place in self.new_left if place not in news]


def _places(files: Sequence[ChunkFile]) -> list[EntityRef]:
    return [(f, c) for f, file in enumerate(files) for c in range(len(file.outline.chunks))]


def chunk_keys(file: ChunkFile, index: int) -> ChunkKeys:
    chunk = file.outline.chunks[index]
    return ChunkKeys(text_hash(file, index), (chunk.kind, chunk.name), chunk.kind)


def text_hash(file: ChunkFile, index: int) -> str:
    """The part of a chunk's uid that stands for its own text."""
    chunk = file.outline.chunks[index]
    segment = file.outline.segments[chunk.segment] if chunk.segment >= 0 else None
    rest = file.outline.chunk_uids[index].removeprefix(
        f"ck64:v1:repo:{segment.virtual_path if segment else file.path}:"
    )
    if segment is not None and segment.language:
        rest = rest.removeprefix(f"{segment.language}:")
    return rest.partition(":")[0]


def _order(old: Sequence[ChunkFile], new: Sequence[ChunkFile], change: ChunkChange) -> tuple[str, int]:
    files, place = (new, change.after) if change.after is not None else (old, change.before)
    assert place is not None
    file = files[place[0]]
    return file.path, file.outline.chunks[place[1]].start
