"""Other repositories of a database: how they are written, who sees them, and what they add to an answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from birthmark.model import Problem

if TYPE_CHECKING:  # Sessions know this module.
    from birthmark.app.answers.impact import ImpactQuery
    from birthmark.app.answers.neighbours import Neighbours
    from birthmark.app.answers.resolving import ResolvedAt
    from birthmark.app.answers.searching import FoundPage, SearchQuery
    from birthmark.documents.listings import ClonesDocument, SearchDocument
    from birthmark.documents.uses import ImpactDocument
    from birthmark.graph.network import Node
    from birthmark.queries.snapshot_view import IndexedEntity

Visible = frozenset[str] | None  # names of repositories; None for all that the database shows
ALL_VISIBLE: Visible = None


def is_visible(repository: str | None, visible: Visible) -> bool:
    """Return whether a repository is visible; the own one is, which has no name here."""
    return repository is None or visible is None or repository in visible


class Others(Protocol):
    """The other repositories that a session asks. Each method takes an answer from its own one and adds theirs."""

    @property
    def problems(self) -> Sequence[Problem]:
        """Repositories that could not be asked so far, by name."""

    def add_users(self, found: Neighbours, words: Collection[str]) -> Neighbours: ...
    def add_callees(self, found: Neighbours) -> Neighbours: ...
    def add_impact(self, found: ImpactDocument, depths: Mapping[Node, int], query: ImpactQuery) -> ImpactDocument: ...
    def add_copies(self, found: ClonesDocument, subject: IndexedEntity, share: float) -> ClonesDocument: ...
    def add_descents(self, answers: Iterable[ResolvedAt]) -> Iterable[ResolvedAt]: ...
    def find_page(self, find: Callable[[SearchQuery], FoundPage], query: SearchQuery) -> SearchDocument:
        """Search the own repository with `find`, and rank the results of all together."""


class NoOthers:
    """The others of a session that asks one repository: they add nothing."""

    problems: Sequence[Problem] = ()

    def add_users(self, found: Neighbours, words: Collection[str]) -> Neighbours:
        return found

    def add_callees(self, found: Neighbours) -> Neighbours:
        return found

    def add_impact(self, found: ImpactDocument, depths: Mapping[Node, int], query: ImpactQuery) -> ImpactDocument:
        return found

    def add_copies(self, found: ClonesDocument, subject: IndexedEntity, share: float) -> ClonesDocument:
        return found

    def add_descents(self, answers: Iterable[ResolvedAt]) -> Iterable[ResolvedAt]:
        return answers

    def find_page(self, find: Callable[[SearchQuery], FoundPage], query: SearchQuery) -> SearchDocument:
        return find(query)[0]
