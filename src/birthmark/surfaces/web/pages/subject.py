"""What a page about one thing begins with: the thing, under its mark, present or deleted."""

from __future__ import annotations

from birthmark.documents.answers import ShownDocument
from birthmark.questions.definitions import Show
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import link_to
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.vocabulary import RefStatus


def read_subject(query: HttpQuery, page: str) -> ShownDocument | Redirect | WebPage:
    """The thing; or the same page by its mark; or, of what was deleted, a page that says so."""
    entity = Show(ref=query.ref).answer(query.session)
    if query.ref != entity.mark:
        given = {name: value for name, value in query.values.items() if name not in ("ref", "picture")}
        return Redirect(link_to(page, entity.mark, **given))
    if entity.status == RefStatus.PRESENT:
        return entity
    return WebPage("deleted.html", entity.qualified_name, {"entity": entity, "title": entity.name}, entity.freshness)
