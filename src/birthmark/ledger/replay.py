"""Replay a repository's history into the ledger: every commit is a run, as if it had been indexed when it was made.

Takes a store, the commits with parents first, and their ReplaySource. The changes of a commit against its first parent
get identities as in an index run; new entities are born at the author's time. Nothing depends on the clock, on refs or
on the clone, so every clone issues the same keys and marks. Commits that were replayed before are passed over: an
interrupted replay is continued.

CommitChains adds each commit to the graph in which a history looks up the commits that touched a file. A commit goes on
the chain of its first parent if that is the last of it, else it begins a chain; so the commits before one, along first
parents, are those of its chain up to it, then those up to the commit from which the chain began. Commits whose parents
are not in the graph, as in a shallow clone, are not in it either: their histories are walked.

`take_snapshot` ends a replay: it writes the snapshot that an index run would have left, so that the next run finds
every entity with its identity, and reports only uncommitted changes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from birthmark.extraction.codec import show_outline
from birthmark.extraction.kept_texts import keep_texts
from birthmark.extraction.model import Blob, Outline
from birthmark.extraction.placement import entity_path
from birthmark.extraction.state import content_id_of
from birthmark.identity.keys import place_of
from birthmark.ledger.file_scan import IndexTools, UpdateTarget
from birthmark.ledger.issue_keys import KeyCache
from birthmark.ledger.prefetch import ChangedExtraction, Prefetch, ReadyPairing, ReplaySource, restore_outlines
from birthmark.ledger.record import version_content
from birthmark.ledger.replay_commit import CommitReplay, ReplayState, find_rewritten
from birthmark.ledger.update import (
    COMPLETE,
    REPLAY_STATE,
    UNFINISHED,
    adopt_format,
    collect_recent,
    collection_paused,
    find_base,
)
from birthmark.model import Level, Problem
from birthmark.sources.git.log import Link
from birthmark.store.model import REPLAY, CommitNode, ContentKey, LedgerKey, SnapshotFile, Version, VersionContent
from birthmark.store.port import Store

_CHUNK = 250  # commits whose files are extracted together, and that are written together
_MERGED = 2  # parents: most merges are not paired
_FIRST = 1  # commits that are written by themselves, so that all others find the indexes there
_PORTION = 500  # versions whose outlines are held together
_UNSEEN = -1  # a size and a time that no file has: the next run reads it


class Replayed(NamedTuple):
    """The result of a replay."""

    n_commits: int
    n_new: int
    n_extracted: int
    changes: dict[str, int]
    problems: list[Problem]
    seconds: float


def begin_replay(store: Store, extractor: str) -> None:
    """Record that a replay was asked for, and set one aside that has to be made anew.

    That is one which is wrong, or was made with another version of the extractor.
    """
    store.set_meta(REPLAY_STATE, UNFINISHED)
    if store.is_replay_backwards() or store.replay_extractor() not in (None, extractor):
        with store.writing():
            store.set_replay_aside()


def finish_replay(store: Store) -> None:
    store.set_meta(REPLAY_STATE, COMPLETE)


@collection_paused()
def replay_history(store: Store, links: Sequence[Link], source: ReplaySource, tools: IndexTools) -> Replayed:
    adopt_format(store)
    return _Replay(store, links, source, tools).run()


def state_at(store: Store, commit: str, source: ReplaySource) -> ReplayState:
    """Return the state of a replayed commit: the last versions of its files along its first parents."""
    runs = store.replayed_commits()
    chain = [runs[ancestor] for ancestor in source.first_parents(commit) if ancestor in runs]
    newest = store.newest_versions(chain)
    languages = source.languages_in(commit, newest)
    files = {path: version for path, version in newest.items() if languages.get(path) is not None}
    return ReplayState(files, {identity for version in files.values() for identity in version.identities})


class _Replay:
    """The commits to replay, and the states that they start from."""

    def __init__(self, store: Store, links: Sequence[Link], source: ReplaySource, tools: IndexTools) -> None:
        self.store, self.links, self.source, self.tools = store, links, source, tools
        replayed = store.replayed_commits()
        self.new = [link for link in links if link.commit not in replayed]
        self.n_children = Counter(parent for link in self.new for parent in link.parents)
        self.replayed = replayed.keys() & self.n_children.keys()
        self.runs = set(replayed.values())
        self.rewritten = find_rewritten(store, links) if self.new else {}
        self.states: dict[str, ReplayState] = {}
        self.keys: KeyCache = {}
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
        """Extract the files from which the replay goes on again, if a repair has lost their outlines."""
        lost = self.store.incomplete_extractions(self.tools.extractor.version, Level.ENTITIES) if self.replayed else {}
        if lost:
            versions = [version for commit in sorted(self.replayed) for version in self._state(commit).files.values()]
            needed = {version.extraction for version in versions}
            restore_outlines(self.source, self.tools, {key for number, key in lost.items() if number in needed})

    def _fold_all(self, ready: list[tuple[Link, list[ChangedExtraction]]], prefetch: Prefetch) -> None:
        """Fold commits, each once it is paired, while workers extract for the next ones."""
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
        """Return False for a parent that a shallow clone names but does not have."""
        return parent in self.states or parent in self.replayed

    def _state(self, commit: str) -> ReplayState:
        if commit not in self.states:
            self.states[commit] = state_at(self.store, commit, self.source)
        return self.states[commit]

    def _keep_state(self, link: Link, parents: list[ReplayState], commit: CommitReplay) -> None:
        """Keep a state for as long as a commit may start from it; the last one to do so changes it in place."""
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
    """Yield chunks of commits, with an empty one at the end, during which the last are folded."""
    if links:
        yield links[:_FIRST]
    for first in range(_FIRST, len(links), _CHUNK):
        yield links[first : first + _CHUNK]
    yield []


class CommitChains:
    """The nodes that commits of one replay start from."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.nodes: dict[str, CommitNode] = {}
        self.ends: dict[int, int] = {}  # the last positions of chains

    def add(self, commit: str, parents: Sequence[str], run: int) -> CommitNode | None:
        nodes = [self._node(parent) for parent in parents]
        known = [node for node in nodes if node is not None]
        if len(known) < len(nodes):
            return None
        chain, position = run, 0
        if known and self._end(known[0].chain) == known[0].position:
            chain, position = known[0].chain, known[0].position + 1
        self.ends[chain] = position
        self.nodes[commit] = node = CommitNode(run, chain, position, tuple(parent.run for parent in known))
        return node

    def _node(self, commit: str) -> CommitNode | None:
        if commit not in self.nodes:
            self.nodes |= self.store.commits_named([commit])
        return self.nodes.get(commit)

    def _end(self, chain: int) -> int:
        if chain not in self.ends:
            self.ends |= self.store.chain_ends([chain])
        return self.ends[chain]


