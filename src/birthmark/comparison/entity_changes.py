"""Compare two states of a tree, entity by entity.

Takes the files that differ, as they were and as they are; gives an EntityChange for each entity in them. A ChangeFilter
selects changes by path, kind, language and change: one passes if it fits one of the values of each sort that was given;
paths fit before or after.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import msgspec

from birthmark.comparison.changes import COMPARED, compare_fingerprints, name_change
from birthmark.comparison.derivations import NO_ENDS, DerivationEnds, find_commit_derivations, find_ends
from birthmark.comparison.match_candidates import FamilyOf
from birthmark.comparison.pair_commit import Identities, Predecessor, pair_commit
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.matching.pairing_state import ContentIds
from birthmark.model import Location
from birthmark.vocabulary import Aspect, Change


class EntityChange(msgspec.Struct, frozen=True):
    """The change of an entity. `old` and `new` are its places in the files that were compared."""

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
    """The changes of all entities by their locations, `unchanged` ones apart; and the renamed files.

    `ends` are those of derivations, if these were asked for.
    """

    changes: list[EntityChange]
    unchanged: list[EntityChange]
    renamed: dict[str, str]
    ends: DerivationEnds = NO_ENDS

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
    """`identities` are those that the ledger has; the rest is paired.

    `ids` are those of the contents of all files that are compared, which show files that were moved as they are.
    """
    pairing = pair_commit(old, new, family_of, identities, ids)
    changes = [_describe_pair(old, new, ref, predecessor) for ref, predecessor in pairing.predecessors.items()]
    changes += [_describe_deleted(old, ref) for ref in pairing.deleted]
    changes += [_describe_added(new, ref) for ref in pairing.born]
    changes.sort(key=_order)
    unchanged = [change for change in changes if change.change == Change.UNCHANGED]
    derivations = find_commit_derivations(old, new, pairing, family_of) if with_derivations else ()
    ends = find_ends(old, new, derivations)
    return EntityComparison([c for c in changes if c.change != Change.UNCHANGED], unchanged, pairing.files, ends)


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
        """Return whether an entity fits, and one of the paths at which it is."""
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
