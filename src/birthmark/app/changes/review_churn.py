"""How often what changed was changed before: by the ledger where the history was replayed, else by git."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cached_property

from birthmark.app.changes.review_base import ReviewRange
from birthmark.app.workspace.session import Session
from birthmark.extraction.state import os_path
from birthmark.queries.graph_questions.hotspots import find_changes
from birthmark.sources.git.log import count_commits

YEAR = 365 * 24 * 3600  # seconds before the base in which commits are counted


class Churn:
    """Asked for all that is needed at once, then for each."""

    def __init__(self, session: Session, asked: ReviewRange) -> None:
        self._session, self._asked = session, asked
        self._changes: Counter[int] = Counter()
        self._commits: Counter[str] = Counter()

    @cached_property
    def commits(self) -> frozenset[str]:
        """Those of the range."""
        until = self._asked.target or self._session.workspace.head
        found = self._session.repository.git.run("rev-list", str(until), f"^{self._asked.base}", "--")
        return frozenset(found.decode().split())

    @cached_property
    def is_replayed(self) -> bool:
        return self._asked.base in self._session.store.replayed_commits()

    def prepare(self, nodes: Collection[int], paths: Iterable[str]) -> None:
        if self.is_replayed:
            replayed = self._session.store.replayed_commits()
            earlier = {run for commit, run in replayed.items() if commit not in self.commits}
            changes = find_changes(self._session.store.events_of(nodes), earlier)
            self._changes = Counter({identity: len(runs) for identity, runs in changes.items()})
        else:
            repository = self._session.repository
            since = repository.commit(self._asked.base).committed_at - YEAR
            wanted = sorted({os_path(path) for path in paths})
            self._commits = count_commits(repository.git, self._asked.base, wanted, since)

    def of(self, node: int | None, path: str) -> tuple[int | None, int | None]:
        """Changes of the definition, or commits to its file; one of them is not known."""
        if self.is_replayed:
            return (self._changes[node] if node is not None else None), None
        return None, self._commits[path]
