"""Notes: what people and agents wrote down about definitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta

from birthmark.app.notes import delete_note, edit_note, find_notes, keep_note, note_document, write_note
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import NoteDocument, NotePage
from birthmark.questions.parameters import Text
from birthmark.questions.question import ListQuestion, PagedQuestion, Question

NoteId = Annotated[Text, Meta(description="The id of a note.")]
NoteText = Annotated[Text, Meta(description="Plain text, which may have several lines.")]


class Notes(PagedQuestion, ListQuestion, frozen=True, kw_only=True):
    """List the notes on REF, or all of them, by file.

    A note is stale when the interface or the body of its definition has changed since it was written or kept, and when
    the definition is gone; comments, documentation and formatting alone do not make it stale, but are mentioned.

    Examples:
      birthmark notes
      birthmark notes App.run
      birthmark notes --stale -p
      birthmark notes --jsonl
    """

    arguments: ClassVar = ("ref",)

    ref: Annotated[
        str | None, Meta(title="mark, path:line, path::Name, name, or any id", description="Only notes on this REF.")
    ] = None
    stale: Annotated[
        bool,
        Meta(title="only where the code changed since", description="Only notes whose code has changed since."),
    ] = False

    def rows(self, session: Session) -> Iterator[NoteDocument]:
        session.require_index()
        return map(note_document, find_notes(session, self.ref, stale_only=self.stale))

    def answer(self, session: Session) -> NotePage:
        items, start = self.cut(self.rows(session))
        return NotePage(items, freshness_document(session.freshness), truncated=start is not None, next=start)


class NoteChange(Question, frozen=True, kw_only=True):
    """Write a note, or change one."""

    writes: ClassVar = True

    def answer(self, session: Session) -> NoteDocument:
        raise NotImplementedError


class WriteNote(NoteChange, frozen=True, kw_only=True):
    """Write a note on a REF."""

    route: ClassVar = "POST /notes"
    body: ClassVar = "NewNote"
    status: ClassVar = 201

    ref: Annotated[Text, Meta(description="A REF.", extra={"completes": "ref"})]
    text: NoteText
    team: Annotated[bool, Meta(description="Store it in birthmark.toml, for all who have the repository.")] = False

    def answer(self, session: Session) -> NoteDocument:
        return note_document(write_note(session, self.ref, self.text, team=self.team))


class EditNote(NoteChange, frozen=True, kw_only=True):
    """Replace the text of a note."""

    route: ClassVar = "PATCH /notes/{id}"
    body: ClassVar = "NoteText"

    id: NoteId
    text: NoteText

    def answer(self, session: Session) -> NoteDocument:
        return note_document(edit_note(session, self.id, self.text))


class KeepNote(NoteChange, frozen=True, kw_only=True):
    """Keep a note: it is still true of the code as it is now."""

    route: ClassVar = "POST /notes/{id}/keep"

    id: NoteId

    def answer(self, session: Session) -> NoteDocument:
        return note_document(keep_note(session, self.id))


class DeleteNote(NoteChange, frozen=True, kw_only=True):
    """Delete a note, and return it as it was."""

    route: ClassVar = "DELETE /notes/{id}"

    id: NoteId

    def answer(self, session: Session) -> NoteDocument:
        return note_document(delete_note(session, self.id))
