"""Settle one commit of a replay: what it changed against its first parent, who is who, and what is written of it.

Takes the states of its parents; gives the versions that make the first one's state its own. Entities that stand so in
another parent have been told of on the way there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.extraction.model import Outline
from birthmark.ledger.assign_identities import NO_IDENTITY, NewFile, OldFile, assign_identities
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer, KeyRequest
from birthmark.ledger.outline_cache import OutlineCache
from birthmark.ledger.prefetch import UNREADABLE, ChangedExtraction
from birthmark.ledger.record import Recorder
from birthmark.ledger.revival import LedgerRevivalSource
from birthmark.store.model import Version
from birthmark.store.port import Store
from birthmark.vocabulary import Change

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
            NewFile(path, outline, self.shelf.source_of(extraction), self._known(path, extraction, outline, known))
            for path, extraction in new
            for outline in (self.shelf.outline(extraction),)
        ]
        recall = _CommitRevivalSource(self.store, self._remembered(), self.old)
        settlement = assign_identities(old_files, new_files, recall, tools.family_of)
        recorder = _CommitRecorder(self.store, self.run, _CommitKeyIssuer(self.store, self.at, self.keys), self)
        self.new = recorder.record(old_files, new_files, [extraction for _, extraction in new], settlement)
        self.recorder_changes = recorder.changes

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

    def _known(
        self, path: str, extraction: int, outline: Outline, known: dict[tuple[str, int], list[Version]]
    ) -> Sequence[int]:
        """Who the entities of a file were: in another parent, if it comes from there; else when it was just so last."""
        theirs = [version for other in self.others if (version := other.files.get(path)) is not None]
        same = [version for version in theirs if version.extraction == extraction]
        if theirs and not same and (joined := self._joined(outline, theirs)):
            return joined
        found = next(iter(same or known.get((path, extraction), [])), None)
        return found.identities if found is not None else ()

    def _joined(self, outline: Outline, theirs: list[Version]) -> list[int]:
        """What a merged file has taken over from other parents, and the first parent does not have."""
        found = {
            _trait(held, e): identity
            for version in theirs
            if version.extraction in self.shelf
            for held in (self.shelf.outline(version.extraction),)
            for e, identity in enumerate(version.identities)
            if identity not in self.before.alive
        }
        return [found.pop(_trait(outline, e), NO_IDENTITY) for e in range(len(outline.entities))] if found else []

    def is_told(self, file: OldFile | NewFile, e: int, identity: int) -> bool:
        """Whether an entity stands so in another parent already, so that a commit that led there has told of it."""
        versions = [version for other in self.others if (version := other.files.get(file.path)) is not None]
        return any(
            _trait(self.shelf.outline(version.extraction), version.identities.index(identity))
            == _trait(file.outline, e)
            for version in versions
            if identity in version.identities and version.extraction in self.shelf
        )

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


def _trait(outline: Outline, e: int) -> tuple[str, str, str]:
    entity = outline.entities[e]
    return entity.kind, entity.qualified_name, outline.fingerprints[e].content


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
            if change != Change.DELETED and self.commit.is_told(file, e, identity):
                return
            if change == Change.REVIVED and any(identity in other.alive for other in self.commit.others):
                change = Change.MODIFIED
        super().note(file, e, identity, change, evidence, confidence)

    def show(self, *_: object) -> None:
        """No snapshot shows a commit; the last one is shown when all are replayed."""
