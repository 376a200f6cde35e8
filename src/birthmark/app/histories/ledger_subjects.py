"""Find in the ledger what a REF named once: by an id of any time, or by a name or path that something had.

Takes a REF that names nothing in a commit; gives it as it is there by another name, or as it was when it was deleted.
"""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.app.answers.indexed_refs import find_former, find_now
from birthmark.app.histories.subjects import HistorySubject, deleted_by, find_in_past, find_named, subject_of
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.states import CommitState
from birthmark.errors import BirthmarkError
from birthmark.model import Location
from birthmark.queries.life import LedgerEvent, Life, read_lives
from birthmark.queries.missing import MOST_CHOICES, ambiguous
from birthmark.queries.ref_forms import NamedRef
from birthmark.queries.resolve import choice_of
from birthmark.store.model import Event, SnapshotEntity

FormerLife = tuple[Life, LedgerEvent | None]  # and the event after which it had the name that was asked for


def find_in_ledger(
    repository: OpenRepository, commit: CommitState, text: str, *, is_path: bool
) -> HistorySubject | None:
    """Return None where the ledger does not know it, or git has to tell which of several at a path is meant."""
    if repository.store is None or repository.store.snapshot(repository.workspace.worktree) is None:
        return None
    session = Session(repository)
    found = _former_lives(session, text)
    chosen = [one for one in found if one[0].shown is not None] or found
    if len(chosen) > 1 and not is_path:
        choices = [choice_of(session.view, life) for life, _ in chosen[:MOST_CHOICES]]
        raise ambiguous(text, choices, len(chosen), were=True)
    return _subject(repository, commit, chosen[0]) if len(chosen) == 1 else None


def _former_lives(session: Session, text: str) -> list[FormerLife]:
    former: list[FormerLife] = [(one.life, one.was) for one in find_former(session, text)]
    found = find_now(session, text) if not former else None
    lives = read_lives(session.view, found.identities) if found is not None else {}
    return former or [(life, None) for life in lives.values()]


def _subject(repository: OpenRepository, commit: CommitState, found: FormerLife) -> HistorySubject | None:
    life, was = found
    places = [(NamedRef(one.path, one.qualified_name), one.start_line) for one in _places(life)]
    shown, ref = life.shown, places[0][0]
    asked = _location(was) if was is not None else None
    if shown is not None and asked is not None and NamedRef(asked.path, asked.qualified_name) == ref:
        asked = None  # It is the present name, which no commit has yet.
    is_gone = shown is None and life.deletion is not None and life.deletion.is_replayed
    found_now = (find_named(commit, *place) for place in places if not is_gone)  # Else something else has the name.
    present = next((entity for entity in found_now if entity is not None), None)
    if present is not None:
        subject: HistorySubject | None = subject_of(commit, present)
    elif shown is None:
        subject = _deleted(repository, life, ref) or find_in_past(repository, commit, ref)
    else:
        subject = find_in_past(repository, commit, ref)
        if subject is None:
            raise BirthmarkError(
                f"{shown.path}:{shown.start_line}: {shown.qualified_name} is not committed yet; it has no history"
            )
    return subject and subject.asked_as(asked)


def _places(life: Life) -> Iterator[SnapshotEntity | Event]:
    """Yield where it is or was last, then where it was before changes that no commit has, as in an edited worktree."""
    yield life.shown or (life.deletion or life.last).event
    for event in reversed(life.events):
        if event.is_replayed or event.before is None:
            return
        yield event.before


def _deleted(repository: OpenRepository, life: Life, ref: NamedRef) -> HistorySubject | None:
    """Return it as it was before the commit that deleted it, where that was replayed."""
    deletion = life.deletion
    if deletion is None or not deletion.is_replayed or deletion.run.revision is None:
        return None
    return deleted_by(repository, deletion.run.revision, ref, deletion.event.start_line)


def _location(event: LedgerEvent) -> Location:
    one = event.event
    return Location(one.path, one.qualified_name, one.start_line, one.end_line)
