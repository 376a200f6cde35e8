"""Compare the chunks of two states of a tree, for stores that are keyed by chunk uid.

Kept: the same uid. Rekeyed: the same text under a new uid, so that an embedding can stay. Changed: other text of the
same entity, or at the same position. Gone and added: the rest. Chunks of one entity are aligned in order by their
texts, names and kinds; chunks whose text moved unchanged are aligned as well.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from birthmark.extraction.model import ChunkedFile, EntityRef, FileNodes, Outline, OutlinedFile
from birthmark.extraction.placement import span_of
from birthmark.identity.uids import chunk_id
from birthmark.vocabulary import ChunkState

ChunkKeys = tuple[Hashable, Hashable, Hashable]  # text, name and kind: the surest key comes first
_N_KEYS = 3


class ChunkChange(NamedTuple):
    """A change of a chunk, with file and index before and after."""

    change: ChunkState
    before: EntityRef | None
    after: EntityRef | None


def compare_chunks(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], successors: dict[EntityRef, EntityRef]
) -> list[ChunkChange]:
    """Return the changes of all chunks; `successors` maps old entities to new ones."""
    matcher = _ChunkMatcher(old, new)
    matcher.match(ChunkState.KEPT, lambda _, outline, index: outline.chunk_uids[index])
    matcher.match(ChunkState.REKEYED, lambda path, outline, index: (path, text_hash(path, outline, index)))
    matcher.match(ChunkState.REKEYED, text_hash)
    matcher.align(successors)
    gone = [ChunkChange(ChunkState.GONE, ref, None) for ref in matcher.old_left]
    added = [ChunkChange(ChunkState.ADDED, None, ref) for ref in matcher.new_left]
    return sorted([*matcher.changes, *gone, *added], key=lambda change: _order(old, new, change))


class _ChunkMatcher:
    def __init__(self, old: Sequence[OutlinedFile], new: Sequence[OutlinedFile]) -> None:
        self.old, self.new = old, new
        self.old_left, self.new_left = _all_chunks(old), _all_chunks(new)
        self.changes: list[ChunkChange] = []

    def match(self, change: ChunkState, key: Callable[[str, Outline, int], Hashable]) -> None:
        """Pair chunks that share a key, in source order."""
        free: dict[Hashable, list[EntityRef]] = {}
        for ref in self.new_left:
            free.setdefault(key(*self.new[ref[0]][:2], ref[1]), []).append(ref)
        for same in free.values():
            same.reverse()
        pairs = [(ref, twins.pop()) for ref in self.old_left if (twins := free.get(key(*self.old[ref[0]][:2], ref[1])))]
        self._take(change, pairs)

    def align(self, successors: dict[EntityRef, EntityRef]) -> None:
        """Align the remaining chunks of each entity, and of the code between entities, in order."""
        groups: dict[Hashable, tuple[list[EntityRef], list[EntityRef]]] = {}
        for ref in self.old_left:
            owner = (ref[0], self.old[ref[0]].outline.chunks[ref[1]].entity)
            key = successors.get(owner, (-1, -1)) if owner[1] >= 0 else self.old[ref[0]].path
            groups.setdefault(key, ([], []))[0].append(ref)
        for ref in self.new_left:
            entity = self.new[ref[0]].outline.chunks[ref[1]].entity
            groups.setdefault((ref[0], entity) if entity >= 0 else self.new[ref[0]].path, ([], []))[1].append(ref)
        for olds, news in groups.values():
            aligned = align_chunks(
                [chunk_keys(*self.old[f][:2], c) for f, c in olds], [chunk_keys(*self.new[f][:2], c) for f, c in news]
            )
            self._take(ChunkState.CHANGED, [(olds[before], news[after]) for before, after in aligned.items()])

    def _take(self, change: ChunkState, pairs: list[tuple[EntityRef, EntityRef]]) -> None:
        self.changes += [ChunkChange(change, before, after) for before, after in pairs]
        olds, news = {before for before, _ in pairs}, {after for _, after in pairs}
        self.old_left = [ref for ref in self.old_left if ref not in olds]
        self.new_left = [ref for ref in self.new_left if ref not in news]


def _all_chunks(files: Sequence[OutlinedFile]) -> list[EntityRef]:
    return [(f, c) for f, file in enumerate(files) for c in range(len(file.outline.chunks))]


def chunk_keys(path: str, outline: Outline, index: int) -> ChunkKeys:
    chunk = outline.chunks[index]
    return text_hash(path, outline, index), (chunk.kind, chunk.name), chunk.kind


def text_hash(path: str, outline: Outline | FileNodes, index: int) -> str:
    """Return the part of a chunk's uid that is the hash of its own text."""
    chunk = outline.chunks[index]
    segment = outline.segments[chunk.segment] if chunk.segment >= 0 else None
    rest = outline.chunk_uids[index].removeprefix(f"ck64:v1:repo:{segment.virtual_path if segment else path}:")
    if segment is not None and segment.language:
        rest = rest.removeprefix(f"{segment.language}:")
    return rest.partition(":")[0]


