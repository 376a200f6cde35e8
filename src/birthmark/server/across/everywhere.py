"""Answers across all repositories of a database: the `Across` that the core asks for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from birthmark.app.answers.impact import ImpactQuery
from birthmark.app.answers.neighbours import Neighbours
from birthmark.app.answers.resolving import ResolvedAt
from birthmark.app.answers.searching import FoundPage, SearchQuery
from birthmark.documents.listings import ClonesDocument, SearchDocument
from birthmark.documents.uses import ImpactDocument
from birthmark.graph.network import Node
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.server.across import copies, impact, searching, uses
from birthmark.server.across.other_repositories import OtherRepositories, open_elsewhere

__all__ = ["Everywhere", "ask_others", "open_elsewhere"]


class Everywhere(OtherRepositories):
    """The `Others` of a session."""

    def add_users(self, found: Neighbours, words: Collection[str]) -> Neighbours:
        return uses.add_users(self, found, words)

    def add_callees(self, found: Neighbours) -> Neighbours:
        return uses.add_callees(self, found)

    def add_impact(self, found: ImpactDocument, depths: Mapping[Node, int], query: ImpactQuery) -> ImpactDocument:
        return impact.add_impact(self, found, depths, query)

    def add_copies(self, found: ClonesDocument, subject: IndexedEntity, share: float) -> ClonesDocument:
        return copies.add_copies(self, found, subject, share)

    def add_descents(self, answers: Iterable[ResolvedAt]) -> Iterator[ResolvedAt]:
        return copies.add_descents(self, answers)

    def find_page(self, find: Callable[[SearchQuery], FoundPage], query: SearchQuery) -> SearchDocument:
        return searching.find_page_everywhere(self, find, query)


ask_others = Everywhere
