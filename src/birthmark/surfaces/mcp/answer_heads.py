"""How each answer begins, and how a route is asked for no more than fits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from birthmark.app.workspace.session import asking
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.mcp.budget import AnswerPart
from birthmark.surfaces.wire.brief import DATA_NOTICE, BriefAnswer
from birthmark.surfaces.wire.brief_documents import brief_freshness
from birthmark.surfaces.wire.index import FreshnessDocument, freshness_document

_LEAST_TOKENS = 20  # that a row costs
_MOST_ROWS = 1_000

AnswerType = TypeVar("AnswerType", bound=BriefAnswer)


def head_of(kind: type[AnswerType], freshness: FreshnessDocument, **fields: Any) -> AnswerType:
    return kind(data_notice=DATA_NOTICE, freshness=brief_freshness(freshness), **fields)


def as_asked(query: HttpQuery, **values: Any) -> HttpQuery:
    """The query as a route takes it, with no more rows than can fit."""
    limit = min(query.values["tokens"] // _LEAST_TOKENS + 1, _MOST_ROWS)
    return query._replace(values=query.values | {"offset": query.values["cursor"], "limit": limit} | values)


def from_cursor(query: HttpQuery, parts: Iterable[AnswerPart]) -> list[AnswerPart]:
    return list(parts)[query.values["cursor"] :]


def read_freshness(folder: Path) -> FreshnessDocument:
    with asking(folder) as session:
        return freshness_document(session.freshness)
