"""Find the identities that a merge has from its other parents.

Takes the pairing of a merge with its first parent, and the files of its other parents; gives the identities that the
new files inherit. A file that equals one of another parent has the identities it has there. In a file that differs from
all parents, an entity is the one of the first parent in which it is unchanged; else the first parent's predecessor,
else another's. `history/follow.py` goes back by the same rule.

`link_merge` gives the EntityRecords of the files that differ from those of all parents, as `ledger/version_links.py`
does. An entity goes back to the parents in which it is unchanged. If these are not certain, or there is none, the
record has no links, and a history that passes the merge walks there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property

from birthmark.comparison.certain_pairs import CertainPairs
from birthmark.comparison.changes import CONTAINERS, compare_fingerprints, find_changes, have_same_package, is_verbatim
from birthmark.comparison.match_candidates import FamilyOf
from birthmark.comparison.pair_commit import CommitPairing, pair_commit
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.ledger.assign_identities import NO_IDENTITY, IdentifiedFiles
from birthmark.ledger.version_links import EntityRecord, LinkRecord, encode_records, place_record
from birthmark.store.model import Version
from birthmark.vocabulary import Aspect

Files = Mapping[str, Version]
Found = tuple[int, bool]  # an identity; True if the entity is unchanged since


class Merge:
    """A merge: the files of its parents, those of the first one that it changed, and the new ones, by path."""

    def __init__(
        self,
        extractor: Extractor,
        first: Files,
        changed: Sequence[Version],
        new: Mapping[str, int],
        others: Sequence[Files],
        family_of: FamilyOf,
    ) -> None:
        self.extractor, self.first, self.changed, self.new = extractor, first, changed, new
        self.others, self.family_of = others, family_of
        self._predecessors: dict[int, dict[tuple[str, int], Found]] = {}
        self._certain_pairs: dict[tuple[str, int], CertainPairs | None] = {}

    @cached_property
    def merged(self) -> dict[str, int]:
        """Extractions of all files of the merge."""
        changed = {version.path for version in self.changed}
        return {path: file.extraction for path, file in self.first.items() if path not in changed} | dict(self.new)

    def inherited_alone(self, alive: set[int]) -> list[Sequence[int]] | None:
        """Return the identities of changed files, if all equal those of other parents, and no identity is there twice.

        Then the pairing with the first parent is not needed. `alive` are the identities of the first parent.
        """
        versions = [version for path in self.new if (version := self._same(path)) is not None]
        found = set[int]().union(*(version.identities for version in versions))
        if len(versions) < len(self.new) or len(found) < sum(len(version.identities) for version in versions):
            return None
        replaced = set[int]().union(*(version.identities for version in self.changed))
        return [version.identities for version in versions] if found & alive <= replaced else None

    def _same(self, path: str) -> Version | None:
        theirs = [version for files in self.others if (version := files.get(path)) is not None]
        return next((version for version in theirs if version.extraction == self.new[path]), None)

    def inherited(
        self, pairing: CommitPairing, old: IdentifiedFiles, new: Sequence[OutlinedFile]
    ) -> list[Sequence[int]]:
        return [self._inherited(pairing, old, f, file) for f, file in enumerate(new)]

    def _inherited(self, pairing: CommitPairing, old: IdentifiedFiles, f: int, file: OutlinedFile) -> Sequence[int]:
        same = self._same(file.path)
        if same is not None:
            return same.identities
        identities = [NO_IDENTITY] * len(file.outline.entities)
        for e in range(len(identities)):
            own = pairing.predecessors.get((f, e))
            if own is not None:
                before, index = own.ref
                if is_unchanged(OutlinedEntity(old.files[before], index), OutlinedEntity(file, e)):
                    continue
                if self._agree(file, e, old.identity(own.ref)):
                    continue
            found = list(self._found(file, e, only_unchanged=own is not None))
            unchanged = next((identity for identity, is_same in found if is_same), NO_IDENTITY)
            identities[e] = unchanged or (found[0][0] if found and own is None else NO_IDENTITY)
        return identities

    def _agree(self, file: OutlinedFile, e: int, identity: int) -> bool:
        """Return True if all other parents have the identity in the file, alone under the entity's name."""
        for files in self.others:
            certain = self.certain(file, files.get(file.path))
            namesakes = certain.old_namesakes_of(e) if certain is not None and certain.keeps_path else []
            if len(namesakes) != 1 or files[file.path].identities[namesakes[0]] != identity:
                return False
        return True

    def _found(self, file: OutlinedFile, e: int, *, only_unchanged: bool) -> Iterator[Found]:
        """Yield the entity in each of the other parents that has it; unchanged entities of a file need no pairing.

        With `only_unchanged`, a file without unchanged entities needs no pairing either.
        """
        for number, files in enumerate(self.others):
            certain = self.certain(file, files.get(file.path))
            index = certain.unchanged(e) if certain is not None and certain.keeps_path else None
            if index is not None:
                yield files[file.path].identities[index], True
                return
            if only_unchanged and not self._may_be_unchanged(file, e, files.get(file.path)):
                continue
            found = self._predecessors_in(number).get((file.path, e))
            if found is not None:
                yield found

    def _may_be_unchanged(self, file: OutlinedFile, e: int, version: Version | None) -> bool:
        old = self.extractor.file(file.path, version.extraction) if version is not None else None
        entity = OutlinedEntity(file, e)
        return old is not None and any(
            before.name == entity.entity.name and is_unchanged(OutlinedEntity(old, index), entity)
            for index, before in enumerate(old.outline.entities)
        )

    def certain(self, file: OutlinedFile, version: Version | None) -> CertainPairs | None:
        """Return the certain pairs with a parent's version of a file; None if the parent does not have it."""
        if version is None:
            return None
        place = file.path, version.extraction
        if place not in self._certain_pairs:
            self._certain_pairs[place] = self._compare(*place)
        return self._certain_pairs[place]

    def _predecessors_in(self, number: int) -> dict[tuple[str, int], Found]:
        if number not in self._predecessors:
            self._predecessors[number] = self._pair_with(number)
        return self._predecessors[number]

    def _pair_with(self, number: int) -> dict[tuple[str, int], Found]:
        """Return predecessors in files in which the merge differs from a parent."""
        files = self.others[number]
        changed = [path for path, extraction in self.merged.items() if _extraction(files, path) != extraction]
        gone = [path for path in files if path not in self.merged]
        old = self._files((path, files[path].extraction) for path in (*changed, *gone) if path in files)
        new = self._files((path, self.merged[path]) for path in changed)
        old_ids = {file.path: str(files[file.path].extraction) for file in old}
        new_ids = {file.path: str(self.merged[file.path]) for file in new}
        pairing = pair_commit(old, new, self.family_of, ids=(old_ids, new_ids))
        found = {}
        for (f, e), ((before, index), *_) in pairing.predecessors.items():
            predecessor, entity = OutlinedEntity(old[before], index), OutlinedEntity(new[f], e)
            identity = files[predecessor.file.path].identities[index]
            found[entity.key] = identity, is_unchanged(predecessor, entity)
        return found

    def _files(self, extractions: Iterable[tuple[str, int]]) -> list[OutlinedFile]:
        """Return the files whose outlines are kept."""
        return [file for each in extractions if (file := self.extractor.file(*each)) is not None]

    def _compare(self, path: str, extraction: int) -> CertainPairs | None:
        old, new = self.extractor.file(path, extraction), self.extractor.file(path, self.merged[path])
        return None if old is None or new is None else CertainPairs(old, new, self.family_of)


