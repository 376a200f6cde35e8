"""What a merge has from its other parents.

Takes the pairing of a merge with its first parent, and the files of its other parents; gives the new files with the
identities that they inherit. A file that equals one of another parent has the identities it has there. In a file that
differs from all parents, an entity is the one of the parent in which it is unchanged, the first one if there are
several; else the first parent's predecessor, else another's. `history.follow` goes back by the same rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from birthmark.comparison.certain_pairs import CertainPairs
from birthmark.comparison.changes import compare_fingerprints
from birthmark.comparison.declaration_changes import CONTAINERS
from birthmark.comparison.match_candidates import FamilyOf, Outlined
from birthmark.comparison.pair_commit import CommitPairing, pair_commit
from birthmark.extraction.model import Outline, OutlinedFile
from birthmark.ledger.assign_identities import NO_IDENTITY, NewFile, OldFile
from birthmark.ledger.outline_cache import OutlineCache
from birthmark.store.model import Version
from birthmark.vocabulary import Aspect

Files = Mapping[str, Version]
Found = tuple[int, bool]  # an identity, and whether the entity is unchanged since


class Merge:
    """The extractions of a merge by path, and the files of its parents but the first."""

    def __init__(
        self, shelf: OutlineCache, merged: Mapping[str, int], others: Sequence[Files], family_of: FamilyOf
    ) -> None:
        self.shelf, self.merged, self.others, self.family_of = shelf, merged, others, family_of
        self._predecessors = cache(self._pair_with)
        self._certain_pairs = cache(self._compare)

    def is_inherited(self, paths: Sequence[str], present: Collection[int]) -> bool:
        """Whether all these files equal those of other parents, and no identity would be there twice.

        Then the pairing with the first parent has no say.
        """
        versions = [self._same(path) for path in paths]
        if not all(versions):
            return False
        identities = [identity for version in versions if version for identity in version.identities]
        return len(set(identities)) == len(identities) and not any(identity in present for identity in identities)

    def _same(self, path: str) -> Version | None:
        theirs = [version for files in self.others if (version := files.get(path)) is not None]
        return next((version for version in theirs if version.extraction == self.merged[path]), None)

    def inherit(self, pairing: CommitPairing, old: Sequence[OldFile], new: Sequence[NewFile]) -> list[NewFile]:
        return [file._replace(inherited=self._inherited(pairing, old, f, file)) for f, file in enumerate(new)]

    def _inherited(self, pairing: CommitPairing, old: Sequence[OldFile], f: int, file: NewFile) -> Sequence[int]:
        same = self._same(file.path)
        if same is not None:
            return same.identities
        identities = [NO_IDENTITY] * len(file.outline.entities)
        for e in range(len(identities)):
            own = pairing.predecessors.get((f, e))
            if own is None or not is_unchanged(old[own.ref[0]], own.ref[1], file, e):
                found = list(self._found(file, e))
                unchanged = next((identity for identity, is_same in found if is_same), NO_IDENTITY)
                identities[e] = unchanged or (found[0][0] if found and own is None else NO_IDENTITY)
        return identities

    def _found(self, file: NewFile, e: int) -> Iterator[Found]:
        """The entity in each of the other parents that has it; what is unchanged in its place needs no more pairing."""
        for number, files in enumerate(self.others):
            certain = self._certain(file, files.get(file.path))
            index = certain.unchanged(e) if certain is not None and certain.keeps_path else None
            if index is not None:
                yield files[file.path].identities[index], True
                return
            found = self._predecessors(number).get((file.path, e))
            if found is not None:
                yield found

    def _certain(self, file: NewFile, held: Version | None) -> CertainPairs | None:
        if held is None or held.extraction not in self.shelf:
            return None
        return self._certain_pairs(file.path, held.extraction)

    def _pair_with(self, number: int) -> dict[tuple[str, int], Found]:
        """Of the entities of files in which the merge differs from a parent."""
        files = self.others[number]
        changed = [path for path, extraction in self.merged.items() if _extraction(files, path) != extraction]
        gone = [path for path in files if path not in self.merged]
        versions = [files[path] for path in (*changed, *gone) if path in files and files[path].extraction in self.shelf]
        old = [self._file(version.path, version.extraction) for version in versions]
        new = [self._file(path, self.merged[path]) for path in changed if self.merged[path] in self.shelf]
        old_ids = {version.path: str(version.extraction) for version in versions}
        new_ids = {file.path: str(self.merged[file.path]) for file in new}
        pairing = pair_commit(old, new, self.family_of, ids=(old_ids, new_ids))
        return {
            (new[f].path, e): (versions[before].identities[index], is_unchanged(old[before], index, new[f], e))
            for (f, e), ((before, index), *_) in pairing.predecessors.items()
        }

    def _file(self, path: str, extraction: int) -> OutlinedFile:
        return OutlinedFile(path, self.shelf.outline(extraction), self.shelf.source_of(extraction))

    def _compare(self, path: str, extraction: int) -> CertainPairs:
        return CertainPairs(self._file(path, extraction), self._file(path, self.merged[path]), self.family_of)


def is_unchanged(old: Outlined, old_index: int, new: Outlined, new_index: int) -> bool:
    """Whether an entity is at the same path, under the same names, and the same; a container but for its members."""
    before, after = old.outline.entities[old_index], new.outline.entities[new_index]
    if (old.path, before.qualified_name) != (new.path, after.qualified_name):
        return False
    aspects = _aspects(old.outline, old_index, new.outline, new_index)
    return not aspects - ({Aspect.BODY} if after.kind in CONTAINERS else set())


def _aspects(old: Outline, old_index: int, new: Outline, new_index: int) -> set[Aspect]:
    return set(compare_fingerprints(old.fingerprints[old_index], new.fingerprints[new_index]))


def _extraction(files: Files, path: str) -> int | None:
    return files[path].extraction if path in files else None
