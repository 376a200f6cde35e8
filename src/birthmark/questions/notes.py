"""What people and agents wrote down about definitions."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from birthmark.app.notes.finding import find_notes
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import NotePage, note_document
from birthmark.documents.index import freshness_document
from birthmark.questions.question import PagedQuestion


class Notes(PagedQuestion, frozen=True, kw_only=True):
    """List notes."""

    ref: Annotated[
        str | None, Meta(title="mark, path:line, path::Name, name, or any id", description="Only notes on this REF.")
    ] = None
    stale: Annotated[
        bool,
        Meta(title="only where the code changed since", description="Only notes whose code has changed since."),
    ] = False

    def answer(self, session: Session) -> NotePage:
        found = find_notes(session, self.ref, stale_only=self.stale)
        items, start = self.cut(map(note_document, found))
        return NotePage(items, freshness_document(session.freshness), truncated=start is not None, next=start)
