"""The life of an entity in git: a timeline, and the diff of each step beside it."""

from __future__ import annotations

from birthmark.surfaces.formats.pictures.life import draw_life
from birthmark.surfaces.http.routes import query_routes
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.page import Redirect, WebPage, ask
from birthmark.surfaces.wire.pages import HistoryPage

_A_PAGE = 100  # events with their diffs


def show_life(query: HttpQuery) -> WebPage | Redirect:
    history = ask(query, query_routes.history, ref=query.ref, patch="true", limit=_A_PAGE, offset=query.offset)
    assert isinstance(history, HistoryPage)
    values = {"history": history, "mark": query.ref}
    name = history.entity.qualified_name
    return WebPage("life.html", f"Life of {name}", values, None, {"life": draw_life(name, history.events)})
