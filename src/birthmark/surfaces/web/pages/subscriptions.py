"""Subscriptions: all of them, one of them, and the forms that make, change and delete them; and likewise notes."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Any

from birthmark.documents.answers import NoteDocument
from birthmark.documents.parts import LocationDocument
from birthmark.documents.scans import SubscriptionStateDocument
from birthmark.documents.subscriptions import SubscriptionDocument
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.questions.notes import NoteChange, Notes
from birthmark.questions.question import Parameter, make_question, parameters_of
from birthmark.questions.scans import Deliveries, Scans, Triggers
from birthmark.questions.subscriptions import (
    Acknowledge,
    ChangeSubscription,
    Deactivate,
    DeleteSubscription,
    ListSubscriptions,
    Reactivate,
    ShowSubscription,
    Snooze,
    Subscribe,
    SubscriptionAction,
    SubscriptionState,
)
from birthmark.subscriptions.model import SubscriptionOptions
from birthmark.surfaces.arguments import Param, question_of
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import ENTITY, NOTES, SCANS, SUBSCRIPTIONS, link_to
from birthmark.surfaces.web.page import Redirect, WebPage, ask
from birthmark.vocabulary import DeliveryState

_ACTIONS = Acknowledge, Snooze, Deactivate, Reactivate
ACTIONS: dict[str, type[SubscriptionAction]] = {one.action: one for one in _ACTIONS}
_A_PAGE = 100  # subscriptions
_NOTES_OF_A_PAGE = 100
_LAST_SCANS = 10  # that are listed
_SEARCHED_SCANS = 50  # for the last trigger of each subscription
_MOST_TRIGGERS = 1_000
_MOST_MESSAGES = 10_000


# Options that a check box turns on and off: those of a new subscription, and those that can be changed.
NEW_BOXES = tuple(one for one in parameters_of(Subscribe) if one.kind is bool)
BOXES = tuple(one for one in NEW_BOXES if one.name in SubscriptionOptions.__struct_fields__)

_TEXTS = (
    Param("label", "A few words that every report shows."),
    Param("description", "Why it matters, for readers of the report."),
    # A box that is not checked is not sent, as is one that the form does not have.
    Param("boxes", "Whether the form has a box for each option.", choices=("true",)),
)


def _fields(boxes: Iterable[Parameter]) -> tuple[Param, ...]:
    return (*_TEXTS, *(Param(box.name, box.description, choices=("true",)) for box in boxes))


NEW_FIELDS = (Param("ref", "What to watch: any REF, or a pattern.", True), *_fields(NEW_BOXES))
FIELDS = _fields(BOXES)


# Pages


def list_subscriptions(query: HttpQuery) -> WebPage:
    listed = ask(query, ListSubscriptions(limit=_A_PAGE, offset=query.offset))
    values = {
        "rows": _rows(query, listed.items),
        "next": listed.next,
        "offset": query.offset,
        "limit": _A_PAGE,
        "here": partial(link_to, SUBSCRIPTIONS),
        "boxes": NEW_BOXES,
        "scans": ask(query, Scans(limit=_LAST_SCANS)).items,
        "n_dead": len(ask(query, Deliveries(state=DeliveryState.DEAD)).items),
    }
    return WebPage("subscriptions.html", "Subscriptions", values)


def _rows(query: HttpQuery, subscriptions: list[SubscriptionDocument]) -> list[dict[str, Any]]:
    """Each with its state and the last trigger."""
    ids = tuple([one.id for one in subscriptions])
    past = ask(query, Triggers(ids=ids, scans=_SEARCHED_SCANS, limit=_MOST_MESSAGES)).items
    last = {trigger.subscription_id: trigger for trigger in reversed(past)}
    return [{"subscription": one, "state": state_of(one), "last_trigger": last.get(one.id)} for one in subscriptions]


def show_subscription(query: HttpQuery) -> WebPage | Redirect:
    found = ask(query, ShowSubscription(id=query.values["id"]))
    if found.id != query.values["id"]:
        return Redirect(link_to(SUBSCRIPTIONS, found.id))
    triggers = ask(query, Triggers(ids=(found.id,), limit=_MOST_TRIGGERS)).items
    scans = {trigger.scan for trigger in triggers}
    messages = ask(query, Deliveries(limit=_MOST_MESSAGES)).items
    state, problem = _state(query, found.id)
    values = {
        "subscription": found,
        "state": state_of(found),
        "now": state,
        "problem": problem,
        "boxes": BOXES,
        "triggers": triggers,
        "messages": [message for message in messages if message.scan in scans],
        "was_known": query.get("known") is not None,
    }
    return WebPage("subscription.html", name_of(found), values)


def _state(query: HttpQuery, id_: str) -> tuple[SubscriptionStateDocument | None, str]:
    """Or why it cannot be compared: it can be changed and deleted all the same."""
    try:
        return ask(query, SubscriptionState(id=id_)), ""
    except BirthmarkError as error:
        return None, str(error)


def confirm_deletion(query: HttpQuery) -> WebPage:
    found = ask(query, ShowSubscription(id=query.values["id"]))
    return WebPage("delete_subscription.html", "Delete a subscription", {"subscription": found})


def name_of(subscription: SubscriptionDocument) -> str:
    """Its label; else what it watches."""
    return subscription.label or (subscription.semantic.qualname if subscription.semantic else subscription.ref)


def state_of(subscription: SubscriptionDocument) -> str:
    if not subscription.active:
        return "inactive"
    until = subscription.snoozed_until
    if until is not None and datetime.now(UTC) < datetime.fromisoformat(until):
        return "snoozed"
    return "acknowledged" if subscription.acknowledged else "active"


# Forms; each may be sent twice


def add_subscription(query: HttpQuery) -> Redirect:
    done = ask(query, make_question(Subscribe, {"ref": query.ref, **_options(query, NEW_BOXES)}))
    return Redirect(link_to(SUBSCRIPTIONS, done.id, known=None if done.created else "true"))


def change_subscription(query: HttpQuery) -> Redirect:
    question = make_question(ChangeSubscription, {"id": query.values["id"], **_options(query, BOXES)})
    return _shown(ask(query, question))


def _options(query: HttpQuery, boxes: Iterable[Parameter]) -> dict[str, object]:
    has_boxes = query.get("boxes") is not None
    checked = {box.name: query.get(box.name) is not None or (box.default and not has_boxes) for box in boxes}
    description = (query.get("description") or "").replace("\r\n", "\n")  # as browsers send the ends of lines
    return {"label": query.get("label"), "description": description or None, **checked}


def act_on_subscription(query: HttpQuery) -> Redirect:
    """From the page of a scan, back to it."""
    kind, scan = ACTIONS[query.values["action"]], query.get("scan")
    given = {"id": query.values["id"], "scan": scan, "until": query.get("until")}
    found = ask(query, make_question(kind, {name: given[name] for name in kind.__struct_fields__}))
    return _shown(found) if scan is None else Redirect(link_to(SCANS, str(scan), anchor=found.id))


def delete_subscription(query: HttpQuery) -> Redirect:
    with suppress(NotFoundError):  # It was deleted before.
        ask(query, DeleteSubscription(id=query.values["id"]))
    return Redirect(SUBSCRIPTIONS)


def _shown(subscription: SubscriptionDocument) -> Redirect:
    return Redirect(link_to(SUBSCRIPTIONS, subscription.id))


def show_notes(query: HttpQuery) -> WebPage:
    stale = query.get("stale")
    question = Notes(stale=stale == "true", limit=_NOTES_OF_A_PAGE, offset=query.offset)
    found = question.answer(query.session)
    groups = [(subject, list(group)) for subject, group in groupby(found.items, _subject_of)]
    values = {"notes": found, "groups": groups, "stale": stale, "limit": _NOTES_OF_A_PAGE, "offset": query.offset}
    return WebPage("notes.html", "Notes", values, found.freshness)


def _subject_of(note: NoteDocument) -> tuple[str, str | None, LocationDocument | None]:
    """Return what a note is about: its name, or the one by which it was known; its mark and place."""
    return (note.place or note.accepted).qualified_name, note.mark, note.place


def change_note(kind: type[NoteChange], query: HttpQuery) -> Redirect:
    return _go_to(ask(query, question_of(kind, query.values)))


def _go_to(note: NoteDocument) -> Redirect:
    """Redirect to the notes on the same definition."""
    return Redirect(NOTES if note.mark is None else link_to(ENTITY, note.mark, anchor="notes"))
