"""The commands that an editor can execute, in one table.

A command gets what it is about as an object with a `uri`, and what else it needs; it gives an Execution. What it wants
to be shown is a file, because every editor can open one: a former file is written as it was at its commit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lsprotocol import types

from birthmark.app.answers.editor import find_marked
from birthmark.app.histories.histories import FormerPlace, find_former_places, read_former_file
from birthmark.app.indexing.index import update_folder
from birthmark.app.notes import keep_note, write_note
from birthmark.app.scans.scanning import ScanOptions, apply, scan
from birthmark.app.scans.subscriptions import SubscriptionRequest
from birthmark.app.scans.subscriptions import subscribe as add_subscription
from birthmark.app.workspace.session import Session, Sessions
from birthmark.documents.wording import plain
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.lsp.overlays import SHOW_LIFE, write_life
from birthmark.surfaces.lsp.query import CommandTarget, EditorQuery, Positions
from birthmark.words import count, short

_WAIT_SECONDS = 30.0  # for another writer


class Execution(NamedTuple):
    """A line for people, a file to show that is nowhere in the worktree, and what a program gets."""

    message: str
    name: str = ""  # of the file, if there is one
    content: bytes = b""
    selection: types.Range | None = None
    result: Any = None


def show_life(query: EditorQuery, sessions: Sessions, target: CommandTarget) -> Execution:
    with sessions.open() as session:
        subject = _subject(session, query, target)
        text = write_life(session, subject)
    name = subject.entity.qualified_name
    return Execution(f"the life of {plain(name)}", f"{subject.mark}.md", text.encode(), result={"markdown": text})


def show_former_place(query: EditorQuery, sessions: Sessions, target: CommandTarget) -> Execution:
    """The last place that it had; `id` is the commit that ended an earlier one."""
    with sessions.open() as session:
        entity, repository = _subject(session, query, target).entity, session.repository
        places = find_former_places(repository, f"{entity.path}:{entity.start_line}")
        chosen = [one for one in places if not target.id or one.commit.id.startswith(target.id)]
        if not chosen:
            raise NotFoundError(f"{plain(entity.qualified_name)}: was never elsewhere, as far as commits tell")
        content = read_former_file(repository, chosen[0])
    place = chosen[0]
    selection = Positions(content, query.encoding).lines(place.location.start_line, place.location.end_line)
    name = f"{short(place.revision)}/{place.location.path}"
    return Execution(_write_former(place), name, content, selection, [_former_document(one) for one in places])


def _write_former(place: FormerPlace) -> str:
    name, path = plain(place.location.qualified_name), plain(place.location.path)
    return f"{name} in {path}, until {short(place.commit.id)} ({plain(place.commit.subject)})"


def _former_document(place: FormerPlace) -> dict[str, object]:
    location = place.location
    names = {"path": location.path, "qualified_name": location.qualified_name}
    lines = {"start_line": location.start_line, "end_line": location.end_line}
    return {"revision": place.revision, "ended_by": place.commit.id, "subject": place.commit.subject, **names, **lines}


def subscribe(query: EditorQuery, sessions: Sessions, target: CommandTarget) -> Execution:
    with sessions.open() as session:
        subject = _subject(session, query, target)
        done = add_subscription(session, SubscriptionRequest(ref=subject.mark))
    name, id_ = plain(subject.entity.qualified_name), done.id
    said = f"{id_}: subscribed to {name}" if done.created else f"{id_} is a subscription to {name} already"
    return Execution(said, result={"id": id_, "is_new": done.created})


def write_note_on(query: EditorQuery, sessions: Sessions, target: CommandTarget) -> Execution:
    if not target.text:
        raise BirthmarkError("the note has no text; select the text of the note, or send it as `text`")
    with sessions.open() as session:
        subject = _subject(session, query, target)
        found = write_note(session, subject.mark, target.text)
    return Execution(f"{found.note.id}: noted on {plain(subject.entity.qualified_name)}", result={"id": found.note.id})


def keep_stale_note(query: EditorQuery, sessions: Sessions, target: CommandTarget) -> Execution:
    with sessions.open() as session:
        found = keep_note(session, target.id or "")
    return Execution(f"{found.note.id} is kept: it is true of the code as it is now", result={"id": found.note.id})


def accept(query: EditorQuery, sessions: Sessions, target: CommandTarget) -> Execution:
    ids = (target.id or "",)
    with sessions.open(refreshes=False) as session:
        report = scan(session, ScanOptions(ids=ids, record=False, quick=True))
        done = apply(session, ids, report=report)
    reasons = [one.reason for one in done.skipped]
    said = "; ".join(reasons) if reasons else "accepted as it is now"
    return Execution(f"{ids[0]}: {said}", result={"accepted": len(done.applied)})


def make_index(query: EditorQuery, sessions: Sessions, target: CommandTarget) -> Execution:
    done = update_folder(query.root, _WAIT_SECONDS).document
    n_files, n_entities = (done.counts[name] or 0 for name in ("files", "entities"))
    contents = f"{count(n_files, 'file')} with {count(n_entities, 'definition')}"
    return Execution(f"{plain(query.root.name)}: indexed {contents}", result={"files": n_files})


Run = Callable[[EditorQuery, Sessions, CommandTarget], Execution]
COMMANDS: dict[str, Run] = {
    SHOW_LIFE: show_life,
    "birthmark.showFormerPlace": show_former_place,
    "birthmark.subscribe": subscribe,
    "birthmark.writeNote": write_note_on,
    "birthmark.keepNote": keep_stale_note,
    "birthmark.accept": accept,
    "birthmark.index": make_index,
}
SHOWING = (show_life, show_former_place)  # After all others, what is shown of the repository may be different.


def _subject(session: Session, query: EditorQuery, target: CommandTarget) -> IndexedEntity:
    if target.mark is not None:
        found = find_marked(session, target.mark)
        if found is None:
            raise NotFoundError(f"{plain(target.mark)}: is not in the index any more")
        return found
    if target.position is None:
        raise BirthmarkError("the argument of a command needs a position or a mark")
    return query.subject(session, target.position)
