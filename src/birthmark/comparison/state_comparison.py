"""Compare two states of a repository, and map the entities of one to those of the other.

Takes two RepositoryStates; files that differ are loaded and paired on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from birthmark.comparison.match_candidates import FamilyOf
from birthmark.comparison.pair_commit import CommitPairing, pair_commit
from birthmark.extraction.model import EntityKey, EntityRef, OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState

IdentitiesIn = Callable[[Sequence[OutlinedFile]], Mapping[EntityRef, int]]

_OPENING = 8_000  # bytes in which git looks for a null byte


class StateComparison:
    """The changes between two states."""

    def __init__(
        self,
        old: RepositoryState,
        new: RepositoryState,
        family_of: FamilyOf,
        identities_in: IdentitiesIn = lambda _: {},
    ) -> None:
        self.old, self.new, self.family_of, self._identities_in = old, new, family_of, identities_in

    @cached_property
    def changed_old(self) -> list[str]:
        return _differing(self.old, self.new)

    @cached_property
    def changed_new(self) -> list[str]:
        return _differing(self.new, self.old)

    def is_same(self, path: str) -> bool:
        """Return True if a file is the same in both states."""
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
        return pair_commit(old, new, self.family_of, (self._identities_in(old), self._identities_in(new)), ids)

    @cached_property
    def _rivals(self) -> dict[EntityKey, list[EntityKey]]:
        rivals: dict[EntityKey, list[EntityKey]] = {}
        for ref, candidates in self._pairing.candidates.items():
            for candidate in candidates:
                rivals.setdefault(_key(self.old_files, candidate), []).append(_key(self.new_files, ref))
        return rivals

    @cached_property
    def successors(self) -> dict[EntityKey, EntityKey]:
        """New entities of old ones, in files that changed."""
        pairs = self._pairing.successors.items()
        return {_key(self.old_files, before): _key(self.new_files, after) for before, after in pairs}

    def successor(self, old: OutlinedEntity) -> OutlinedEntity | None:
        """Return the successor of an entity of the old state; None if it is gone."""
        if self.is_same(old.file.path):
            return old
        key = self.successors.get(old.key)
        return None if key is None else self.new_entity(key)

    def predecessor(self, new: OutlinedEntity) -> OutlinedEntity | None:
        """Return the predecessor of an entity of the new state; None if there is none."""
        if self.is_same(new.file.path):
            return new
        key = self.predecessors.get(new.key)
        return None if key is None else self.old_entity(key)

    def rivals(self, old: OutlinedEntity) -> list[OutlinedEntity]:
        """Return the new entities that could each be an old one that is gone."""
        return [self.new_entity(key) for key in self._rivals.get(old.key, ())]

    def is_text(self, path: str) -> bool:
        """Return True if a new file is text, by the rule that git uses."""
        return b"\0" not in (self.new.content(path) or b"")[:_OPENING]

    def new_entity(self, key: EntityKey) -> OutlinedEntity:
        return OutlinedEntity(self._new_by_path[key[0]], key[1])

    def old_entity(self, key: EntityKey) -> OutlinedEntity:
        return OutlinedEntity(self._old_by_path[key[0]], key[1])

    @cached_property
    def _new_by_path(self) -> dict[str, OutlinedFile]:
        return {file.path: file for file in self.new_files}

    @cached_property
    def _old_by_path(self) -> dict[str, OutlinedFile]:
        return {file.path: file for file in self.old_files}

    @cached_property
    def predecessors(self) -> dict[EntityKey, EntityKey]:
        """Old entities of new ones, in files that changed."""
        return {new: old for old, new in self.successors.items()}

    @property
    def renamed(self) -> dict[str, str]:
        """Old paths of renamed files, with the new ones."""
        return self._pairing.files

    def path_of(self, path: str) -> str:
        """Return the present path of an old file. A file in no supported language is identified by its content."""
        if self.new.content_id(path) is not None or path in self.renamed:
            return self.renamed.get(path, path)
        content = self.old.content(path)
        found = self.new.holding(content, path) if content else []
        fresh = [twin for twin in found if self.old.content_id(twin) is None]
        return fresh[0] if len(fresh) == 1 else path


def _differing(state: RepositoryState, other: RepositoryState) -> list[str]:
    """Return the files of a state that differ in another one; a file that is there, but left out, is the same."""
    paths = (path for path in state.paths() if state.content_id(path) != other.content_id(path))
    return sorted(path for path in paths if not other.leaves_out(path))


def _key(files: Sequence[OutlinedFile], ref: EntityRef) -> EntityKey:
    return files[ref[0]].path, ref[1]
