"""The heads of answers, and pages with no more rows than fit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict, TypeVar

from birthmark.documents.brief import DATA_NOTICE, BriefAnswer
from birthmark.documents.brief_documents import brief_freshness
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.mcp.budget import AnswerPart

_LEAST_TOKENS = 20  # that a row costs
_MOST_ROWS = 1_000

AnswerType = TypeVar("AnswerType", bound=BriefAnswer)


def head_of(kind: type[AnswerType], freshness: FreshnessDocument, **fields: Any) -> AnswerType:
    return kind(data_notice=DATA_NOTICE, freshness=brief_freshness(freshness), **fields)


class AskedPage(TypedDict):
    """The fields of a question that name a page."""

    offset: int
    limit: int


def page_asked(query: HttpQuery) -> AskedPage:
    """The page of a question that has no more rows than can fit."""
    limit = min(query.values["tokens"] // _LEAST_TOKENS + 1, _MOST_ROWS)
    return {"offset": query.values["cursor"], "limit": limit}


def as_asked(query: HttpQuery, **values: Any) -> HttpQuery:
    """The query as a route takes it, with no more rows than can fit."""
    return query._replace(values=query.values | page_asked(query) | values)


def from_cursor(query: HttpQuery, parts: Iterable[AnswerPart]) -> list[AnswerPart]:
    return list(parts)[query.values["cursor"] :]


def read_freshness(query: HttpQuery) -> FreshnessDocument:
    return freshness_document(query.session.freshness)
