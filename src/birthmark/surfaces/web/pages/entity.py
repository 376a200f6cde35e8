"""An entity: its source, names, life and neighbours, as it is or was at a revision; and each step of its life."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from textwrap import dedent
from typing import Any, NamedTuple

from markupsafe import Markup

from birthmark.documents.answers import ShownDocument
from birthmark.documents.changes import HistoryDocument
from birthmark.documents.definitions import FileEntityDocument, FileSegmentDocument, SourceFileDocument
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.questions.definitions import Resolve, Show
from birthmark.questions.history import History
from birthmark.questions.listing import SourceFile, Tree
from birthmark.questions.subscriptions import ListSubscriptions
from birthmark.questions.users import Callees, Users
from birthmark.surfaces.formats.pictures.timeline import draw_life
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.highlighting import SegmentLines, highlight, split_lines
from birthmark.surfaces.web.links import entity_link, file_link, folder_link
from birthmark.surfaces.web.page import Redirect, WebPage, ask
from birthmark.words import count, visible

_MOST_EDGES = 25  # beside the source


_A_PAGE = 100  # events with their diffs


def show_entity(query: HttpQuery) -> WebPage | Redirect:
    session, entity = query.session, Show(ref=query.ref).answer(query.session)
    at = query.get("at")
    if query.ref != entity.mark:
        return Redirect(entity_link(entity.mark, at))
    is_present = entity.status == "present"
    # Users without mere mentions, which are searched for in sources: that may take seconds for a frequent name.
    users = Users(ref=entity.mark, uses=("calls", "subclasses"), limit=_MOST_EDGES)
    values = {
        "entity": entity,
        "at": at,
        "shown": _source(entity) if at is None else _source_at(query, entity.mark, at),
        "events": list(reversed(Resolve(ref=entity.mark).answer(session).events)),
        "users": users.answer(session) if is_present else None,
        "used": Callees(ref=entity.mark, limit=_MOST_EDGES).answer(session) if is_present else None,
        "subscriptions": [one for one in ask(query, ListSubscriptions()).items if one.mark == entity.mark],
        "has_git": session.workspace.has_git,
        "has_others": session.has_others,
    }
    return WebPage("entity.html", entity.qualified_name, values, entity.freshness)


def _source(entity: ShownDocument) -> dict[str, Any]:
    """The lines of an entity, as they are."""
    text = dedent(" " * entity.indent + entity.source)
    return {"path": entity.path, "start_line": entity.start_line, "end_line": entity.end_line, "source": text}


def _source_at(query: HttpQuery, mark: str, at: str) -> dict[str, Any]:
    found = Resolve(ref=mark, at=at).answer(query.session).at
    place = found.place if found else None
    if place is None:
        raise NotFoundError(f"{mark}: was not there at {at}")
    file = SourceFile(path=place.path, at=at).answer(query.session)
    lines = split_lines(file.source)[place.start_line - 1 : place.end_line]
    text = dedent("\n".join(lines))
    return {"path": place.path, "start_line": place.start_line, "end_line": place.end_line, "source": text}


def show_life(query: HttpQuery) -> WebPage | Redirect:
    question = History(ref=query.ref, patch=True, limit=_A_PAGE, offset=query.offset)
    history = question.answer(query.session)
    assert isinstance(history, HistoryDocument)
    values = {"history": history, "mark": query.ref}
    name = history.entity.qualified_name
    return WebPage("life.html", f"Life of {name}", values, None, {"life": draw_life(name, history.events)})


_A_PART = 1_000  # lines
_MOST_BEFORE = 300  # lines that are read before a part, so that it begins with a definition
_MOST_LISTED = 400  # definitions; of a file with more, those of the part


class ShownLines(NamedTuple):
    """The lines that are shown, counted from 1, with the last."""

    first: int
    last: int
    n_lines: int

    @property
    def starts(self) -> range:
        """The first lines of all parts."""
        return range(1, max(self.n_lines, 1) + 1, _A_PART)


def show_file(query: HttpQuery) -> WebPage | Redirect:
    path, at = query.values["path"], query.get("at")
    try:
        file = SourceFile(path=path, at=at).answer(query.session)
    except NotFoundError:
        instead = _instead(query, path) if at is None else None
        if instead is None:
            raise
        return instead
    if file.path != path:
        return Redirect(file_link(file.path, query.values.get("line"), at))
    is_binary = "\0" in file.source
    lines = [] if is_binary else split_lines(file.source)
    part = _part_with(query.values.get("line") or 1, len(lines))
    values = {
        "file": file,
        "at": at,
        "part": part,
        "lines": _highlighted(file, lines, part),
        "is_binary": is_binary,
        "gutter": _gutter(file.entities, part),
        "outline": _outline(file.entities, part),
    }
    return WebPage("file.html", file.path, values, file.freshness)


def _instead(query: HttpQuery, path: str) -> Redirect | None:
    """Return a redirect for a path that is not an indexed file: to a folder, or to the file in git."""
    with suppress(BirthmarkError):
        Tree(folder=path, limit=1).answer(query.session)
        return Redirect(folder_link(path.strip("/")))
    with suppress(BirthmarkError):
        SourceFile(path=path, at="HEAD").answer(query.session)
        return Redirect(file_link(path, query.values.get("line"), "HEAD"))
    return None


def _gutter(entities: Sequence[FileEntityDocument], part: ShownLines) -> dict[int, Markup]:
    """By the line on which a definition begins; of several, the outermost."""
    shown = [one for one in reversed(entities) if one.mark and part.first <= one.start_line <= part.last]
    return {one.start_line: _user_count(one) for one in shown}


def _user_count(entity: FileEntityDocument) -> Markup:
    """A link that is a dot where the number is not known."""
    words = "" if entity.users is None else f" has {count(entity.users, 'user')}"
    title, shown = visible(entity.qualified_name) + words, "•" if entity.users is None else entity.users
    return Markup('<a href="{}" title="{}">{}</a>').format(entity_link(entity.mark or ""), title, shown)


def _part_with(line: int, n_lines: int) -> ShownLines:
    first = (min(line, max(n_lines, 1)) - 1) // _A_PART * _A_PART + 1
    return ShownLines(first, min(first + _A_PART - 1, n_lines), n_lines)


def _highlighted(file: SourceFileDocument, lines: Sequence[str], part: ShownLines) -> Sequence[Markup]:
    start = _start_before(file.entities, part.first)
    segments = [_segment_in(one, start, part.last) for one in file.segments if one.whole_lines]
    text = "\n".join([*lines[start - 1 : part.last], ""])
    return highlight(text, file.language, tuple(one for one in segments if one))[part.first - start :]


def _start_before(entities: Sequence[FileEntityDocument], first: int) -> int:
    """A line that is not in the middle of a string or comment."""
    return max((one.start_line for one in entities if first - _MOST_BEFORE <= one.start_line <= first), default=first)


def _segment_in(segment: FileSegmentDocument, first: int, last: int) -> SegmentLines | None:
    """Return the part of a segment within some lines, counted from the first of them."""
    start, end = max(segment.start_line, first), min(segment.end_line, last)
    return (start - first + 1, end - first + 1, segment.language) if start <= end else None


def _outline(entities: Sequence[FileEntityDocument], part: ShownLines) -> list[tuple[FileEntityDocument, int]]:
    """Definitions, each with how many others it is inside of."""
    rows, around = list[tuple[FileEntityDocument, int]](), list[FileEntityDocument]()
    for entity in entities:
        while around and not entity.qualified_name.startswith(f"{around[-1].qualified_name}."):
            around.pop()
        rows.append((entity, len(around)))
        around.append(entity)
    if len(rows) > _MOST_LISTED:
        rows = [row for row in rows if row[0].start_line <= part.last and row[0].end_line >= part.first]
    return rows[:_MOST_LISTED]
