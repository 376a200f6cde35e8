"""Answer a list, or a document with lists, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import asdict

from birthmark.app.across.other_repositories import RepositoryEdges
from birthmark.surfaces.http.routes.requests import HttpQuery, Param
from birthmark.surfaces.wire.document import Document

LIMIT = Param("limit", "Rows at most.", bounds=(1, 10_000), default=1_000)
OFFSET = Param("offset", "Rows to skip: `next` of the page before.", bounds=(0, 10**12), default=0)

T = TypeVar("T")
PageType = TypeVar("PageType", bound=Document)


class PageEnd(NamedTuple):
    """Whether there is more, and the offset at which it begins."""

    truncated: bool
    next: int | None


def page_of(query: HttpQuery, rows: Iterable[T]) -> tuple[list[T], PageEnd]:
    """No more rows are computed than are asked for."""
    found = list(islice(rows, query.offset, query.offset + query.limit + 1))
    return found[: query.limit], page_end(query, len(found) > query.limit)


def cut_page(query: HttpQuery, document: Document, page: type[PageType], *fields: str) -> PageType:
    """A document, with a page of each of its lists that was asked for."""
    values: dict[str, Any] = asdict(document)
    end = query.offset + query.limit
    lists = {field: values[field] for field in fields if values[field] is not None}
    has_more = any(len(one) > end for one in lists.values())
    pages = {field: one[query.offset : end] for field, one in lists.items()}
    return page(**values | pages | page_end(query, has_more)._asdict())


def cut_edges(others: Iterable[RepositoryEdges], start: int, end: int) -> list[RepositoryEdges]:
    """Of the edges in all other repositories, those from one number to another."""
    rows = [(one.repository, edge) for one in others for edge in one.edges]
    return [RepositoryEdges(repository, [edge]) for repository, edge in rows[max(start, 0) : max(end, 0)]]


def page_end(query: HttpQuery, has_more: bool) -> PageEnd:
    return PageEnd(has_more, query.offset + query.limit if has_more else None)
