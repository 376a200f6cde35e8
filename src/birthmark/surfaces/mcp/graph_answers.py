"""Answers of tools about the graph, by the question that is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from birthmark.documents import brief_documents as brief
from birthmark.documents.brief import GraphAnswer
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.uses import EdgesDocument
from birthmark.questions.impact import Impact, UsePath
from birthmark.questions.tests import ReachingTests
from birthmark.questions.users import Callees, Callers, Users
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.mcp.answer_heads import from_cursor, head_of, page_asked
from birthmark.surfaces.mcp.budget import UncutAnswer, parts_of
from birthmark.surfaces.request_error import RequestError

_SECONDS = 30.0
_DEPTH = 20


def _list_users(query: HttpQuery, kind: type[Users] = Users) -> UncutAnswer:
    found = kind(ref=query.ref, everywhere=query.is_everywhere, **page_asked(query)).answer(query.session)
    head = _edges_head(query, found)
    return UncutAnswer(head, parts_of("results", map(brief.brief_user, found.results)), found.truncated)


def _list_callers(query: HttpQuery) -> UncutAnswer:
    return _list_users(query, Callers)


def _list_callees(query: HttpQuery) -> UncutAnswer:
    found = Callees(ref=query.ref, everywhere=query.is_everywhere, **page_asked(query)).answer(query.session)
    head = _edges_head(query, found)
    return UncutAnswer(head, parts_of("results", map(brief.brief_callee, found.results)), found.truncated)


def _list_impact(query: HttpQuery) -> UncutAnswer:
    depth, everywhere = query.values.get("depth", _DEPTH), query.is_everywhere
    question = Impact(ref=query.ref, depth=depth, timeout=_SECONDS, everywhere=everywhere, **page_asked(query))
    found = question.answer(query.session)
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
    found = ReachingTests(ref=query.ref, **page_asked(query)).answer(query.session)
    head = _graph_head(query, found.freshness, entity=brief.brief_entity(found.entity))
    return UncutAnswer(head, parts_of("results", map(brief.brief_test, found.results)), found.truncated)


def _show_path(query: HttpQuery) -> UncutAnswer:
    end = query.get("to")
    if end is None:
        raise RequestError("bad_request", "to: is missing; the question `path` needs a REF that is used in the end")
    found = UsePath(start=query.ref, end=end, timeout=_SECONDS).answer(query.session)
    ends = {"entity": brief.brief_entity(found.start), "end": brief.brief_entity(found.end)}
    head = _graph_head(query, found.freshness, **ends, complete=found.in_time)
    steps = (brief.brief_step(depth, step) for depth, step in enumerate(found.steps, 1))
    return UncutAnswer(head, from_cursor(query, parts_of("results", steps)))


def _edges_head(query: HttpQuery, found: EdgesDocument) -> GraphAnswer:
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