def _order(old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], change: ChunkChange) -> tuple[str, int]:
    files, ref = (new, change.after) if change.after is not None else (old, change.before)
    assert ref is not None
    file = files[ref[0]]
    return file.path, file.outline.chunks[ref[1]].start


def align_chunks(old: Sequence[ChunkKeys], new: Sequence[ChunkKeys]) -> dict[int, int]:
    """Return old index to new index: equal texts first, then namesakes between them, then the only one of a kind."""
    aligned: dict[int, int] = {}
    _align_gap(old, new, (0, len(old)), (0, len(new)), 0, aligned)
    _align_moved(old, new, aligned)
    return aligned


def _align_gap(
    old: Sequence[ChunkKeys],
    new: Sequence[ChunkKeys],
    old_gap: tuple[int, int],
    new_gap: tuple[int, int],
    level: int,
    aligned: dict[int, int],
) -> None:
    """Align one stretch by one key, and the gaps between matches by the next key."""
    if level == _N_KEYS or old_gap[0] == old_gap[1] or new_gap[0] == new_gap[1]:
        return
    old_keys = [keys[level] for keys in old[slice(*old_gap)]]
    new_keys = [keys[level] for keys in new[slice(*new_gap)]]
    at_old, at_new = old_gap[0], new_gap[0]
    blocks = SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_matching_blocks()
    if level == 2 and len(old_keys) != len(new_keys):
        return  # Of several of a kind it is not known which was renamed and which is new.
    for start_old, start_new, size in blocks:
        first_old, first_new = old_gap[0] + start_old, new_gap[0] + start_new
        _align_gap(old, new, (at_old, first_old), (at_new, first_new), level + 1, aligned)
        for offset in range(size):
            aligned[first_old + offset] = first_new + offset
        at_old, at_new = first_old + size, first_new + size


def _align_moved(old: Sequence[ChunkKeys], new: Sequence[ChunkKeys], aligned: dict[int, int]) -> None:
    """Align chunks whose text is left once on each side."""
    taken = set(aligned.values())
    free: dict[Hashable, list[int]] = {}
    for index, keys in enumerate(new):
        if index not in taken:
            free.setdefault(keys[0], []).append(index)
    lost: dict[Hashable, list[int]] = {}
    for index, keys in enumerate(old):
        if index not in aligned:
            lost.setdefault(keys[0], []).append(index)
    for text, indexes in lost.items():
        if len(indexes) == len(free.get(text, ())) == 1:
            aligned[indexes[0]] = free[text][0]


def chunk_id_of(file: ChunkedFile, index: int) -> str:
    return chunk_id(span_of(file.outline.chunks[index], file.path, file.outline.segments))


def content_hash_of(file: ChunkedFile, index: int) -> str:
    """Return a hash of the text: kept and rekeyed chunks have the one of before."""
    return text_hash(file.path, file.outline, index)
