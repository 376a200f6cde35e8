"""Other repositories of a database: how they are written, who sees them, and what they add to an answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from birthmark.model import Problem

if TYPE_CHECKING:  # Sessions know this module.
    from birthmark.app.answers.clones import ClonesQuery, SimilarEntities
    from birthmark.app.answers.impact import ImpactAnswer, ImpactQuery
    from birthmark.app.answers.neighbours import Neighbours
    from birthmark.app.answers.resolving import ResolvedAt
    from birthmark.app.answers.searching import SearchPage, SearchQuery

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
    def add_impact(self, found: ImpactAnswer, query: ImpactQuery) -> ImpactAnswer: ...
    def add_copies(self, found: SimilarEntities, query: ClonesQuery) -> SimilarEntities: ...
    def add_descents(self, answers: Iterable[ResolvedAt]) -> Iterable[ResolvedAt]: ...
    def find_page(self, find: Callable[[SearchQuery], SearchPage], query: SearchQuery) -> SearchPage:
        """Search the own repository with `find`, and rank the results of all together."""


class NoOthers:
    """The others of a session that asks one repository: they add nothing."""

    problems: Sequence[Problem] = ()

    def add_users(self, found: Neighbours, words: Collection[str]) -> Neighbours:
        return found

    def add_callees(self, found: Neighbours) -> Neighbours:
        return found

    def add_impact(self, found: ImpactAnswer, query: ImpactQuery) -> ImpactAnswer:
        return found

    def add_copies(self, found: SimilarEntities, query: ClonesQuery) -> SimilarEntities:
        return found

    def add_descents(self, answers: Iterable[ResolvedAt]) -> Iterable[ResolvedAt]:
        return answers

    def find_page(self, find: Callable[[SearchQuery], SearchPage], query: SearchQuery) -> SearchPage:
        return find(query)
