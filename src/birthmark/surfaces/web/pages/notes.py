"""Notes: a list, with a filter for those whose code has changed; and forms that write, edit, keep and delete them."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from birthmark.documents.answers import NoteDocument
from birthmark.documents.parts import LocationDocument
from birthmark.questions.notes import DeleteNote, EditNote, KeepNote, Notes, WriteNote
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import ENTITY, NOTES, link_to
from birthmark.surfaces.web.page import Redirect, WebPage, ask

_A_PAGE = 100


class NoteSubject(NamedTuple):
    """What some notes are about: where it is, or under what name it was known."""

    name: str
    mark: str | None
    place: LocationDocument | None


def show_notes(query: HttpQuery) -> WebPage:
    stale = query.get("stale")
    question = Notes(stale=stale == "true", limit=_A_PAGE, offset=query.offset)
    found = question.answer(query.session)
    groups = [(subject, list(group)) for subject, group in groupby(found.items, _subject_of)]
    values = {"notes": found, "groups": groups, "stale": stale, "limit": _A_PAGE, "offset": query.offset}
    return WebPage("notes.html", "Notes", values, found.freshness)


def _subject_of(note: NoteDocument) -> NoteSubject:
    return NoteSubject((note.place or note.accepted).qualified_name, note.mark, note.place)


def write_note(query: HttpQuery) -> Redirect:
    question = WriteNote(ref=query.ref, text=query.values["text"], team=query.get("team") == "true")
    return _go_to(ask(query, question))


def edit_note(query: HttpQuery) -> Redirect:
    return _go_to(ask(query, EditNote(id=query.values["id"], text=query.values["text"])))


def keep_note(query: HttpQuery) -> Redirect:
    return _go_to(ask(query, KeepNote(id=query.values["id"])))


def delete_note(query: HttpQuery) -> Redirect:
    return _go_to(ask(query, DeleteNote(id=query.values["id"])))


def _go_to(note: NoteDocument) -> Redirect:
    """Where the notes on the same are."""
    return Redirect(NOTES if note.mark is None else link_to(ENTITY, note.mark, anchor="notes"))
