"""Find the commits that touched a path in the graph of replayed commits, as `git rev-list --parents` does.

Takes a path's states in the store, and the changes of commits that were not replayed yet. A merge that equals a parent
is passed over, and only that parent is followed, the first one if there are several. Only commits that changed the path
are looked at, however many are between them: those of a chain are found by their positions in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from birthmark.history.lineage import NotRecordedError
from birthmark.ledger.version_links import EntityRecord, decode_records
from birthmark.store.model import CommitNode, PathState
from birthmark.store.port import LedgerStore

# The parents of commits that were not replayed yet, and blobs of the files that each changed against its first parent.
NewCommits = Mapping[str, tuple[tuple[str, ...], Mapping[str, str | None]]]


class RecordedGraph:
    """Commits by name, each looked up once."""

    def __init__(self, store: LedgerStore, new: NewCommits) -> None:
        self.store, self.new = store, new
        self._nodes: dict[str, CommitNode] = {}
        self._by_run: dict[int, CommitNode] = {}
        self._parents: dict[str, tuple[str, ...]] = {}

    def node(self, commit: str) -> CommitNode:
        if commit not in self._nodes:
            self._nodes |= self.store.commits_named([commit])
        if commit not in self._nodes:
            raise NotRecordedError
        return self._nodes[commit]

    def by_run(self, run: int) -> CommitNode:
        if run not in self._by_run:
            self._by_run |= self.store.commits([run])
        return self._by_run[run]

    @cached_property
    def chain_bases(self) -> dict[int, tuple[int, int]]:
        return self.store.chain_bases()

    def parents(self, commit: str) -> tuple[str, ...]:
        if commit in self.new:
            return self.new[commit][0]
        if commit not in self._parents:
            runs = self.node(commit).parents
            found = self.store.runs(runs)
            self._parents[commit] = tuple(found[run].revision or "" for run in runs)
        return self._parents[commit]

    def remember(self, states: Sequence[PathState]) -> None:
        for state in states:
            self._nodes[state.revision] = self._by_run[state.node.run] = state.node
            if len(state.node.parents) < 2:
                self._parents[state.revision] = (state.first_parent,) if state.first_parent is not None else ()
        others = {run for state in states for run in state.node.parents[1:]}
        self._by_run |= self.store.commits(others.difference(self._by_run))


class RecordedPath:
    """The commits that touched one path, and its state at any commit."""

    def __init__(self, graph: RecordedGraph, path: str) -> None:
        self.graph, self.path = graph, path
        states = sorted(graph.store.path_states(path), key=lambda state: state.node[1:3])
        graph.remember(states)
        self.identities = {state.version: state.identities for state in states}
        self.by_commit = {state.revision: state for state in states}
        self._chains: dict[int, tuple[list[int], list[PathState]]] = {}
        for state in states:
            positions, found = self._chains.setdefault(state.node.chain, ([], []))
            positions.append(state.node.position)
            found.append(state)
        self._before_chain: dict[int, PathState | None] = {}  # the last state before a chain began
        self._records: dict[int, dict[int, EntityRecord]] = {}

    def records(self, state: PathState) -> dict[int, EntityRecord]:
        """Return the records of the commit of a state, by identity."""
        run = state.node.run
        if run not in self._records:
            if is_walked(state):
                raise NotRecordedError
            found = decode_records(state.links) if state.links is not None else ()
            self._records[run] = {record.identity: record for record in found}
        return self._records[run]

    def state_at(self, commit: str) -> PathState | None:
        """Return the state of the path at a replayed commit; None if it was never there."""
        node = self.graph.node(commit)
        return self._last_change(node.chain, node.position)

    def state_before(self, state: PathState, parent: int = 0) -> PathState | None:
        """Return the state in a parent of the commit that changed it."""
        node = state.node
        if parent:
            node = self.graph.by_run(node.parents[parent])
            return self._last_change(node.chain, node.position)
        return self._last_change(node.chain, node.position - 1)

    def touches(self, commit: str) -> dict[str, tuple[str, ...]]:
        """Return the last touch first, each with the last ones before it on any of its sides."""
        last = self._last_touch(commit)
        found: dict[str, tuple[str, ...]] = {}
        waiting = [last] if last is not None else []
        while waiting:
            touch = waiting.pop()
            if touch not in found:
                found[touch] = tuple(dict.fromkeys(one for one in self._earlier(touch) if one is not None))
                waiting += found[touch]
        return found

    def _earlier(self, touch: str) -> Iterator[str | None]:
        if touch in self.graph.new:
            yield from map(self._last_touch, self.graph.parents(touch))
            return
        state = self.by_commit[touch]
        for number in range(len(state.node.parents)):
            yield self._listed(self.state_before(state, number))

    def _last_touch(self, commit: str) -> str | None:
        """Return the last commit up to this one that git lists."""
        while (new := self.graph.new.get(commit)) is not None:
            parents, changed = new
            if self.path not in changed:
                same: str | None = next(iter(parents), None)
            else:
                blob = changed[self.path]
                same = next((parent for parent in parents[1:] if self._blob(parent) == blob), None)
                if same is None:
                    return commit
            if same is None:
                return None
            commit = same
        return self._listed(self.state_at(commit))

    def _listed(self, state: PathState | None) -> str | None:
        """Return the commit that git lists for a change along first parents: that one, or one on another side."""
        while state is not None and len(state.node.parents) > 1:
            others = [self.state_before(state, number) for number in range(1, len(state.node.parents))]
            same = [other for other in others if blob_of(other) == blob_of(state)]
            if not same:
                break
            state = same[0]
        return state.revision if state is not None else None

    def _blob(self, commit: str) -> str | None:
        while (new := self.graph.new.get(commit)) is not None:
            parents, changed = new
            if self.path in changed:
                return changed[self.path]
            if not parents:
                return None
            commit = parents[0]
        return blob_of(self.state_at(commit))

    def _last_change(self, chain: int, position: int) -> PathState | None:
        """Return the last state along first parents, up to a position in a chain."""
        passed = []
        while True:
            positions, states = self._chains.get(chain, ([], []))
            found = bisect_right(positions, position)
            if found:
                last: PathState | None = states[found - 1]
                break
            if chain in self._before_chain or chain not in self.graph.chain_bases:
                last = self._before_chain.get(chain)
                break
            passed.append(chain)
            chain, position = self.graph.chain_bases[chain]
        self._before_chain |= dict.fromkeys(passed, last)
        if last is not None and not last.is_read:
            raise NotRecordedError
        return last


def is_walked(state: PathState) -> bool:
    """Return True if a merge left the path so, and nothing of it is recorded."""
    return state.links is None and len(state.node.parents) > 1


def blob_of(state: PathState | None) -> str | None:
    return state.content.hex() if state is not None and state.version is not None else None
