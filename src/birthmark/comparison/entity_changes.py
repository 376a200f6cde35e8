"""Compare two states of a tree, entity by entity.

Takes the files that differ, old and new; gives an EntityChange for each entity in them. A ChangeFilter selects changes
by path, kind, language and change: a change passes if it fits one of the given values of each sort; paths fit before or
after. ChangePlaces tells if a change is within the successor of its file or container, and groups changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import msgspec

from birthmark.comparison.changes import COMPARED, compare_fingerprints, name_change
from birthmark.comparison.derivations import Ends, find_commit_derivations, find_ends
from birthmark.comparison.match_candidates import FamilyOf
from birthmark.comparison.pair_commit import Identities, Predecessor, pair_commit
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.matching.pairing_state import ContentIds
from birthmark.model import Entity, Location
from birthmark.vocabulary import Aspect, Change


class EntityChange(msgspec.Struct, frozen=True):
    """A change of an entity. `old` and `new` are its places in the files that were compared."""

    change: Change
    kind: str
    language: str
    before: Location | None
    after: Location | None
    aspects: tuple[Aspect, ...] = ()
    evidence: str | None = None
    confidence: str | None = None
    old: EntityRef | None = None
    new: EntityRef | None = None


class EntityComparison(NamedTuple):
    """The changes of all entities by location, and the renamed files.

    `derived_from` has the sources of new entities and `derivatives` those of old ones, if derivations were asked for.
    """

    changes: list[EntityChange]
    unchanged: list[EntityChange]
    renamed: dict[str, str]
    derived_from: Ends
    derivatives: Ends

    @property
    def counts(self) -> dict[str, int]:
        """Count the entities of each change."""
        counts = dict.fromkeys(map(str, COMPARED), 0)
        for change in (*self.changes, *self.unchanged):
            counts[change.change] += 1
        return counts

    def filtered(self, passes: Callable[[EntityChange], bool]) -> EntityComparison:
        return self._replace(
            changes=[change for change in self.changes if passes(change)],
            unchanged=[change for change in self.unchanged if passes(change)],
        )


def compare_files(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    family_of: FamilyOf,
    identities: Identities | None = None,
    ids: tuple[ContentIds, ContentIds] | None = None,
    *,
    with_derivations: bool = False,
) -> EntityComparison:
    """Compare files; `identities` are those of the ledger, the rest is paired.

    `ids` identify the contents of all files that are compared, which shows files that moved unchanged.
    """
    pairing = pair_commit(old, new, family_of, identities, ids)
    changes = [_describe_pair(old, new, ref, predecessor) for ref, predecessor in pairing.predecessors.items()]
    changes += [_describe_deleted(old, ref) for ref in pairing.deleted]
    changes += [_describe_added(new, ref) for ref in pairing.born]
    changes.sort(key=_order)
    unchanged = [change for change in changes if change.change == Change.UNCHANGED]
    derivations = find_commit_derivations(old, new, pairing, family_of) if with_derivations else ()
    ends = find_ends(old, new, derivations)
    return EntityComparison([c for c in changes if c.change != Change.UNCHANGED], unchanged, pairing.files, *ends)


def _describe_pair(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], ref: EntityRef, predecessor: Predecessor
) -> EntityChange:
    before, after = _entity(old, predecessor.ref), _entity(new, ref)
    return EntityChange(
        name_change(before, after),
        after.entity.kind,
        after.entity.language,
        before.location,
        after.location,
        compare_fingerprints(before.fingerprint, after.fingerprint),
        predecessor.evidence,
        predecessor.confidence,
        predecessor.ref,
        ref,
    )


def _describe_deleted(old: Sequence[OutlinedFile], ref: EntityRef) -> EntityChange:
    deleted = _entity(old, ref)
    entity = deleted.entity
    return EntityChange(Change.DELETED, entity.kind, entity.language, deleted.location, None, old=ref)


def _describe_added(new: Sequence[OutlinedFile], ref: EntityRef) -> EntityChange:
    added = _entity(new, ref)
    entity = added.entity
    return EntityChange(Change.ADDED, entity.kind, entity.language, None, added.location, new=ref)


def _entity(files: Sequence[OutlinedFile], ref: EntityRef) -> OutlinedEntity:
    return OutlinedEntity(files[ref[0]], ref[1])


def _order(change: EntityChange) -> tuple[str, int, int]:
    location = change.after or change.before
    assert location is not None
    return location.path, location.start_line, location.end_line


class ChangeFilter(NamedTuple):
    """Values of each sort, of which one must fit; all do where there are none.

    A path is a file, a folder or a pattern with `*`, from the root; with `!` in front, it is left out.
    """

    paths: tuple[str, ...] = ()
    kinds: Collection[str] = ()
    languages: Collection[str] = ()
    changes: Collection[str] = ()

    def passes(self, change: EntityChange) -> bool:
        is_asked_for = not self.changes or change.change in self.changes
        return is_asked_for and self.fits(change.kind, change.language, _paths_of(change) if self.paths else ())

    def fits(self, kind: str, language: str, paths: Collection[str]) -> bool:
        """Return True if an entity fits, and one of its paths."""
        return (
            (not self.kinds or kind in self.kinds)
            and (not self.languages or language in self.languages)
            and (not self.paths or any(fits_path(path, self.paths) for path in paths))
        )


def fits_path(path: str, patterns: Sequence[str]) -> bool:
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    unwanted = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return (not wanted or _fits_any(path, wanted)) and not _fits_any(path, unwanted)


def _fits_any(path: str, patterns: Sequence[str]) -> bool:
    return any(
        pattern in ("", ".") or path == pattern or path.startswith(f"{pattern}/") or fnmatchcase(path, pattern)
        for pattern in (pattern.rstrip("/") for pattern in patterns)
    )


def _paths_of(change: EntityChange) -> set[str]:
    return {location.path for location in (change.before, change.after) if location is not None}


Files = Sequence[OutlinedFile]

COME_OR_GONE = (Change.ADDED, Change.DELETED)


class ChangePlaces:
    """Places, successors and members of the changes of a comparison."""

    def __init__(self, comparison: EntityComparison, changes: Sequence[EntityChange], old: Files, new: Files) -> None:
        self.old, self.new, self._renamed = old, new, comparison.renamed
        everything = (*comparison.changes, *comparison.unchanged)
        self._successors = {one.old: one.new for one in everything if one.old is not None}
        self._added = {one.new for one in changes if one.change is Change.ADDED}
        self._deleted = {one.old for one in changes if one.change is Change.DELETED}

    def new_path(self, path: str) -> str:
        return self._renamed.get(path, path)

    def path_of(self, change: EntityChange) -> str:
        """Return the path of the file under which a change is listed."""
        if change.after is not None:
            return change.after.path
        assert change.before is not None
        return self.new_path(change.before.path)

    def is_deleted(self, ref: EntityRef) -> bool:
        return self._successors.get(ref) is None

    def before(self, change: EntityChange) -> OutlinedEntity:
        assert change.old is not None
        return OutlinedEntity(self.old[change.old[0]], change.old[1])

    def after(self, change: EntityChange) -> OutlinedEntity:
        assert change.new is not None
        return OutlinedEntity(self.new[change.new[0]], change.new[1])

    def is_in_place(self, change: EntityChange) -> bool:
        """Return True if an entity has its name, and is in the successor of its file or container."""
        return self.has_same_scope(change) and self.before(change).entity.name == self.after(change).entity.name

    def has_same_scope(self, change: EntityChange) -> bool:
        if change.old is None or change.new is None:
            return False
        before, after = self.before(change).entity, self.after(change).entity
        if before.container >= 0 and after.container >= 0:
            return self._successors.get((change.old[0], before.container)) == (change.new[0], after.container)
        is_outside = before.container < 0 and after.container < 0 and before.parent == after.parent
        return is_outside and self.new_path(self.old[change.old[0]].path) == self.new[change.new[0]].path

    def is_in_same(self, change: EntityChange) -> bool:
        """Return True if the container of an added or deleted entity was added or deleted as well."""
        ref, entities = self._side(change)
        return self._came_or_went_with(change, (ref[0], entities[ref[1]].container))

    def count_members(self, change: EntityChange) -> int:
        """Count the members that were added or deleted with an entity."""
        if change.change not in COME_OR_GONE:
            return 0
        ref, entities = self._side(change)
        ordinals = {ref[1]}
        for ordinal, entity in enumerate(entities):
            if entity.container in ordinals and self._came_or_went_with(change, (ref[0], ordinal)):
                ordinals.add(ordinal)
        return len(ordinals) - 1

    def around(self, change: EntityChange) -> Iterator[EntityRef]:
        """Yield the new containers around an entity, and the successors of its old ones."""
        if change.new is not None:
            yield from _containers(self.new, change.new)
        if change.old is not None:
            found = (self._successors.get(ref) for ref in _containers(self.old, change.old))
            yield from (ref for ref in found if ref is not None)

    def _side(self, change: EntityChange) -> tuple[EntityRef, Sequence[Entity]]:
        files, ref = (self.old, change.old) if change.new is None else (self.new, change.new)
        assert ref is not None
        return ref, files[ref[0]].outline.entities

    def _came_or_went_with(self, change: EntityChange, ref: EntityRef) -> bool:
        return ref in (self._deleted if change.new is None else self._added)


def _containers(files: Files, ref: EntityRef) -> Iterator[EntityRef]:
    """Yield the containers of an entity from the inside out."""
    entities, at = files[ref[0]].outline.entities, ref[1]
    while (at := entities[at].container) >= 0:
        yield ref[0], at
