"""Notes over HTTP."""

from __future__ import annotations

from birthmark.app.notes import writing
from birthmark.app.notes.finding import find_notes
from birthmark.app.workspace.session import asking
from birthmark.surfaces.http.routes.paging import page_of
from birthmark.surfaces.http.routes.requests import HttpQuery, NewNote, NoteText
from birthmark.surfaces.wire.index import freshness_document
from birthmark.surfaces.wire.notes import NoteDocument, note_document
from birthmark.surfaces.wire.pages import NotePage


def list_notes(query: HttpQuery) -> NotePage:
    with asking(query.folder) as session:
        found = find_notes(session, query.get("ref"), stale_only=query.get("stale") == "true")
        items, end = page_of(query, map(note_document, found))
        return NotePage(items, **end._asdict(), freshness=freshness_document(session.freshness))


def write_note(query: HttpQuery) -> NoteDocument:
    assert isinstance(query.body, NewNote)
    with asking(query.folder) as session:
        return note_document(writing.write_note(session, query.body))


def edit_note(query: HttpQuery) -> NoteDocument:
    assert isinstance(query.body, NoteText)
    with asking(query.folder) as session:
        return note_document(writing.edit_note(session, query.values["id"], query.body.text))


def keep_note(query: HttpQuery) -> NoteDocument:
    with asking(query.folder) as session:
        return note_document(writing.keep_note(session, query.values["id"]))


def delete_note(query: HttpQuery) -> NoteDocument:
    """The answer is the note that was deleted."""
    with asking(query.folder) as session:
        return note_document(writing.delete_note(session, query.values["id"]))
