"""Place changes: within the successor of their file or container, or elsewhere; and group those that go together.

Takes a comparison, the changes of it that are asked for, and the files that were compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from birthmark.comparison.entity_changes import EntityChange, EntityComparison
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.model import Entity
from birthmark.vocabulary import Change

Files = Sequence[OutlinedFile]

COME_OR_GONE = (Change.ADDED, Change.DELETED)


class ChangePlaces:
    """What can be looked up of a change."""

    def __init__(self, comparison: EntityComparison, changes: Sequence[EntityChange], old: Files, new: Files) -> None:
        self.old, self.new, self._renamed = old, new, comparison.renamed
        everything = (*comparison.changes, *comparison.unchanged)
        self._successors = {one.old: one.new for one in everything if one.old is not None}
        self._added = {one.new for one in changes if one.change is Change.ADDED}
        self._deleted = {one.old for one in changes if one.change is Change.DELETED}

    def new_path(self, path: str) -> str:
        return self._renamed.get(path, path)

    def path_of(self, change: EntityChange) -> str:
        """Of the file under which it is listed."""
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
        """Return whether it has its name, and is in what its file or container has become."""
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
        """Return whether what is around one that was added or deleted was so, too."""
        ref, entities = self._side(change)
        return self._came_or_went_with(change, (ref[0], entities[ref[1]].container))

    def count_members(self, change: EntityChange) -> int:
        """Those that were added or deleted with it."""
        if change.change not in COME_OR_GONE:
            return 0
        ref, entities = self._side(change)
        ordinals = {ref[1]}
        for ordinal, entity in enumerate(entities):
            if entity.container in ordinals and self._came_or_went_with(change, (ref[0], ordinal)):
                ordinals.add(ordinal)
        return len(ordinals) - 1

    def around(self, change: EntityChange) -> Iterator[EntityRef]:
        """The new containers around it, and those that its old ones have become."""
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
    """From the inside out."""
    entities, at = files[ref[0]].outline.entities, ref[1]
    while (at := entities[at].container) >= 0:
        yield ref[0], at
