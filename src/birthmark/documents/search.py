"""Documents of a search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from birthmark.app.answers.searching.searching import FormerName, SearchPage, SearchResult
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.answers import (
    LedgerEventDocument,
    UnaskedField,
    event_document,
    unasked_documents,
)
from birthmark.documents.definitions import EntityDocument, indexed_entity_document
from birthmark.documents.document import Document, PagedDocument, doc
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.locations import RepositoryField
from birthmark.model import Problem
from birthmark.vocabulary import SearchMatch


class FormerNameDocument(Document, frozen=True):
    """A name that an entity had."""

    qualified_name: str
    until: Annotated[
        LedgerEventDocument | None, doc("what ended it: a renaming or a move, null where the index does not know it")
    ]


class FoundLineDocument(Document, frozen=True):
    """A line in which a word was found."""

    line: int
    text: str


class SearchResultDocument(Document, frozen=True):
    """An entity that a search has found, and by what."""

    entity: EntityDocument
    match: Annotated[SearchMatch, doc("what of it was found: `part` of its name, or its name with a `slip`")]
    former_name: Annotated[FormerNameDocument | None, doc("null if it was not found by one")]
    found: Annotated[
        FoundLineDocument | None, doc("of a signature, a doc or code the first line with one of the words")
    ]
    references: Annotated[int, doc("how often its name is referred to, 1,000 at most")]
    repository: RepositoryField = None


class SearchDocument(PagedDocument, frozen=True):
    """What a search has found, the best first."""

    text: Annotated[str, doc("as asked")]
    results: list[SearchResultDocument]
    complete: Annotated[
        bool, doc("whether all files that may have the words were looked into, as far as this page goes")
    ]
    freshness: FreshnessDocument
    unasked: UnaskedField = ()


def search_document(page: SearchPage, freshness: Freshness, problems: Iterable[Problem] = ()) -> SearchDocument:
    results = [_result_document(result) for result in page.results]
    about = page.is_complete, freshness_document(freshness), unasked_documents(problems)
    return SearchDocument(page.text, results, *about, truncated=page.next is not None, next=page.next)


def _result_document(result: SearchResult) -> SearchResultDocument:
    hit, found = result.hit, result.hit.text
    return SearchResultDocument(
        indexed_entity_document(result.indexed),
        hit.match,
        _former_document(result.former) if result.former is not None else None,
        FoundLineDocument(found.line, found.text) if found is not None else None,
        hit.n_references,
        result.repository,
    )


def _former_document(former: FormerName) -> FormerNameDocument:
    until, commit = former.until, former.commit
    commits = {commit.id: commit} if commit is not None else {}
    return FormerNameDocument(former.qualified_name, None if until is None else event_document(until, commits))
