"""Notes over HTTP."""

from __future__ import annotations

from birthmark.app.notes import writing
from birthmark.documents.answers import NoteDocument, note_document
from birthmark.surfaces.http.routes.requests import HttpQuery, NewNote, NoteText


def write_note(query: HttpQuery) -> NoteDocument:
    assert isinstance(query.body, NewNote)
    with query.open() as session:
        return note_document(writing.write_note(session, query.body))


def edit_note(query: HttpQuery) -> NoteDocument:
    assert isinstance(query.body, NoteText)
    with query.open() as session:
        return note_document(writing.edit_note(session, query.values["id"], query.body.text))


def keep_note(query: HttpQuery) -> NoteDocument:
    with query.open() as session:
        return note_document(writing.keep_note(session, query.values["id"]))


def delete_note(query: HttpQuery) -> NoteDocument:
    """The answer is the note that was deleted."""
    with query.open() as session:
        return note_document(writing.delete_note(session, query.values["id"]))