def take_snapshot(
    store: Store,
    target: UpdateTarget,
    state: ReplayState,
    tools: IndexTools,
    is_shown: Callable[[str], bool],
    manifests: Mapping[str, str],
) -> None:
    """Write the snapshot, after extracting its files in full: a replay extracts entities only.

    The index shows only some files. `manifests` are texts by path.
    """
    versions = [version for path, version in state.files.items() if is_shown(path)]
    texts = {path: text.encode() for path, text in manifests.items() if is_shown(path)}
    with store.writing():
        run = store.begin_run(target.worktree, target.branch or None, target.revision, tools.now())
        base = find_base(store, target.worktree)
        shown = store.shown_versions()
        snapshot = store.snapshot_for(run, base.extractor if base is not None else tools.setup, None)
        incomplete = store.incomplete_extractions(tools.extractor.version, tools.level)
        files = [file for file in _keep_manifests(store, texts) if file.path not in state.files]
        for start in range(0, len(versions), _PORTION):
            files += _show_versions(store, versions[start : start + _PORTION], shown, incomplete, tools)
        gone = {file.path for file in store.each_file(snapshot)} - {file.path for file in files}
        store.change_files(snapshot, files, gone)


def _show_versions(
    store: Store, versions: list[Version], shown: set[int], incomplete: dict[int, ContentKey], tools: IndexTools
) -> list[SnapshotFile]:
    """Return the files of versions whose outlines are kept; versions that no snapshot shows yet are shown."""
    kept = [version for version in versions if tools.extractor.outline(version.extraction) is not None]
    _complete(kept, incomplete, tools)
    outlined = [(one, tools.extractor.kept_file(one.path, one.extraction).outline) for one in kept]
    _show(store, [(version, outline) for version, outline in outlined if version.version not in shown])
    return [_file(version.path, b"", outline.language, version.version) for version, outline in outlined]


def _complete(versions: list[Version], incomplete: dict[int, ContentKey], tools: IndexTools) -> None:
    blobs = [
        Blob(*incomplete[number], tools.extractor.source_of(number), version.path)
        for version in versions
        if (number := version.extraction) in incomplete
    ]
    for _ in tools.extractor.fill_cache(blobs, tools.level):
        pass


def _keep_manifests(store: Store, contents: Mapping[str, bytes]) -> list[SnapshotFile]:
    ids = {path: content_id_of(content) for path, content in contents.items()}
    keep_texts(store, [(ids[path], content) for path, content in contents.items()])
    return [_file(path, content_id, None, None) for path, content_id in ids.items()]


def _file(path: str, content_id: bytes, language: str | None, version: int | None) -> SnapshotFile:
    return SnapshotFile(path, None, _UNSEEN, _UNSEEN, _UNSEEN, 0, None, content_id, language, version, None)


def _show(store: Store, outlined: list[tuple[Version, Outline]]) -> None:
    """Show entities and references of versions that no snapshot has shown yet."""
    found = store.keys_of({identity for version, _ in outlined for identity in version.identities})
    found.sort(key=lambda key: -key.birth)  # The oldest birth counts, where two identities were merged.
    keys = {(key.identity, key.semantic_path): key for key in found}
    store.show_versions([_content(version, outline, keys) for version, outline in outlined])


def _content(version: Version, outline: Outline, keys: dict[tuple[int, str], LedgerKey]) -> VersionContent:
    paths = (entity_path(entity, place_of(version.path)) for entity in outline.entities)
    issued = [(keys[identity, path], None) for identity, path in zip(version.identities, paths, strict=True)]
    return version_content(version, show_outline(outline), issued)
