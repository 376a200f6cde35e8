"""An entity: its source, names, life and neighbours, as it is or was at a revision; and each step of its life."""

from __future__ import annotations

from textwrap import dedent
from typing import NamedTuple

from birthmark.documents.answers import ShownDocument
from birthmark.documents.changes import HistoryDocument
from birthmark.documents.subscriptions import SubscriptionDocument
from birthmark.documents.uses import EdgesDocument
from birthmark.errors import NotFoundError
from birthmark.questions.definitions import Resolve, Show
from birthmark.questions.history import History
from birthmark.questions.listing import SourceFile
from birthmark.questions.subscriptions import ListSubscriptions
from birthmark.questions.users import Callees, Users
from birthmark.surfaces.formats.pictures.timeline import draw_life
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.highlighting import split_lines
from birthmark.surfaces.web.links import entity_link
from birthmark.surfaces.web.page import Redirect, WebPage, ask

_MOST_EDGES = 25  # beside the source


class ShownSource(NamedTuple):
    """The lines of an entity, as they are or were."""

    path: str
    start_line: int
    end_line: int
    source: str


_A_PAGE = 100  # events with their diffs


def show_entity(query: HttpQuery) -> WebPage | Redirect:
    session, entity = query.session, Show(ref=query.ref).answer(query.session)
    at = query.get("at")
    if query.ref != entity.mark:
        return Redirect(entity_link(entity.mark, at))
    is_present = entity.status == "present"
    values = {
        "entity": entity,
        "at": at,
        "shown": _source(entity) if at is None else _source_at(query, entity.mark, at),
        "events": list(reversed(Resolve(ref=entity.mark).answer(session).events)),
        "users": _users(query, entity.mark) if is_present else None,
        "used": Callees(ref=entity.mark, limit=_MOST_EDGES).answer(session) if is_present else None,
        "subscriptions": _subscriptions(query, entity.mark),
        "has_others": session.has_others,
    }
    return WebPage("entity.html", entity.qualified_name, values, entity.freshness)


def _source(entity: ShownDocument) -> ShownSource:
    text = dedent(" " * entity.indent + entity.source)
    return ShownSource(entity.path, entity.start_line, entity.end_line, text)


def _source_at(query: HttpQuery, mark: str, at: str) -> ShownSource:
    found = Resolve(ref=mark, at=at).answer(query.session).at
    place = found.place if found else None
    if place is None:
        raise NotFoundError(f"{mark}: was not there at {at}")
    file = SourceFile(path=place.path, at=at).answer(query.session)
    lines = split_lines(file.source)[place.start_line - 1 : place.end_line]
    return ShownSource(place.path, place.start_line, place.end_line, dedent("\n".join(lines)))


def _users(query: HttpQuery, mark: str) -> EdgesDocument:
    """Without mere mentions, which are searched for in sources: that may take seconds for a frequent name."""
    return Users(ref=mark, uses=("calls", "subclasses"), limit=_MOST_EDGES).answer(query.session)


def _subscriptions(query: HttpQuery, mark: str) -> list[SubscriptionDocument]:
    return [one for one in ask(query, ListSubscriptions()).items if one.mark == mark]


def show_life(query: HttpQuery) -> WebPage | Redirect:
    question = History(ref=query.ref, patch=True, limit=_A_PAGE, offset=query.offset)
    history = question.answer(query.session)
    assert isinstance(history, HistoryDocument)
    values = {"history": history, "mark": query.ref}
    name = history.entity.qualified_name
    return WebPage("life.html", f"Life of {name}", values, None, {"life": draw_life(name, history.events)})
