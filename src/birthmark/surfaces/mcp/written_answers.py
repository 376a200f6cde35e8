"""Answers of tools about subscriptions and notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from birthmark.documents import brief_documents as brief
from birthmark.documents.brief import NotesAnswer, SubscriptionsAnswer
from birthmark.questions.definitions import Resolve
from birthmark.questions.notes import Notes
from birthmark.surfaces.http.routes import note_routes, subscription_routes
from birthmark.surfaces.http.routes.requests import HttpQuery, NewNote, NoteText
from birthmark.surfaces.mcp.answer_heads import as_asked, head_of, page_asked, read_freshness
from birthmark.surfaces.mcp.budget import UncutAnswer, parts_of
from birthmark.surfaces.request_error import RequestError

_SCANS = 20  # that are looked through


def list_subscriptions(query: HttpQuery) -> UncutAnswer:
    found = subscription_routes.list_subscriptions(as_asked(query))
    ids = ",".join(one.id for one in found.items)
    reports = subscription_routes.list_triggers(as_asked(query, ids=ids, scans=_SCANS, offset=0, limit=10_000)).items
    subscriptions = [
        brief.brief_subscription(
            one if one.mark else replace(one, mark=_present_mark(query, one.ref)),
            [report for report in reports if report.subscription_id == one.id],
        )
        for one in found.items
    ]
    head = head_of(SubscriptionsAnswer, read_freshness(query))
    return UncutAnswer(head, parts_of("subscriptions", subscriptions), found.truncated)


def _present_mark(query: HttpQuery, ref: str) -> str | None:
    """What was subscribed to at a revision has none yet."""
    entity = Resolve(ref=ref).answer(query.session).entity
    return entity.mark if entity is not None else None


def list_notes(query: HttpQuery) -> UncutAnswer:
    question = Notes(ref=query.get("ref"), stale=query.get("stale") == "true", **page_asked(query))
    found = question.answer(query.session)
    return UncutAnswer(
        head_of(NotesAnswer, found.freshness), parts_of("notes", map(brief.brief_note, found.items)), found.truncated
    )


class NoteAction(NamedTuple):
    """A function that changes a note, what must be given for it, and the body that it takes."""

    route: Callable[[HttpQuery], Any]
    needs: tuple[str, ...]
    body: Callable[[HttpQuery], Any] = lambda query: None


NOTE_ACTIONS = {
    "write": NoteAction(
        note_routes.write_note, ("ref", "text"), lambda query: NewNote(query.ref, query.values["text"])
    ),
    "edit": NoteAction(note_routes.edit_note, ("id", "text"), lambda query: NoteText(query.values["text"])),
    "keep": NoteAction(note_routes.keep_note, ("id",)),
    "delete": NoteAction(note_routes.delete_note, ("id",)),
}


def use_notes(query: HttpQuery) -> UncutAnswer:
    action = NOTE_ACTIONS.get(query.values["action"])
    if action is None:
        return list_notes(query)
    missing = next((name for name in action.needs if query.get(name) is None), None)
    if missing is not None:
        raise RequestError("bad_request", f"{missing}: is missing; `{query.values['action']}` needs it")
    note = action.route(query._replace(body=action.body(query)))
    head = head_of(NotesAnswer, read_freshness(query))
    return UncutAnswer(head, parts_of("notes", [brief.brief_note(note)]))
