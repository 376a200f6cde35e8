"""Pair all entities of the files that a commit changed with those of one parent.

Takes the old and the new files; returns a CommitPairing. It is a pure function of their paths and contents: diff, scan,
index, replay, history and blame all use it, so that no two of them can disagree about a commit.

Most commits leave everything in its place; their pairing is found in a tenth of the time. `pair_in_place` returns the
pairs that `matching/pair.py` would make, or None if its later passes may have something to pair. The reasons refer to
its steps:

- `files`: a file with a heavy entity of the same content before and after keeps its path, and no other takes it. So if
  all common files are such, and files were either added or removed, but not both, none was renamed.
- `same_content`: entities of the same place, name and content, as many before as after, are paired in order.
- `alone`: the remaining entities of a place and name, one before and one after, are paired, unless others of that name
  were. No contents have changed places if no heavy one is left over on both sides; and no name was taken over by
  another function (`pair_displaced`) if the two have enough in common, or no function came or went there.
- After that nothing is left over on one side, so that all other steps have nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates, token_reader
from birthmark.extraction.model import EntityRef, Outline, OutlinedFile
from birthmark.matching.model import CONFIDENCE, FUNCTION, SORTS
from birthmark.matching.pair import pair_entities
from birthmark.matching.pairing_state import ContentIds, is_light
from birthmark.matching.passes.renames import UNLIKE
from birthmark.matching.similarity import text_likeness
from birthmark.vocabulary import Evidence

Identities = tuple[Mapping[EntityRef, int], Mapping[EntityRef, int]]  # of old and new entities that the ledger has
Files = Sequence[OutlinedFile]
PairInPlace = tuple[EntityRef, EntityRef, Evidence]  # old, new
Place = tuple[Hashable, ...]  # of an entity, with its name


class Predecessor(NamedTuple):
    """The old entity that a new one was, with evidence and confidence."""

    ref: EntityRef
    evidence: str
    confidence: str


class CommitPairing(NamedTuple):
    """Predecessors of new entities; the other old entities are deleted, the other new ones born."""

    predecessors: dict[EntityRef, Predecessor]
    deleted: tuple[EntityRef, ...]
    born: tuple[EntityRef, ...]
    candidates: dict[EntityRef, tuple[EntityRef, ...]]  # of born ones: the deleted ones that each of them may be
    files: dict[str, str]  # that were renamed: old path to new path

    @property
    def successors(self) -> dict[EntityRef, EntityRef]:
        return {predecessor.ref: new for new, predecessor in self.predecessors.items()}


def pair_commit(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    family_of: FamilyOf,
    identities: Identities | None = None,
    ids: tuple[ContentIds, ContentIds] | None = None,
) -> CommitPairing:
    """Pair the entities of changed files.

    Entities of one identity in the ledger are one, those of two identities are two; `ids` identify the contents of all
    files of either side.
    """
    in_place = pair_in_place(old, new, family_of) if identities is None else None
    return _pair_all(old, new, family_of, identities, ids) if in_place is None else _left_in_place(old, new, in_place)


def _left_in_place(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], pairs: Sequence[PairInPlace]
) -> CommitPairing:
    predecessors = {
        after: Predecessor(before, str(evidence), str(CONFIDENCE[evidence])) for before, after, evidence in pairs
    }
    successors = {before for before, _, _ in pairs}
    return CommitPairing(
        predecessors,
        tuple(ref for ref in all_entities(old) if ref not in successors),
        tuple(ref for ref in all_entities(new) if ref not in predecessors),
        {},
        {},
    )


def _pair_all(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    family_of: FamilyOf,
    identities: Identities | None,
    ids: tuple[ContentIds, ContentIds] | None,
) -> CommitPairing:
    """Pair by all passes."""
    old_refs, new_refs = all_entities(old), all_entities(new)
    old_indexes = {ref: index for index, ref in enumerate(old_refs)}
    new_indexes = {ref: index for index, ref in enumerate(new_refs)}
    pairing = pair_entities(
        match_candidates(old, old_refs, family_of),
        match_candidates(new, new_refs, family_of),
        tokens=(token_reader(old), token_reader(new)),
        known={old_indexes[before]: new_indexes[after] for before, after in _pairs_of(identities).items()},
        files=ids,
    )
    predecessors = {
        new_refs[pair.new]: Predecessor(old_refs[pair.old], str(pair.evidence), str(pair.confidence))
        for pair in pairing.pairs
    }
    strangers = _strangers(predecessors, identities)
    return CommitPairing(
        {new: predecessor for new, predecessor in predecessors.items() if new not in strangers},
        tuple(sorted([*(old_refs[index] for index in pairing.deleted), *strangers.values()])),
        tuple(sorted([*(new_refs[index] for index in pairing.born), *strangers])),
        {new_refs[new]: tuple(old_refs[index] for index in olds) for new, olds in pairing.ambiguous.items()},
        pairing.files,
    )


def _pairs_of(identities: Identities | None) -> dict[EntityRef, EntityRef]:
    """Return pairs by identity; an identity that versions of different times have twice on a side is not used."""
    old, new = identities or ({}, {})
    counts = Counter(old.values()), Counter(new.values())
    refs = {identity: ref for ref, identity in new.items() if counts[1][identity] == 1}
    return {ref: refs[identity] for ref, identity in old.items() if identity in refs and counts[0][identity] == 1}


def _strangers(
    predecessors: Mapping[EntityRef, Predecessor], identities: Identities | None
) -> dict[EntityRef, EntityRef]:
    """Return new entities and the old ones they were paired with, although the ledger tells them apart."""
    old, new = identities or ({}, {})
    return {
        ref: predecessor.ref
        for ref, predecessor in predecessors.items()
        if ref in new and old.get(predecessor.ref, new[ref]) != new[ref]
    }


def pair_in_place(old: Files, new: Files, family_of: FamilyOf) -> list[PairInPlace] | None:
    """Return pairs by new entity; None if only all passes can tell."""
    olds, news = ({file.path: f for f, file in enumerate(files)} for files in (old, new))
    if len(olds.keys() | news.keys()) != max(len(olds), len(news)):
        return None
    matcher = _PlaceMatcher(old, new, cache(family_of))
    for path in olds.keys() & news.keys():
        if not matcher.pair_unchanged(olds[path], news[path]):
            return None
    matcher.leave(
        [f for path, f in olds.items() if path not in news], [f for path, f in news.items() if path not in olds]
    )
    return sorted(matcher.pairs, key=lambda pair: pair[1]) if matcher.pair_namesakes() else None


class _PlaceMatcher:
    """Pairs entities by place, as long as the result is certain."""

    def __init__(self, old: Files, new: Files, family_of: FamilyOf) -> None:
        self.old, self.new, self.family_of = old, new, family_of
        self.pairs: list[PairInPlace] = []
        self.old_left: list[tuple[EntityRef, Place]] = []
        self.new_left: list[tuple[EntityRef, Place]] = []
        self.taken: set[Place] = set()  # places of pairs in files with unpaired entities

    def pair_unchanged(self, f: int, g: int) -> bool:
        """Run the first pass over one file; return False if it may have another path or has unequal twins."""
        path, old, new = self.new[g].path, self.old[f].outline, self.new[g].outline
        groups: dict[tuple[Place, str], list[int]] = {}
        old_places = self._places(path, old)
        for e, (place, fingerprint) in enumerate(zip(old_places, old.fingerprints, strict=True)):
            groups.setdefault((place, fingerprint.content), []).append(e)
        twins: dict[tuple[Place, str], list[int]] = {}
        new_places = self._places(path, new)
        for e, (place, fingerprint) in enumerate(zip(new_places, new.fingerprints, strict=True)):
            key = place, fingerprint.content
            if key in groups:
                twins.setdefault(key, []).append(e)
            else:
                self.new_left.append(((g, e), place))
        keeps_path = not groups and not new_places
        for key, before in groups.items():
            after = twins.get(key)
            if after is None:
                self.old_left += [((f, e), old_places[e]) for e in before]
            elif len(after) != len(before):
                return False
            else:
                keeps_path = keeps_path or _is_heavy(old, before[0])
                self.taken.add(key[0])
                self.pairs += [((f, e), (g, d), Evidence.SAME_CONTENT) for e, d in zip(before, after, strict=True)]
        return keeps_path

    def _places(self, path: str, outline: Outline) -> list[Place]:
        family_of = self.family_of
        return [
            (family_of(one.language), one.kind, path, one.parent, "" if one.kind == "constructor" else one.name)
            for one in outline.entities
        ]

    def leave(self, removed: Sequence[int], added: Sequence[int]) -> None:
        """Leave over all entities of files that are on one side only."""
        for files, indexes, left in ((self.old, removed, self.old_left), (self.new, added, self.new_left)):
            for f in indexes:
                places = self._places(files[f].path, files[f].outline)
                left += [((f, e), place) for e, place in enumerate(places)]

    def pair_namesakes(self) -> bool:
        """Run the second pass; return True if all is certain."""
        if not self.old_left or not self.new_left:
            return True
        if self._weighty(self.old, self.old_left) & self._weighty(self.new, self.new_left):
            return False
        befores, afters = dict[Place, EntityRef](), dict[Place, EntityRef]()
        for left, found in ((self.old_left, befores), (self.new_left, afters)):
            found.update((place, ref) for ref, place in left)
        alone = [place for place in befores if place in afters]
        if self.taken.intersection(alone) or self._are_several(alone):
            return False
        if len(alone) < min(len(self.old_left), len(self.new_left)):
            return False
        pairs = [(befores[place], afters[place]) for place in alone]
        if any(self._may_be_displaced(*pair) for pair in self._in_open_scopes(pairs, befores, afters)):
            return False
        self.pairs += [(before, after, Evidence.SAME_NAME) for before, after in pairs]
        return True

    def _weighty(self, files: Files, left: Sequence[tuple[EntityRef, Place]]) -> set[tuple[Hashable, str]]:
        return {
            (place[0], files[f].outline.fingerprints[e].content)
            for (f, e), place in left
            if _is_heavy(files[f].outline, e)
        }

    def _are_several(self, places: Sequence[Place]) -> bool:
        wanted = set(places)
        return any(sum(place in wanted for _, place in left) > len(wanted) for left in (self.old_left, self.new_left))

    def _in_open_scopes(
        self,
        pairs: Sequence[tuple[EntityRef, EntityRef]],
        befores: dict[Place, EntityRef],
        afters: dict[Place, EntityRef],
    ) -> Iterator[tuple[EntityRef, EntityRef]]:
        """Yield pairs of heavy functions in scopes in which others came or went."""
        came_or_went = {place[2:4] for place in befores.keys() ^ afters.keys() if SORTS.get(str(place[1])) == FUNCTION}
        for (f, e), (g, d) in pairs if came_or_went else ():
            before, after = self.old[f].outline, self.new[g].outline
            entity = after.entities[d]
            is_open = (self.new[g].path, entity.parent) in came_or_went and SORTS.get(entity.kind) == FUNCTION
            if is_open and _is_heavy(before, e) and _is_heavy(after, d):
                yield (f, e), (g, d)

    def _may_be_displaced(self, before: EntityRef, after: EntityRef) -> bool:
        old = match_candidates(self.old, [before], self.family_of)
        new = match_candidates(self.new, [after], self.family_of)
        share, _ = text_likeness(old, new, token_reader(self.old), token_reader(self.new))
        return share(0, 0) < UNLIKE


def _is_heavy(outline: Outline, e: int) -> bool:
    return not is_light(outline.entities[e].kind, outline.weights[e])
