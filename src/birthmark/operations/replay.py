"""Replay a repository's history into the ledger: every commit is a run, as if it had been indexed when it was made.

Takes a store, the commits with parents first, and what is asked of the past. What a commit changed against its first
parent is settled as an index run settles it; the birth of what it introduces is its author's time. Nothing depends on
the clock, on refs or on the clone, so every clone issues the same keys and marks. Commits that were replayed before are
passed over: a replay that was interrupted goes on where it was.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from birthmark.model import Problem
from birthmark.operations.births import Births
from birthmark.operations.changes import DELETED, MODIFIED, MOVED, REVIVED
from birthmark.operations.foresight import UNREADABLE, Change, Foresight, Past
from birthmark.operations.index import adopt_format
from birthmark.operations.look import Tools
from birthmark.operations.outline import Outline
from birthmark.operations.recall import LedgerRecall
from birthmark.operations.record import Recorder
from birthmark.operations.settle import NOBODY, NewFile, OldFile, settle
from birthmark.operations.shelf import Shelf
from birthmark.sources.log import Link
from birthmark.store.port import Store, Version

HISTORY = ""  # stands for the worktree in the run of a commit
_CHUNK = 250  # commits whose files are extracted together, and that are written together
_IMPORTANT = 1  # commits that are written by themselves, so that all others find the indexes there


class Replayed(NamedTuple):
    """What a replay did."""

    n_commits: int
    n_new: int
    n_extracted: int
    changes: dict[str, int]
    problems: list[Problem]
    seconds: float


class State(NamedTuple):
    """What stood in a commit: the version of each file, and who was there."""

    files: dict[str, Version]
    alive: set[int]

    def copy(self) -> State:
        return State(self.files.copy(), self.alive.copy())


def replay_history(store: Store, links: Sequence[Link], past: Past, tools: Tools) -> Replayed:
    """Without garbage collection: what is made here by the hundred thousand holds no cycles."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        adopt_format(store)
        return _Replay(store, links, past, tools).run()
    finally:
        if is_collecting:
            gc.enable()


def state_at(store: Store, commit: str, past: Past) -> State:
    """What stood in a commit that was replayed: the last versions along its first parents, of the files it has."""
    runs = store.replayed()
    chain = [runs[ancestor] for ancestor in past.first_parents(commit) if ancestor in runs]
    there = past.paths(commit)
    files = {path: version for path, version in store.newest_versions(chain).items() if path in there}
    return State(files, {identity for version in files.values() for identity in version.identities})


class _Replay:
    def __init__(self, store: Store, links: Sequence[Link], past: Past, tools: Tools) -> None:
        self.store, self.links, self.past, self.tools = store, links, past, tools
        known = store.replayed()
        self.new = [link for link in links if link.commit not in known]
        self.n_children = Counter(parent for link in self.new for parent in link.parents)
        self.known = known.keys() & self.n_children.keys()
        self.states: dict[str, State] = {}
        self.shelf = Shelf(store)
        self.changes: Counter[str] = Counter()

    def run(self) -> Replayed:
        started = time.monotonic()
        n_done, n_extracted = 0, 0
        problems: list[Problem] = []
        ready: list[tuple[Link, list[Change]]] = []
        for coming in _chunks(self.new):
            with self.store.writing():
                foresight = Foresight(self.store, self.past, self.tools, coming)
                self._fold_all(ready, foresight)
                n_done, n_extracted = n_done + len(ready), n_extracted + foresight.n_extracted
                ready = list(zip(coming, foresight.changes(), strict=True))
            problems += foresight.problems
            rate = n_done / (time.monotonic() - started)
            self.tools.progress(f"replaying, {rate:,.0f} commits/s", n_done, len(self.new))
        told, seconds = dict(self.changes), time.monotonic() - started
        return Replayed(len(self.links), n_done, n_extracted, told, problems, seconds)

    def _fold_all(self, ready: list[tuple[Link, list[Change]]], foresight: Foresight) -> None:
        """Fold some commits, and between any two take what the workers have extracted for the next ones."""
        steps = foresight.steps()
        n_between = len(foresight.tasks) // (len(ready) + 1)
        for link, changes in ready:
            for _ in islice(steps, n_between):
                pass
            self._fold(link, changes)
        for _ in steps:
            pass

    def _fold(self, link: Link, changes: list[Change]) -> None:
        parents = [self._state(parent) for parent in link.parents if self._is_there(parent)]
        run = self.store.last("runs") + 1
        self.store.insert("runs", [(run, HISTORY, None, link.commit, link.at)])
        commit = _Commit(self.store, self.shelf, parents, run, link.at)
        commit.settle(changes, self.tools)
        self.changes.update(commit.recorder_changes)
        self._take_over(link, parents, commit)

    def _is_there(self, parent: str) -> bool:
        """A shallow clone knows of parents that it does not have."""
        return parent in self.states or parent in self.known

    def _state(self, commit: str) -> State:
        if commit not in self.states:
            self.states[commit] = state_at(self.store, commit, self.past)
        return self.states[commit]

    def _take_over(self, link: Link, parents: list[State], commit: _Commit) -> None:
        """A state is kept for as long as a commit may start from it; the last one to do so changes it in place."""
        for parent in set(link.parents):
            self.n_children[parent] -= link.parents.count(parent)
        if self.n_children[link.commit]:
            is_last = link.first is not None and not self.n_children[link.first]
            state = (parents[0] if is_last else parents[0].copy()) if parents else State({}, set())
            commit.apply(state)
            self.states[link.commit] = state
        for parent in link.parents:
            if not self.n_children[parent]:
                self.states.pop(parent, None)


