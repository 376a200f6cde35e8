"""Documents of notes: what they say, what they are about, and whether that has changed since."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import asdict

from birthmark.app.notes.finding import FoundNote
from birthmark.documents.commits import DeletionDocument, deletion_or_null
from birthmark.documents.derivations import CarriersField, carrier_documents
from birthmark.documents.document import Document, doc, make
from birthmark.documents.locations import LocationDocument, location_or_null
from birthmark.documents.patches import PatchDocument, patch_document
from birthmark.subscriptions.notes import Note
from birthmark.vocabulary import Aspect, NoteMatch, RefStatus, SubscriptionHome


class NotedEntityDocument(LocationDocument, frozen=True):
    """What a note was written about, as it was then, or when the note was kept last."""

    mark: str | None
    key: str | None
    language: str
    kind: str
    revision: Annotated[str | None, doc("the commit that was indexed then")]


class NoteDocument(Document, frozen=True):
    """A note, and what became of what it is about."""

    id: str
    text: Annotated[str, doc("plain text, which may have several lines")]
    author: Annotated[str | None, doc("git's `user.name`, if there was one")]
    created_at: str
    updated_at: str
    stored: Annotated[SubscriptionHome, doc("with the index of one person, or in the repository for a team")]
    accepted: NotedEntityDocument
    status: Annotated[RefStatus, doc("of what it is about; `unknown` if this index knows nothing of it")]
    matched_by: Annotated[NoteMatch | None, doc("by what it was found; null if `status` is `unknown`")]
    mark: Annotated[str | None, doc("in this index, null unless it is one thing")]
    place: Annotated[LocationDocument | None, doc("where it is now, null unless it is present")]
    stale: Annotated[bool, doc("whether the interface or the body has changed since, or it is not present")]
    aspects: Annotated[
        list[Aspect],
        doc("what has changed since; none though it is stale, if the former code is no longer known"),
    ]
    patch: Annotated[PatchDocument | None, doc("the lines that changed since; null if the former ones are not known")]
    deletion: Annotated[DeletionDocument | None, doc("null unless it is gone")]
    carried_by: CarriersField


NotesField = Annotated[list[NoteDocument], doc("what was written down about it, the oldest first")]


def note_document(found: FoundNote) -> NoteDocument:
    resolved, commits = (found.answer.resolved, found.answer.commits) if found.answer is not None else (None, {})
    return make(
        NoteDocument,
        found.note,
        stored=found.home,
        accepted=_accepted_document(found.note),
        status=found.status,
        matched_by=found.matched_by,
        mark=found.mark,
        place=location_or_null(found.indexed.entity if found.indexed is not None else None),
        stale=found.change.is_stale,
        aspects=found.change.aspects,
        patch=patch_document(found.patch) if found.patch is not None else None,
        deletion=deletion_or_null(resolved.deletion if resolved is not None else None, commits),
        carried_by=carrier_documents(resolved.descent.carriers if resolved is not None else ()),
    )


def _accepted_document(note: Note) -> NotedEntityDocument:
    accepted, semantic = note.accepted, note.accepted.semantic
    language, kind = (semantic.language, semantic.kind) if semantic is not None else ("", "")
    return NotedEntityDocument(
        **asdict(accepted.location),
        mark=accepted.mark,
        key=note.key,
        language=language,
        kind=kind,
        revision=accepted.revision,
    )
