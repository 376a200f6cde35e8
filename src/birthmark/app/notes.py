"""Find, write, edit, keep and delete the notes of a repository.

A note's entity is the identity of its mark; an index that does not know the mark is asked for the key, then for the
path and name, as for any REF.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.answers.resolving import ResolvedAt, resolve_all, resolve_at
from birthmark.app.scans.subscription_repository import StoredNote, SubscriptionRepository, find_note
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.states import contents_to_keep
from birthmark.comparison.patch import Patch, code_of, make_patch
from birthmark.documents.answers import NotedEntityDocument, NoteDocument
from birthmark.documents.document import make
from birthmark.documents.parts import carrier_documents, deletion_or_null, location_or_null, patch_document
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.queries.ref import find_nearest
from birthmark.queries.resolve import ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.sources.git.git_files import read_user_name
from birthmark.subscriptions.model import Accepted, new_id, timestamp
from birthmark.subscriptions.notes import NOTE_PREFIX, Note, change_since, clean_text, refs_of
from birthmark.vocabulary import Aspect, NoteMatch, RefStatus, SubscriptionHome


class FoundNote(NamedTuple):
    """A note, its entity as it is now, and the difference to the code that the note was written about.

    Without `matched_by` this index knows nothing of it. The patch is None where nothing changed, and where the former
    code cannot be read.
    """

    note: Note
    home: SubscriptionHome
    answer: ResolvedAt | None = None
    matched_by: NoteMatch | None = None
    indexed: IndexedEntity | None = None
    aspects: tuple[Aspect, ...] = ()  # that have changed since
    is_stale: bool = True
    patch: Patch | None = None

    @property
    def status(self) -> RefStatus:
        if self.indexed is not None:
            return RefStatus.PRESENT
        return RefStatus.UNKNOWN if self.answer is None else self.answer.resolved.status

    @property
    def mark(self) -> str | None:
        """Return the mark of the identity in this index."""
        if self.indexed is not None:
            return self.indexed.mark
        identity = self.answer.resolved.identity if self.answer is not None else None
        return identity.mark if identity is not None else None


def find_notes(session: Session, ref: str | None = None, *, stale_only: bool = False) -> list[FoundNote]:
    """Return all notes, or those on what a REF names, which may be deleted; in the order of their files."""
    stored = SubscriptionRepository(session.workspace).notes()
    mark = None if ref is None else _mark_of(session, ref)
    found = _read_notes(session, stored) if mark is None else _with_mark(session, stored, mark)
    return sorted((one for one in found if one.is_stale or not stale_only), key=_order)


def notes_on(session: Session, mark: str) -> list[FoundNote]:
    """Return the notes on an identity, the oldest first."""
    found = _with_mark(session, SubscriptionRepository(session.workspace).notes(), mark)
    return sorted(found, key=lambda one: (one.note.created_at, one.note.id))


def write_note(session: Session, ref: str, text: str, *, team: bool = False) -> FoundNote:
    text, now = clean_text(text), timestamp()
    indexed = find_indexed(session, ref)
    note = Note(
        id=new_id(NOTE_PREFIX),
        text=text,
        author=_author(session),
        created_at=now,
        updated_at=now,
        key=indexed.key,
        accepted=_accept(session, indexed),
    )
    home = SubscriptionHome.TEAM if team else SubscriptionHome.PERSONAL
    return _put(session, (note, home))


def edit_note(session: Session, id_: str, text: str) -> FoundNote:
    """Replace the text; a stale note remains stale."""
    note, home = find_note(session.workspace, id_)
    return _put(session, (replace(note, text=clean_text(text), updated_at=timestamp()), home))


def keep_note(session: Session, id_: str) -> FoundNote:
    """Accept the present code of a note's entity."""
    [found] = _read_notes(session, [find_note(session.workspace, id_)])
    if found.indexed is None:
        where = f"{found.note.accepted.path}::{found.note.accepted.location.qualified_name}"
        raise BirthmarkError(f"{found.note.id}: {where} is {found.status}; write the note on something that is there")
    accepted = _accept(session, found.indexed)
    kept = replace(found.note, key=found.indexed.key, accepted=accepted, updated_at=timestamp())
    return _put(session, (kept, found.home))


def delete_note(session: Session, id_: str) -> FoundNote:
    """Delete a note, and return it."""
    [found] = _read_notes(session, [find_note(session.workspace, id_)])
    SubscriptionRepository(session.workspace).put([], [(found.note, found.home)])
    return found


def _put(session: Session, stored: StoredNote) -> FoundNote:
    git, state = session.repository.git_or_none, session.repository.index()
    contents = contents_to_keep(git, state, [_present_files(session, stored[0].accepted)])
    SubscriptionRepository(session.workspace).put([stored], contents=contents)
    return _read_notes(session, [stored])[0]


def _present_files(session: Session, accepted: Accepted) -> dict[str, str]:
    """Return the files that are as they were accepted; the contents of others were kept at that time."""
    state = session.repository.index()
    return {path: content for path, content in accepted.files.items() if state.content_id(path) == content}


