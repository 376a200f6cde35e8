"""Answer a list, or a document with lists, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from birthmark.documents.document import PagedDocument
from birthmark.surfaces.http.routes.requests import HttpQuery

T = TypeVar("T")
PageType = TypeVar("PageType", bound=PagedDocument)


class PageEnd(NamedTuple):
    """Whether there is more, and the offset at which it begins."""

    truncated: bool
    next: int | None


def page_of(query: HttpQuery, rows: Iterable[T]) -> tuple[list[T], PageEnd]:
    """No more rows are computed than are asked for."""
    found = list(islice(rows, query.offset, query.offset + query.limit + 1))
    return found[: query.limit], page_end(query, len(found) > query.limit)


def cut_page(query: HttpQuery, document: PageType, *fields: str) -> PageType:
    """A document, with a page of each of its lists that was asked for."""
    end = query.offset + query.limit
    lists = {field: rows for field in fields if (rows := getattr(document, field)) is not None}
    has_more = any(len(one) > end for one in lists.values())
    pages = {field: one[query.offset : end] for field, one in lists.items()}
    return replace(document, **pages, **page_end(query, has_more)._asdict())


def page_end(query: HttpQuery, has_more: bool) -> PageEnd:
    return PageEnd(has_more, query.offset + query.limit if has_more else None)
