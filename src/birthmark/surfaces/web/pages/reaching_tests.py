"""The tests that reach an entity, nearest first, each with its way."""

from __future__ import annotations

from birthmark.documents.answers import ShownDocument
from birthmark.questions.tests import ReachingTests
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import TESTS, link_to
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.surfaces.web.pages.subject import read_subject

_A_PAGE = 100


def show_tests(query: HttpQuery) -> WebPage | Redirect:
    entity = read_subject(query, TESTS)
    if not isinstance(entity, ShownDocument):
        return entity
    found = ReachingTests(ref=entity.mark, limit=_A_PAGE, offset=query.offset).answer(query.session)
    values = {
        "entity": entity,
        "found": found,
        "offset": query.offset,
        "a_page": _A_PAGE,
        "here": lambda **other: link_to(TESTS, entity.mark, **other),
    }
    return WebPage("tests.html", f"Tests of {entity.qualified_name}", values, found.freshness)