def _accept(session: Session, indexed: IndexedEntity) -> Accepted:
    from birthmark.subscriptions.accepted_state import AcceptedStateReader  # Only a note that is written needs it.

    reader = AcceptedStateReader(session.repository.index(), lambda _: indexed.mark)
    return replace(reader.definition(_outlined(session, indexed)), revision=session.view.snapshot.revision)


def _author(session: Session) -> str | None:
    git = session.repository.git_or_none
    return None if git is None else read_user_name(git, session.workspace.root)


def _mark_of(session: Session, ref: str) -> str:
    resolved = resolve_at(session, ref, None, tells=False).resolved
    if resolved.identity is None:
        raise resolved.problem or NotFoundError(f"{ref}: is in no entity; `birthmark resolve` shows where it is")
    return resolved.identity.mark


def _order(found: FoundNote) -> tuple[str, int, str, str]:
    entity = found.indexed.entity if found.indexed is not None else found.note.accepted
    return entity.path, entity.start_line, found.note.created_at, found.note.id


def _with_mark(session: Session, stored: Sequence[StoredNote], mark: str) -> list[FoundNote]:
    """Return the notes on a mark; a note with another known mark is about something else."""
    marks = {note.accepted.mark for note, _ in stored} - {mark, None}
    same = {one.identity for one in session.store.identities_marked([mark])}
    known = session.store.identities_marked([other for other in marks if other is not None])
    others = {one.mark for one in known if one.identity not in same}
    found = _read_notes(session, [one for one in stored if one[0].accepted.mark not in others])
    return [one for one in found if one.mark == mark]


def _read_notes(session: Session, stored: Iterable[StoredNote]) -> list[FoundNote]:
    """Return stored notes in their order, with their entities as they are now."""
    found = {note.id: FoundNote(note, home) for note, home in stored}
    for match in NoteMatch:
        refs = {id_: ref for id_, one in found.items() if not one.matched_by and (ref := refs_of(one.note).get(match))}
        answers = resolve_all(session, refs.values(), suggests=False, tells=False)
        for id_, answer in zip(refs, answers, strict=True):
            if answer.resolved.status is not RefStatus.UNKNOWN:
                found[id_] = found[id_]._replace(answer=answer, matched_by=match)
    return [_compared(session, one) for one in found.values()]


def _compared(session: Session, found: FoundNote) -> FoundNote:
    indexed = _entity_of(found)
    if indexed is None:
        return found
    accepted, then = found.note.accepted, None
    aspects, is_stale = change_since(accepted, indexed.fingerprint)
    if aspects or is_stale:
        then = _accepted_entity(session, accepted)
        aspects, is_stale = change_since(accepted, indexed.fingerprint, then.fingerprint if then is not None else None)
    patch = None if then is None else make_patch(code_of(then), code_of(_outlined(session, indexed)))
    return found._replace(indexed=indexed, aspects=aspects, is_stale=is_stale, patch=patch)


def _entity_of(found: FoundNote) -> IndexedEntity | None:
    """Return the entity; where several have its name, the only one with the accepted code."""
    if found.answer is None:
        return None
    resolved, semantic = found.answer.resolved, found.note.accepted.semantic
    if resolved.indexed is not None or found.matched_by is not NoteMatch.NAME or semantic is None:
        return resolved.indexed
    same = [one for one in _candidates(resolved) if one.fingerprint.content == semantic.fingerprints.content]
    return same[0] if len(same) == 1 else None


def _candidates(resolved: ResolvedRef) -> list[IndexedEntity]:
    return [one.indexed for one in resolved.candidates if one.indexed is not None]


def _outlined(session: Session, indexed: IndexedEntity) -> OutlinedEntity:
    """Return an entity as it was indexed, with its file."""
    file = session.repository.index().file(indexed.entity.path)
    assert file is not None, "what a snapshot holds is kept"
    return OutlinedEntity(file, indexed.ordinal)


def _accepted_entity(session: Session, accepted: Accepted) -> OutlinedEntity | None:
    """Return the entity as it was when the note was written; None where this clone does not have it."""
    try:
        state = session.repository.overlay(accepted.revision, accepted.files)
        return find_nearest(state, accepted.location)
    except BirthmarkError:
        return None


# Documents


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
        stale=found.is_stale,
        aspects=found.aspects,
        patch=patch_document(found.patch) if found.patch is not None else None,
        deletion=deletion_or_null(resolved.deletion if resolved is not None else None, commits),
        carried_by=carrier_documents(resolved.descent.carriers if resolved is not None else ()),
    )


def _accepted_document(note: Note) -> NotedEntityDocument:
    accepted, semantic = note.accepted, note.accepted.semantic
    language, kind = (semantic.language, semantic.kind) if semantic is not None else ("", "")
    return make(
        NotedEntityDocument,
        accepted.location,
        mark=accepted.mark,
        key=note.key,
        language=language,
        kind=kind,
        revision=accepted.revision,
    )