def is_unchanged(old: OutlinedEntity, new: OutlinedEntity) -> bool:
    """Return True if an entity has the same path, names and code; a container may differ in its members."""
    if (old.file.path, old.entity.qualified_name) != (new.file.path, new.entity.qualified_name):
        return False
    aspects = set(compare_fingerprints(old.fingerprint, new.fingerprint))
    return not aspects - ({Aspect.BODY} if new.entity.kind in CONTAINERS else set())


def _extraction(files: Files, path: str) -> int | None:
    return files[path].extraction if path in files else None


def link_merge(
    merge: Merge, first: Files, new: Sequence[OutlinedFile], versions: Sequence[Version]
) -> dict[int, bytes]:
    """Return packed records by version. A file that some parent does not have is left to the walk."""
    found = {}
    for file, version in zip(new, versions, strict=True):
        before = [files.get(file.path) for files in (first, *merge.others)]
        parents = [one for one in before if one is not None and one.extraction != version.extraction]
        if len(parents) < len(before):
            continue
        pairs = [certain for one in parents if (certain := merge.certain(file, one)) is not None]
        if len(pairs) == len(parents):
            sides = [_ParentSide(*side) for side in zip(pairs, parents, strict=True)]
            found[version.version] = encode_records(list(_records(sides, version)))
    return found


def _records(sides: Sequence[_ParentSide], version: Version) -> Iterator[EntityRecord]:
    for e, identity in enumerate(version.identities):
        links = _links(sides, e)
        is_same = links is not None and all(link.identity == identity for link in links)
        if not is_same or links is None or len(links) < len(sides):
            place = place_record(OutlinedEntity(sides[0].new, e).location, version.path)
            yield EntityRecord(identity, place, links, None)


def _links(sides: Sequence[_ParentSide], e: int) -> tuple[LinkRecord, ...] | None:
    links = []
    for number, side in enumerate(sides):
        index = side.unchanged(e)
        if index is not None:
            place = place_record(OutlinedEntity(side.old, index).location, side.new.path)
            links.append(LinkRecord(number, side.version.identities[index], place))
        elif not side.has_changed(e):
            return None
    return tuple(links) or None


class _ParentSide:
    """A file in one parent and in the merge."""

    def __init__(self, certain: CertainPairs, version: Version) -> None:
        self.certain, self.version = certain, version
        self.old = certain.old_file._replace(source=cache(certain.old_file.source))
        self.new = certain.new_file._replace(source=cache(certain.new_file.source))

    def unchanged(self, e: int) -> int | None:
        """Return the entity as it was in the parent, if that surely is the same."""
        index = self.certain.unchanged(e) if self.certain.keeps_path else None
        return index if index is not None and self._is_same(index, e) else None

    def has_changed(self, e: int) -> bool:
        """Return True if no walk can find it unchanged: its text is not there, and its namesakes differ."""
        if OutlinedEntity(self.new, e).read_text() in self.old.source():
            return False
        return not any(self._is_same(index, e) for index in self.certain.old_namesakes_of(e))

    def _is_same(self, old: int, new: int) -> bool:
        if is_verbatim(self.old, old, self.new, new):
            return have_same_package(self.old, self.new, self.new.outline.entities[new].language)
        return not find_changes(OutlinedEntity(self.old, old), OutlinedEntity(self.new, new))
