"""Replay a repository's history into the ledger: every commit is a run, as if it had been indexed when it was made.

Takes a store, the commits with parents first, and their ReplaySource. What a commit changed against its first parent
gets identities as in an index run; the birth of what it introduces is its author's time. Nothing depends on
the clock, on refs or on the clone, so every clone issues the same keys and marks. Commits that were replayed before
are passed over: a replay that was interrupted goes on where it was.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from birthmark.ledger.commit_chains import CommitChains
from birthmark.ledger.commit_recorder import Keys
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.gc_pause import collect_recent, collection_paused
from birthmark.ledger.prefetch import ChangedExtraction, Prefetch, ReplaySource, restore_outlines
from birthmark.ledger.ready_pairings import ReadyPairing
from birthmark.ledger.replay_commit import CommitReplay, ReplayState
from birthmark.ledger.rewritten import find_rewritten
from birthmark.ledger.update import COMPLETE, REPLAY_STATE, UNFINISHED, adopt_format
from birthmark.model import Level, Problem
from birthmark.sources.git.log import Link
from birthmark.store.model import REPLAY
from birthmark.store.port import Store

_CHUNK = 250  # commits whose files are extracted together, and that are written together
_MERGED = 2  # parents: most merges are not paired
_FIRST = 1  # commits that are written by themselves, so that all others find the indexes there


class Replayed(NamedTuple):
    """What a replay did."""

    n_commits: int
    n_new: int
    n_extracted: int
    changes: dict[str, int]
    problems: list[Problem]
    seconds: float


def begin_replay(store: Store) -> None:
    """Record that a replay was asked for, and set one aside that has to be made anew."""
    store.set_meta(REPLAY_STATE, UNFINISHED)
    if store.is_replay_backwards():
        with store.writing():
            store.set_replay_aside()


def finish_replay(store: Store) -> None:
    store.set_meta(REPLAY_STATE, COMPLETE)


@collection_paused()
def replay_history(store: Store, links: Sequence[Link], source: ReplaySource, tools: IndexTools) -> Replayed:
    adopt_format(store)
    return _Replay(store, links, source, tools).run()


def state_at(store: Store, commit: str, source: ReplaySource) -> ReplayState:
    """The state of a commit that was replayed: the last versions along its first parents, of the files it has."""
    runs = store.replayed_commits()
    chain = [runs[ancestor] for ancestor in source.first_parents(commit) if ancestor in runs]
    newest = store.newest_versions(chain)
    languages = source.languages_in(commit, newest)
    files = {path: version for path, version in newest.items() if languages.get(path) is not None}
    return ReplayState(files, {identity for version in files.values() for identity in version.identities})


class _Replay:
    def __init__(self, store: Store, links: Sequence[Link], source: ReplaySource, tools: IndexTools) -> None:
        self.store, self.links, self.source, self.tools = store, links, source, tools
        replayed = store.replayed_commits()
        self.new = [link for link in links if link.commit not in replayed]
        self.n_children = Counter(parent for link in self.new for parent in link.parents)
        self.replayed = replayed.keys() & self.n_children.keys()
        self.runs = set(replayed.values())
        self.rewritten = find_rewritten(store, links) if self.new else {}
        self.states: dict[str, ReplayState] = {}
        self.keys: Keys = {}
        self.graph = CommitChains(store)
        self.changes: Counter[str] = Counter()

    def run(self) -> Replayed:
        started = time.monotonic()
        n_done, n_extracted = 0, 0
        problems: list[Problem] = []
        ready: list[tuple[Link, list[ChangedExtraction]]] = []
        self._restore_outlines()
        for coming in _chunks(self.new):
            with self.store.writing():
                prefetch = Prefetch(self.source, self.tools, coming)
                self._fold_all(ready, prefetch)
                n_done, n_extracted = n_done + len(ready), n_extracted + prefetch.n_extracted
                ready = list(zip(coming, prefetch.changes(), strict=True))
            collect_recent()
            problems += prefetch.problems
            rate = n_done / (time.monotonic() - started)
            self.tools.progress(f"replaying, {rate:,.0f} commits/s", n_done, len(self.new))
        changes, seconds = dict(self.changes), time.monotonic() - started
        return Replayed(len(self.links), n_done, n_extracted, changes, list(dict.fromkeys(problems)), seconds)

    def _restore_outlines(self) -> None:
        """After a repair no outline is left; those of the files from which the replay goes on are made again."""
        lost = self.store.incomplete_extractions(self.tools.extractor.version, Level.ENTITIES) if self.replayed else {}
        if lost:
            versions = [version for commit in sorted(self.replayed) for version in self._state(commit).files.values()]
            needed = {version.extraction for version in versions}
            restore_outlines(self.source, self.tools, {key for number, key in lost.items() if number in needed})

    def _fold_all(self, ready: list[tuple[Link, list[ChangedExtraction]]], prefetch: Prefetch) -> None:
        """Fold some commits, each once it is paired, and take what the workers have extracted for the next ones."""
        pairings = [ReadyPairing(changes if len(link.parents) < _MERGED else ()) for link, changes in ready]
        calls = [call for pairing in pairings for call in pairing.call(self.tools.extractor)]
        steps = prefetch.steps(calls)
        n_between = (len(calls) + len(prefetch.tasks)) // (len(ready) + 1)
        for (link, changes), pairing in zip(ready, pairings, strict=True):
            for _ in islice(steps, n_between):
                pass
            while not pairing.is_done:
                next(steps)
            self._fold(link, changes, pairing)
        for _ in steps:
            pass

    def _fold(self, link: Link, changes: list[ChangedExtraction], pairing: ReadyPairing) -> None:
        parents = [self._state(parent) for parent in link.parents if self._is_there(parent)]
        run = self.store.begin_run(REPLAY, None, link.commit, link.at)
        rewritten = self.store.newest_versions(self.rewritten[link.at]) if link.at in self.rewritten else {}
        commit = CommitReplay(
            self.store, self.tools, self.keys, parents, run.run, link.at, self.runs, rewritten.values()
        )
        self.runs.add(run.run)
        commit.assign_identities(changes, pairing)
        node = None if self.source.is_cut_off(link.commit) else self.graph.add(link.commit, link.parents, run.run)
        if node is not None:
            commit.record_node(node, changes)
        self.changes.update(commit.changes)
        self._keep_state(link, parents, commit)

    def _is_there(self, parent: str) -> bool:
        """A shallow clone names parents that it does not have."""
        return parent in self.states or parent in self.replayed

    def _state(self, commit: str) -> ReplayState:
        if commit not in self.states:
            self.states[commit] = state_at(self.store, commit, self.source)
        return self.states[commit]

    def _keep_state(self, link: Link, parents: list[ReplayState], commit: CommitReplay) -> None:
        """A state is kept for as long as a commit may start from it; the last one to do so changes it in place."""
        for parent in set(link.parents):
            self.n_children[parent] -= link.parents.count(parent)
        if self.n_children[link.commit]:
            is_last = link.first is not None and not self.n_children[link.first]
            state = (parents[0] if is_last else parents[0].copy()) if parents else ReplayState({}, set())
            commit.apply(state)
            self.states[link.commit] = state
        for parent in link.parents:
            if not self.n_children[parent]:
                self.states.pop(parent, None)


def _chunks(links: Sequence[Link]) -> Iterator[Sequence[Link]]:
    """With an empty one at the end, during which the last are folded."""
    if links:
        yield links[:_FIRST]
    for first in range(_FIRST, len(links), _CHUNK):
        yield links[first : first + _CHUNK]
    yield []
