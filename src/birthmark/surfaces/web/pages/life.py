"""The life of an entity in git: a timeline, and the diff of each step beside it."""

from __future__ import annotations

from birthmark.documents.changes import HistoryDocument
from birthmark.questions.past import History
from birthmark.surfaces.formats.pictures.timeline import draw_life
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.page import Redirect, WebPage

_A_PAGE = 100  # events with their diffs


def show_life(query: HttpQuery) -> WebPage | Redirect:
    question = History(ref=query.ref, patch=True, limit=_A_PAGE, offset=query.offset)
    history = question.answer(query.session)
    assert isinstance(history, HistoryDocument)
    values = {"history": history, "mark": query.ref}
    name = history.entity.qualified_name
    return WebPage("life.html", f"Life of {name}", values, None, {"life": draw_life(name, history.events)})
