"""Write a note on what a REF names; edit, keep or delete one."""

from __future__ import annotations

from msgspec.structs import replace

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.notes.finding import FoundNote, outlined, read_notes
from birthmark.app.scans.subscription_repository import StoredNote, SubscriptionRepository, find_note
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.states import contents_to_keep
from birthmark.errors import BirthmarkError
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.sources.git.git_files import read_user_name
from birthmark.subscriptions.accepted_state import AcceptedStateReader
from birthmark.subscriptions.model import Accepted, new_id, timestamp
from birthmark.subscriptions.notes import NOTE_PREFIX, Note, clean_text
from birthmark.vocabulary import SubscriptionHome


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
    return _put(session, StoredNote(note, home))


def edit_note(session: Session, id_: str, text: str) -> FoundNote:
    """Another text; whether the code has changed since is said as before."""
    note, home = find_note(session.workspace, id_)
    return _put(session, StoredNote(replace(note, text=clean_text(text), updated_at=timestamp()), home))


def keep_note(session: Session, id_: str) -> FoundNote:
    """The note is still true of its entity as that is now."""
    [found] = read_notes(session, [find_note(session.workspace, id_)])
    if found.indexed is None:
        where = f"{found.note.accepted.path}::{found.note.accepted.location.qualified_name}"
        raise BirthmarkError(f"{found.note.id}: {where} is {found.status}; write the note on something that is there")
    accepted = _accept(session, found.indexed)
    kept = replace(found.note, key=found.indexed.key, accepted=accepted, updated_at=timestamp())
    return _put(session, StoredNote(kept, found.home))


def delete_note(session: Session, id_: str) -> FoundNote:
    """The note as it was."""
    [found] = read_notes(session, [find_note(session.workspace, id_)])
    SubscriptionRepository(session.workspace).put([], [StoredNote(found.note, found.home)])
    return found


def _put(session: Session, stored: StoredNote) -> FoundNote:
    git, state = session.repository.git_or_none, session.repository.index()
    contents = contents_to_keep(git, state, [_present_files(session, stored.note.accepted)])
    SubscriptionRepository(session.workspace).put([stored], contents=contents)
    return read_notes(session, [stored])[0]


def _present_files(session: Session, accepted: Accepted) -> dict[str, str]:
    """The files that are as they were accepted; of others the contents were kept at that time."""
    state = session.repository.index()
    return {path: content for path, content in accepted.files.items() if state.content_id(path) == content}


def _accept(session: Session, indexed: IndexedEntity) -> Accepted:
    reader = AcceptedStateReader(session.repository.index(), lambda _: indexed.mark)
    return replace(reader.definition(outlined(session, indexed)), revision=session.view.snapshot.revision)


def _author(session: Session) -> str | None:
    git = session.repository.git_or_none
    return None if git is None else read_user_name(git, session.workspace.root)
