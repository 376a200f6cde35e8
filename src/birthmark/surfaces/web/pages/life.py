"""The life of an entity in git: a timeline, and the diff of each step beside it."""

from __future__ import annotations

from datetime import datetime

from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.formats.pictures.timeline import Moment, draw_timeline
from birthmark.surfaces.http import query_routes
from birthmark.surfaces.http.requests import HttpQuery
from birthmark.surfaces.web.page import Redirect, WebPage, ask
from birthmark.surfaces.wire.changes import HistoryEventDocument
from birthmark.surfaces.wire.pages import HistoryPage

_A_PAGE = 100  # events with their diffs


def show_life(query: HttpQuery) -> WebPage | Redirect:
    history = ask(query, query_routes.history, ref=query.ref, patch="true", limit=_A_PAGE, offset=query.offset)
    assert isinstance(history, HistoryPage)
    values = {"history": history, "mark": query.ref}
    name = history.entity.qualified_name
    return WebPage("life.html", f"Life of {name}", values, None, {"life": draw_life(name, history.events)})


def draw_life(name: str, events: list[HistoryEventDocument]) -> Picture:
    moments = [_moment(event) for event in events]
    return draw_timeline(moments, f"The life of {name}", link=lambda moment: f"#{moment.anchor}")


def _moment(event: HistoryEventDocument) -> Moment:
    label = f"{event.date[:10]} {event.subject}"
    return Moment(_seconds(event.date), tuple(map(str, event.changes)), label, event.author, f"e{event.commit[:12]}")


def _seconds(date: str) -> int:
    """Zero where git holds a time that no calendar has."""
    return int(datetime.fromisoformat(date).timestamp()) if date else 0
