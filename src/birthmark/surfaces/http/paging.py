"""Answers of many rows, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from birthmark.surfaces.http.requests import Asked, Param
from birthmark.surfaces.wire import Document

LIMIT = Param("limit", "Rows at most.", bounds=(1, 10_000), default=1_000)
OFFSET = Param("offset", "Rows to pass over: `next` of the page before.", bounds=(0, 10**12), default=0)


def list_page(asked: Asked, documents: Iterable[Document]) -> Document:
    """A list in a document of its own; no more is made than is asked for."""
    limit, offset = asked.values["limit"], asked.values["offset"]
    rows = list(islice(documents, offset, offset + limit + 1))
    return {"items": rows[:limit], **next_page(limit, offset, len(rows) > limit)}


def cut_page(asked: Asked, document: Document, *fields: str) -> Document:
    """A document, with a page of each of its lists."""
    limit, offset = asked.values["limit"], asked.values["offset"]
    lists = {field: rows for field in fields if isinstance(rows := document[field], list)}
    pages = {field: rows[offset : offset + limit] for field, rows in lists.items()}
    return document | pages | next_page(limit, offset, any(len(rows) > offset + limit for rows in lists.values()))


def next_page(limit: int, offset: int, has_more: bool) -> Document:
    return {"truncated": has_more, "next": offset + limit if has_more else None}
