"""`search` in all repositories of a database: the results of each, ranked together.

The database says once which repositories may have a name like the text, and how near it can be; these are opened, the
nearest first, until no other can have anything that belongs on the page. Where names do not fill it, those are opened
as well whose texts may have the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.app.answers.searching import FoundPage, SearchQuery, result_documents
from birthmark.app.changes.diff_arguments import from_root, read_filter
from birthmark.documents.listings import SearchDocument, SearchResultDocument
from birthmark.queries.search import MISSING_WORD, SearchHit, cheapest_names, read_search, search, search_names
from birthmark.queries.text_search import ReadingBudget, can_be_in_texts
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository

_BYTES = 6_400_000  # of texts that are read in all other repositories together
_OWN = 0  # the number of the repository that is asked; those of others follow, in the order of their names


class Rank(NamedTuple):
    """By what was found, as in one repository: names that fit, texts, other names; then by the order in each."""

    stage: int
    cost: float
    number: int
    repository: int


_Ranked = tuple[Rank, SearchResultDocument]


def find_page_everywhere(
    others: OtherRepositories, find: Callable[[SearchQuery], FoundPage], query: SearchQuery
) -> SearchDocument:
    end = query.offset + query.limit
    own, hits = find(query._replace(offset=0, limit=end + 1))
    elsewhere = _Elsewhere(others, query, end + 1)
    results = [result for _, result in elsewhere.find(_ranked(hits, own.results, _OWN))]
    is_complete = own.complete and not elsewhere.budget.is_exceeded
    start = end if len(results) > end else None
    nearest = own.nearest if not results else ()
    return replace(
        own,
        results=results[query.offset : end],
        truncated=start is not None,
        next=start,
        complete=is_complete,
        asked=len(elsewhere.numbers),
        deleted=own.deleted if not query.offset else (),
        nearest=nearest,
    )


class _Elsewhere:
    """Searches the others, for no more than `most` results of all."""

    def __init__(self, others: OtherRepositories, query: SearchQuery, most: int) -> None:
        paths = [from_root(others.session.repository, path) for path in query.paths]  # from the root of each repository
        self.wanted = read_filter(paths, query.kinds, query.languages)
        self.others, self.text, self.most = others, read_search(query.text), most
        self.budget = ReadingBudget(_BYTES)
        names = [name for name in others.directory.repositories() if name != others.own]
        self.numbers = {name: number for number, name in enumerate(names, _OWN + 1)}

    def find(self, own: list[_Ranked]) -> list[_Ranked]:
        costs = cheapest_names(self.others.directory, self.text)
        found = self._by_names(own, costs)
        is_full = len(found) == self.most and found[-1][0].stage == 0
        return found if is_full else self._by_all(own, set(costs))

    def _by_names(self, own: list[_Ranked], costs: dict[str, float]) -> list[_Ranked]:
        """The nearest names first, until what is still to come is behind all that is wanted."""
        found = self._best(own)
        firsts = [(Rank(0, cost, 0, self.numbers.get(name, _OWN)), name) for name, cost in costs.items()]

        def nearest() -> Iterator[str]:
            for first, name in sorted(firsts):
                if first.cost >= MISSING_WORD or (len(found) == self.most and found[-1][0] < first):
                    return
                yield name

        for other in self.others.each(nearest()):
            found = self._best([*found, *self._results(other, search_names(other.view, self.text, self.wanted))])
        return found

    def _by_all(self, own: list[_Ranked], named: set[str]) -> list[_Ranked]:
        """By names and texts; where no more may be read, texts are not looked for."""
        words = self.text.given_words
        texts = set(self.others.directory.with_words(words)) if can_be_in_texts(words) else set()
        found = own
        for other in self.others.each(
            name for name in self.numbers if name in named or (name in texts and not self.budget.is_exceeded)
        ):
            found = [*found, *self._results(other, search(other.view, self.text, self.wanted, self.budget))]
        return self._best(found)

    def _results(self, other: OtherRepository, hits: Iterator[SearchHit]) -> list[_Ranked]:
        found = list(islice(hits, self.most))
        results = result_documents(other.view, found, repository=other.name)
        return _ranked(found, results, self.numbers[other.name])

    def _best(self, found: Iterable[_Ranked]) -> list[_Ranked]:
        return sorted(found, key=lambda one: one[0])[: self.most]


def _ranked(hits: Iterable[SearchHit], results: Iterable[SearchResultDocument], repository: int) -> list[_Ranked]:
    found = enumerate(zip(hits, results, strict=True))
    return [(Rank(*_stage(hit), number, repository), result) for number, (hit, result) in found]


def _stage(hit: SearchHit) -> tuple[int, float]:
    if hit.text is not None:
        return 1, 0.0
    return (0 if hit.cost < MISSING_WORD else 2), hit.cost
