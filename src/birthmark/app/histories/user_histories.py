"""When users of an entity came and went, from the replayed ledger.

Takes what a REF names; walks all commits that were replayed, and looks for its users where a changed file defines or
mentions it. What is claimed is a use; what may be one by its name alone is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from birthmark.app.histories.subject import HistorySubject
from birthmark.app.indexing.replay_source import CommitReader
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, Outline
from birthmark.extraction.state import content_id_of
from birthmark.graph.edges import Edge, names_of
from birthmark.graph.network import Node
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.graph.users import users
from birthmark.history.user_changes import UserChanges, Users, UserTimeline
from birthmark.languages.registry import load_registry
from birthmark.ledger.past_states import ChangedVersion, PastState, changed_versions, renamed_files
from birthmark.model import Level
from birthmark.queries.commit_graph import CommitGraph, OutlineSource, VersionSymbols, word_of
from birthmark.sources.log import Commit, Link, log_all
from birthmark.store.model import ContentKey, Version
from birthmark.store.port import Store

Progress = Callable[[str, int, int], None]

_SOURCES = 4096  # that are held


class UsersFinder:
    """Finds the users of an identity in the states of commits; states that do not differ in what matters share them."""

    def __init__(self, symbols: VersionSymbols, identity: int) -> None:
        self.symbols, self.identity = symbols, identity
        self.words: set[bytes] = set()  # of all names that it ever had
        self.path: str | None = None
        self.known: dict[frozenset[tuple[str, int, int]], Users] = {}

    def concerns(self, changed: Iterable[ChangedVersion]) -> bool:
        """Whether a file that changed defines or mentions it."""
        return any(self._has(version) for change in changed for version in change if version is not None)

    def _has(self, version: Version) -> bool:
        extraction = version.extraction
        return self.identity in version.identities or any(self.symbols.has_word(extraction, one) for one in self.words)

    def find(self, state: PastState) -> Users:
        graph = CommitGraph(self.symbols, state.files)
        definition = graph.definition_of(self.identity, self.path)
        if definition is None:
            return {}
        self.path = definition.path
        self.words.add(word_of(definition.name).encode())
        return self._users(graph, definition)

    def _users(self, graph: CommitGraph, definition: Definition) -> Users:
        key = frozenset(
            (one.path, one.extraction, hash(one.identities)) for one in graph.files.values() if self._has(one)
        )
        if key not in self.known:
            resolver = Resolver(graph, load_registry().resolution_of)
            self.words |= {word_of(name).encode() for name in names_of(graph, resolver, definition)}
            self.known[key] = _by_user(users(graph, resolver, definition), definition)
        return self.known[key]


def _by_user(edges: Iterable[Edge], used: Definition) -> dict[Node, Edge]:
    found: dict[Node, Edge] = {}
    for edge in edges:
        node: Node = edge.source.identity if edge.source is not None else edge.source_path
        if edge.n_candidates == 1 and not edge.may_be_outside and node != used.identity:
            found.setdefault(node, edge)
    return found
