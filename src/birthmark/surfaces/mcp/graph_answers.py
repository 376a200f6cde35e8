"""What tools answer about the graph, by the question that is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from birthmark.surfaces.http.routes import graph_routes, query_routes
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.mcp.answer_heads import as_asked, from_cursor, head_of
from birthmark.surfaces.mcp.budget import UncutAnswer, parts_of
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.wire import brief_documents as brief
from birthmark.surfaces.wire.brief import GraphAnswer
from birthmark.surfaces.wire.index import FreshnessDocument
from birthmark.surfaces.wire.pages import EdgesPage

_SECONDS = 30
_DEPTH = 20


def _list_users(query: HttpQuery, uses: str = "") -> UncutAnswer:
    found = query_routes.list_users(as_asked(query, uses=uses))
    head = _edges_head(query, found)
    return UncutAnswer(head, parts_of("results", map(brief.brief_user, found.results)), found.truncated)


def _list_callers(query: HttpQuery) -> UncutAnswer:
    return _list_users(query, "calls")


def _list_callees(query: HttpQuery) -> UncutAnswer:
    found = query_routes.list_callees(as_asked(query))
    head = _edges_head(query, found)
    return UncutAnswer(head, parts_of("results", map(brief.brief_callee, found.results)), found.truncated)


def _list_impact(query: HttpQuery) -> UncutAnswer:
    asked = as_asked(query, depth=query.values.get("depth", _DEPTH), tests="true", timeout=_SECONDS)
    found = graph_routes.list_impact(asked)
    head = _graph_head(
        query,
        found.freshness,
        entity=brief.brief_entity(found.entity),
        complete=found.complete or found.truncated,
        possible=found.possible,
        unasked=brief.brief_unasked(found.unasked),
    )
    return UncutAnswer(head, parts_of("results", map(brief.brief_impact, found.results)), found.truncated)


def _list_tests(query: HttpQuery) -> UncutAnswer:
    found = query_routes.list_tests(as_asked(query))
    head = _graph_head(query, found.freshness, entity=brief.brief_entity(found.entity))
    return UncutAnswer(head, parts_of("results", map(brief.brief_test, found.results)), found.truncated)


def _show_path(query: HttpQuery) -> UncutAnswer:
    if query.get("to") is None:
        raise RequestError("bad_request", "to: is missing; the question `path` needs a REF that is used in the end")
    found = graph_routes.show_path(as_asked(query, start=query.ref, end=query.get("to"), timeout=_SECONDS))
    ends = {"entity": brief.brief_entity(found.start), "end": brief.brief_entity(found.end)}
    head = _graph_head(query, found.freshness, **ends, complete=found.in_time)
    steps = (brief.brief_step(depth, step) for depth, step in enumerate(found.steps, 1))
    return UncutAnswer(head, from_cursor(query, parts_of("results", steps)))


def _edges_head(query: HttpQuery, found: EdgesPage) -> GraphAnswer:
    unasked = brief.brief_unasked(found.unasked)
    return _graph_head(query, found.freshness, entity=brief.brief_entity(found.entity), unasked=unasked)


def _graph_head(query: HttpQuery, freshness: FreshnessDocument, **fields: Any) -> GraphAnswer:
    return head_of(GraphAnswer, freshness, question=query.values["question"], **fields)


QUESTIONS: dict[str, Callable[[HttpQuery], UncutAnswer]] = {
    "users": _list_users,
    "callers": _list_callers,
    "callees": _list_callees,
    "impact": _list_impact,
    "path": _show_path,
    "tests": _list_tests,
}


_EVERYWHERE = ("users", "callers", "callees", "impact")


def ask_graph(query: HttpQuery) -> UncutAnswer:
    if query.is_everywhere and query.values["question"] not in _EVERYWHERE:
        raise RequestError("bad_request", f"everywhere: is for {', '.join(_EVERYWHERE)}")
    return QUESTIONS[query.values["question"]](query)
