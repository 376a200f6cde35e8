"""Two states of a repository side by side, and who in the one is who in the other.

Takes two RepositoryStates; files that differ are loaded and paired when somebody first asks about one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from birthmark.comparison.match_candidates import EntityRef, FamilyOf
from birthmark.comparison.pair_commit import CommitPairing, pair_commit
from birthmark.extraction.model import OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.model import Entity

EntityKey = tuple[str, int]  # a path, and the index of an entity in its outline
Known = Callable[[Sequence[OutlinedFile], Sequence[OutlinedFile]], Mapping[EntityRef, EntityRef]]

_OPENING = 8_000  # bytes in which git looks for what no text has


class EntityInState(NamedTuple):
    """An entity in a state of the tree."""

    file: OutlinedFile
    ordinal: int

    @property
    def entity(self) -> Entity:
        return self.file.outline.entities[self.ordinal]

    @property
    def place(self) -> EntityKey:
        return self.file.path, self.ordinal

    @property
    def label(self) -> str:
        return f"{self.file.path}:{self.entity.start_line}"


class StateComparison:
    """What happened between two states."""

    def __init__(
        self, old: RepositoryState, new: RepositoryState, family_of: FamilyOf, known: Known = lambda old, new: {}
    ) -> None:
        self.old, self.new, self.family_of, self._known = old, new, family_of, known

    @cached_property
    def changed_old(self) -> list[str]:
        return sorted(path for path in self.old.paths() if self.old.content_id(path) != self.new.content_id(path))

    @cached_property
    def changed_new(self) -> list[str]:
        return sorted(path for path in self.new.paths() if self.new.content_id(path) != self.old.content_id(path))

    def is_same(self, path: str) -> bool:
        """Whether a file is there on both sides, as it was."""
        content_id = self.old.content_id(path)
        return content_id is not None and content_id == self.new.content_id(path)

    @cached_property
    def old_files(self) -> list[OutlinedFile]:
        return self.old.load(self.changed_old)

    @cached_property
    def new_files(self) -> list[OutlinedFile]:
        return self.new.load(self.changed_new)

    @cached_property
    def _pairing(self) -> CommitPairing:
        old, new = self.old_files, self.new_files
        ids = (
            {path: self.old.content_id(path) for path in self.changed_old},
            {path: self.new.content_id(path) for path in self.changed_new},
        )
        return pair_commit(old, new, self.family_of, self._known(old, new), ids)

    @cached_property
    def _rivals(self) -> dict[EntityKey, list[EntityKey]]:
        rivals: dict[EntityKey, list[EntityKey]] = {}
        for ref, candidates in self._pairing.candidates.items():
            for candidate in candidates:
                rivals.setdefault(_place(self.old_files, candidate), []).append(_place(self.new_files, ref))
        return rivals

    @cached_property
    def heirs(self) -> dict[EntityKey, EntityKey]:
        """Of old places in files that changed, the new ones."""
        pairs = self._pairing.successors.items()
        return {_place(self.old_files, before): _place(self.new_files, after) for before, after in pairs}

    def heir(self, spot: EntityInState) -> EntityInState | None:
        """What became of an entity of the old state; None if it is gone."""
        if self.is_same(spot.file.path):
            return EntityInState(spot.file, spot.ordinal)
        place = self.heirs.get(spot.place)
        return None if place is None else self.new_spot(place)

    def ancestor(self, spot: EntityInState) -> EntityInState | None:
        """What an entity of the new state was in the old one; None if it was not there."""
        if self.is_same(spot.file.path):
            return EntityInState(spot.file, spot.ordinal)
        place = self.ancestors.get(spot.place)
        return None if place is None else self.old_spot(place)

    def rivals(self, spot: EntityInState) -> list[EntityInState]:
        """The new entities that could each be an old one that is gone."""
        return [self.new_spot(place) for place in self._rivals.get(spot.place, ())]

    def is_text(self, path: str) -> bool:
        """Whether a new file can be a place to point at, as git tells texts from other files."""
        return b"\0" not in (self.new.content(path) or b"")[:_OPENING]

    def new_spot(self, place: EntityKey) -> EntityInState:
        return EntityInState(self._new_by_path[place[0]], place[1])

    def old_spot(self, place: EntityKey) -> EntityInState:
        return EntityInState(self._old_by_path[place[0]], place[1])

    @cached_property
    def _new_by_path(self) -> dict[str, OutlinedFile]:
        return {file.path: file for file in self.new_files}

    @cached_property
    def _old_by_path(self) -> dict[str, OutlinedFile]:
        return {file.path: file for file in self.old_files}

    @cached_property
    def ancestors(self) -> dict[EntityKey, EntityKey]:
        """Of new places in files that changed, the old ones."""
        return {new: old for old, new in self.heirs.items()}

    @property
    def renamed(self) -> dict[str, str]:
        """Files that are gone, and the new ones that they have become."""
        return self._pairing.files

    def path_of(self, path: str) -> str:
        """What the path of an old file is now. A file in no language of ours is known again by all its content."""
        if self.new.content_id(path) is not None or path in self.renamed:
            return self.renamed.get(path, path)
        content = self.old.content(path)
        found = self.new.holding(content, path) if content else []
        fresh = [twin for twin in found if self.old.content_id(twin) is None]
        return fresh[0] if len(fresh) == 1 else path


def _place(files: Sequence[OutlinedFile], at: EntityRef) -> EntityKey:
    return files[at[0]].path, at[1]
