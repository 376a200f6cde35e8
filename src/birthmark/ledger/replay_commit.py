"""Settle one commit of a replay: what it changed against its first parent, who is who, and what is written of it.

Takes the states of its parents; gives the versions that make the first one's state its own. Entities that stand so in
another parent have been told of on the way there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.comparison.declaration_changes import CONTAINERS, find_changes, state_of
from birthmark.comparison.pair_commit import NOTHING_PAIRED, pair_commit
from birthmark.ledger.assign_identities import NewFile, OldFile, assign_identities
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer, KeyRequest
from birthmark.ledger.merge import Merge
from birthmark.ledger.outline_cache import OutlineCache
from birthmark.ledger.prefetch import UNREADABLE, ChangedExtraction
from birthmark.ledger.record import Recorder
from birthmark.ledger.revival import LedgerRevivalSource
from birthmark.store.model import Version
from birthmark.store.port import Store
from birthmark.vocabulary import Aspect, Change

Keys = dict[KeyRequest, IssuedKey]  # that were used in this replay


class ReplayState(NamedTuple):
    """What stood in a commit: the version of each file, and who was there."""

    files: dict[str, Version]
    alive: set[int]

    def copy(self) -> ReplayState:
        return ReplayState(self.files.copy(), self.alive.copy())


class CommitReplay:
    """One commit: what it changed, who is who, and what is written of it."""

    def __init__(
        self, store: Store, shelf: OutlineCache, keys: Keys, parents: list[ReplayState], run: int, at: int
    ) -> None:
        self.store, self.shelf, self.keys, self.run, self.at = store, shelf, keys, run, at
        self.before = parents[0] if parents else ReplayState({}, set())
        self.others = parents[1:]
        self.old: list[Version] = []
        self.new: list[Version] = []
        self.recorder_changes: dict[str, int] = {}

    def assign_identities(self, changes: list[ChangedExtraction], tools: IndexTools) -> None:
        files = self.before.files
        changed = [change for change in changes if self._is_changed(change)]
        self.old = [files[change.path] for change in changed if change.path in files]
        new = [(change.path, change.extraction) for change in changed if change.extraction is not None]
        if not self.old and not new:
            return
        known = self.store.versions_at(new)
        old_files = [self._old_file(version) for version in self.old if version.extraction in self.shelf]
        new_files = [
            NewFile(path, self.shelf.outline(extraction), self.shelf.source_of(extraction), (), before)
            for path, extraction in new
            for before in (next((version.identities for version in known.get((path, extraction), ())), ()),)
        ]
        pairing = NOTHING_PAIRED
        merge = self._merge(changed, dict(new), tools) if self.others else None
        if merge is None or not merge.is_inherited([path for path, _ in new], self._present_elsewhere()):
            old_ids = {
                version.path: str(version.extraction) for version in self.old if version.extraction in self.shelf
            }
            new_ids = {path: str(extraction) for path, extraction in new}
            pairing = pair_commit(old_files, new_files, tools.family_of, ids=(old_ids, new_ids))
        if merge is not None:
            new_files = merge.inherit(pairing, old_files, new_files)
        recall = _CommitRevivalSource(self.store, self._remembered(), self.old)
        settlement = assign_identities(pairing, old_files, new_files, recall, tools.family_of)
        recorder = _CommitRecorder(self.store, self.run, _CommitKeyIssuer(self.store, self.at, self.keys), self)
        self.new = recorder.record(old_files, new_files, [extraction for _, extraction in new], settlement)
        self.recorder_changes = recorder.changes

    def _merge(self, changed: list[ChangedExtraction], new: dict[str, int], tools: IndexTools) -> Merge:
        kept = self.before.files.keys() - {change.path for change in changed}
        merged = {path: self.before.files[path].extraction for path in kept} | new
        return Merge(self.shelf, merged, [other.files for other in self.others], tools.family_of)

    def _present_elsewhere(self) -> set[int]:
        """The identities in files that the commit did not change."""
        return self.before.alive.difference(*(version.identities for version in self.old))

    def _is_changed(self, change: ChangedExtraction) -> bool:
        """A file that cannot be read is taken to be as it was."""
        held = self.before.files.get(change.path)
        return change.extraction != UNREADABLE and (held.extraction if held else None) != change.extraction

    def _remembered(self) -> set[int]:
        """Who is there, but for those whose outlines are no longer kept; they may be recalled by their keys."""
        lost = [version for version in self.old if version.extraction not in self.shelf]
        return self.before.alive.difference(*(version.identities for version in lost)) if lost else self.before.alive

    def _old_file(self, version: Version) -> OldFile:
        outline = self.shelf.outline(version.extraction)
        return OldFile(version.path, outline, version.identities, self.shelf.source_of(version.extraction))

    def merged_change(self, file: OldFile | NewFile, e: int, identity: int, change: str) -> str | None:
        """What a merge itself changed: that in which an entity differs from all parents that have it."""
        states = [state for state in (self.before, *self.others) if identity in state.alive]
        differences = [set(found) for state in states if (found := self._differences(state, file, e, identity))]
        if len(differences) < len(states):
            return None
        return _name(set.intersection(*differences)) if differences else change

    def _differences(self, state: ReplayState, file: OldFile | NewFile, e: int, identity: int) -> list[str]:
        version = self._version_of(state, file.path, identity)
        if version is None or version.extraction not in self.shelf:
            return []
        old, index = self._old_file(version), version.identities.index(identity)
        before, after = state_of(old, index), state_of(file, e)
        places = [Change.RELOCATED] if version.path != file.path else []
        names = [Change.RENAMED] if before.entity.name != after.entity.name else []
        is_other = after.entity.kind in CONTAINERS and before.fingerprint.body != after.fingerprint.body
        return [*places, *names, *([Aspect.BODY] if is_other else []), *find_changes(before, after)]

    def _version_of(self, state: ReplayState, path: str, identity: int) -> Version | None:
        held = state.files.get(path)
        if held is not None and identity in held.identities:
            return held
        return next((version for version in state.files.values() if identity in version.identities), None)

    def was_told_deleted(self, identity: int) -> bool:
        """Whether the way to another parent has told that it is gone."""
        events = self.store.events_of([identity]) if self.others else []
        return bool(events) and events[-1].change == Change.DELETED

    def apply(self, state: ReplayState) -> None:
        """Make the state of the first parent that of this commit."""
        for version in self.old:
            state.files.pop(version.path)
            state.alive.difference_update(version.identities)
        for version in self.new:
            state.files[version.path] = version
            state.alive.update(version.identities)


def _name(differences: set[str]) -> str | None:
    """The boldest of what differs, in one word."""
    words = [word for word in (Change.RELOCATED, Change.RENAMED) if word in differences]
    return words[0] if words else Change.MODIFIED if differences else None


class _CommitRevivalSource(LedgerRevivalSource):
    """Recalls what a commit may bring back: whoever does not stand in its first parent."""

    def __init__(self, store: Store, alive: set[int], replaced: Iterable[Version]) -> None:
        self.store, self.is_empty = store, not store.has_identities()
        self.here = alive
        self.leaving = {identity for version in replaced for identity in version.identities}

    def alive(self, identities: Iterable[int]) -> list[int]:
        return [identity for identity in identities if identity in self.here and identity not in self.leaving]

    def present(self, identities: Iterable[int]) -> set[int]:
        return self.here.intersection(identities)


class _CommitKeyIssuer(KeyIssuer):
    """Remembers the keys that were used: most entities of a changed file go by the one they had before."""

    def __init__(self, store: Store, now: int, keys: Keys) -> None:
        super().__init__(store, now)
        self.keys = keys

    def issue(self, requests: Sequence[KeyRequest]) -> list[IssuedKey]:
        rest = [request for request in requests if request not in self.keys]
        issued = super().issue(rest) if rest else []
        new = iter(issued)
        found = [self.keys.get(request) or next(new) for request in requests]
        for key, _ in issued:
            self.keys[KeyRequest(key.semantic_path, key.identity)] = IssuedKey(key)
        return found


class _CommitRecorder(Recorder):
    """Leaves out shifts of lines, which would be most of all events, and what another parent has told already."""

    def __init__(self, store: Store, run: int, issuer: KeyIssuer, commit: CommitReplay) -> None:
        super().__init__(store, run, issuer)
        self.commit = commit

    def note(
        self, file: OldFile | NewFile, e: int, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        if change == Change.MOVED:
            return
        if self.commit.others:
            if change == Change.DELETED and self.commit.was_told_deleted(identity):
                return
            merged = change if change == Change.DELETED else self.commit.merged_change(file, e, identity, change)
            if merged is None:
                return
            change = merged
        super().note(file, e, identity, change, evidence, confidence)

    def show(self, *_: object) -> None:
        """No snapshot shows a commit; the last one is shown when all are replayed."""
