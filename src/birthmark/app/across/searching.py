"""`search` in all repositories of a database: the results of each, ranked together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from birthmark.app.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.app.across.visibility import Visible
from birthmark.app.answers.searching.searching import SearchPage, SearchQuery, SearchResult, find_page, hold_hits
from birthmark.app.changes.diff_arguments import from_root, read_filter
from birthmark.app.indexing.index import Progress
from birthmark.app.workspace.session import Session
from birthmark.model import Problem
from birthmark.queries.searching.search import search
from birthmark.queries.searching.search_words import MISSING_WORD, read_search
from birthmark.queries.searching.text_search import ReadingBudget

_BYTES = 6_400_000  # of texts that are read in all other repositories together


class SearchEverywhere(NamedTuple):
    """Some of the results of all repositories."""

    page: SearchPage
    n_asked: int = 0  # other repositories
    problems: Sequence[Problem] = ()


def find_page_everywhere(
    session: Session, query: SearchQuery, visible: Visible, progress: Progress | None = None
) -> SearchEverywhere:
    others = OtherRepositories(session, visible)
    end = query.offset + query.limit
    own = find_page(session, query._replace(offset=0, limit=end + 1), progress)
    ranked, budget, n_asked = [_ranked(own.results)], ReadingBudget(_BYTES), 0
    for other in others.each(others.directory.repositories()):
        n_asked += 1
        ranked.append(_ranked(_results_in(session, other, query, end + 1, budget)))
    results = [result for _, result in sorted((one for found in ranked for one in found), key=lambda one: one[0])]
    is_complete = own.is_complete and not budget.is_exceeded
    page = SearchPage(own.text, results[query.offset : end], end if len(results) > end else None, is_complete)
    return SearchEverywhere(page, n_asked, others.problems)


def _results_in(
    session: Session, other: OtherRepository, query: SearchQuery, most: int, budget: ReadingBudget
) -> list[SearchResult]:
    """Paths are those of the query from the root of each repository."""
    wanted = read_filter([from_root(session.repository, path) for path in query.paths], query.kinds, query.languages)
    hits = list(islice(search(other.view, read_search(query.text), wanted, budget), most))
    return [result._replace(repository=other.name) for result in hold_hits(other.view, hits)]


def _ranked(results: list[SearchResult]) -> list[tuple[tuple[int, float, int], SearchResult]]:
    """By what was found, as in one repository: names that fit, texts, other names; then by the order in each."""
    return [((*_stage(result), number), result) for number, result in enumerate(results)]


def _stage(result: SearchResult) -> tuple[int, float]:
    if result.hit.text is not None:
        return 1, 0.0
    return (0 if result.hit.cost < MISSING_WORD else 2), result.hit.cost
