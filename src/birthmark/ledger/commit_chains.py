"""Extend the graph of replayed commits, in which a history looks up what touched a file.

Takes each commit with its parents, which come first; gives a CommitNode. A commit goes on the chain of its first parent
if that is the last of it, else it begins a chain; so the commits before one, along first parents, are those of its
chain up to it, then those up to the commit from which the chain began. Commits whose parents are not in the graph,
as in a shallow clone, are not in it either: their histories are walked.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.store.model import CommitNode
from birthmark.store.port import Store


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