class _Commit:
    """One commit: what it changed, who is who, and what is written of it."""

    def __init__(self, store: Store, shelf: Shelf, parents: list[State], run: int, at: int) -> None:
        self.store, self.shelf, self.run, self.at = store, shelf, run, at
        self.before = parents[0] if parents else State({}, set())
        self.others = parents[1:]
        self.old: list[Version] = []
        self.new: list[Version] = []
        self.recorder_changes: dict[str, int] = {}

    def settle(self, changes: list[Change], tools: Tools) -> None:
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
        recall = _CommitRecall(self.store, self.before.alive - self._forgotten(), self.old)
        settlement = settle(old_files, new_files, recall, tools.family_of)
        path_ids = self.shelf.path_ids([*(file.path for file in old_files), *(path for path, _ in new)])
        recorder = _CommitRecorder(self.store, self.run, path_ids, Births(self.store, self.at), self)
        extractions = [extraction for _, extraction in new]
        versions = recorder.record(old_files, new_files, extractions, settlement)
        self.new = [
            Version(number, path, extraction, self.run, tuple([named.identity for named in names]))
            for number, (path, extraction), names in zip(versions, new, recorder.names, strict=True)
        ]
        self.recorder_changes = recorder.changes

    def _is_changed(self, change: Change) -> bool:
        """A file that cannot be read is taken to be as it was."""
        held = self.before.files.get(change.path)
        return change.extraction != UNREADABLE and (held.extraction if held else None) != change.extraction

    def _forgotten(self) -> set[int]:
        """Whose outlines are no longer kept; they may be recalled by their keys."""
        lost = [version for version in self.old if version.extraction not in self.shelf]
        return {identity for version in lost for identity in version.identities}

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
        return [found.pop(_trait(outline, e), NOBODY) for e in range(len(outline.entities))] if found else []

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
        events = self.store.events([identity]) if self.others else []
        return bool(events) and events[-1].change == DELETED

    def apply(self, state: State) -> None:
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


class _CommitRecall(LedgerRecall):
    """Recalls what a commit may bring back: whoever does not stand in its first parent."""

    def __init__(self, store: Store, alive: set[int], replaced: Iterable[Version]) -> None:
        self.store, self.is_empty = store, store.last("identities") == 0
        self.here = alive
        self.leaving = {identity for version in replaced for identity in version.identities}

    def alive(self, identities: Iterable[int]) -> list[int]:
        return [identity for identity in identities if identity in self.here and identity not in self.leaving]

    def present(self, identities: Iterable[int]) -> set[int]:
        return self.here.intersection(identities)


class _CommitRecorder(Recorder):
    """Leaves out shifts of lines, which would be most of all events, and what another parent has told already."""

    def __init__(self, store: Store, run: int, path_ids: dict[str, int], births: Births, commit: _Commit) -> None:
        super().__init__(store, run, path_ids, births)
        self.commit = commit

    def note(
        self, file: OldFile | NewFile, e: int, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        if change == MOVED:
            return
        if self.commit.others:
            if change == DELETED and self.commit.was_told_deleted(identity):
                return
            if change != DELETED and self.commit.is_told(file, e, identity):
                return
            if change == REVIVED and any(identity in other.alive for other in self.commit.others):
                change = MODIFIED
        super().note(file, e, identity, change, evidence, confidence)

    def present(self, *_: object) -> None:
        """No snapshot shows a commit; the last one is shown when all are replayed."""


def _chunks(links: Sequence[Link]) -> Iterator[Sequence[Link]]:
    """With an empty one at the end, while which the last are folded."""
    if links:
        yield links[:_IMPORTANT]
    for first in range(_IMPORTANT, len(links), _CHUNK):
        yield links[first : first + _CHUNK]
    yield []
