"""The table of all routes. The application and its OpenAPI description are made from it.

Each question is a route of its name, with its fields as parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, get_args, get_type_hints

import msgspec

from birthmark.documents.answers import ResolvedListDocument
from birthmark.documents.document import Document
from birthmark.documents.subscriptions import SubscribedDocument
from birthmark.questions.definitions import ResolveMany
from birthmark.questions.question import Question
from birthmark.questions.table import QUESTIONS
from birthmark.store.model import KEPT_SCANS
from birthmark.surfaces.http.access.guards import JSON_PREFIX
from birthmark.surfaces.http.routes import delivery_routes, index_route, note_routes, subscription_routes
from birthmark.surfaces.http.routes.requests import (
    LIMIT,
    OFFSET,
    REFRESH,
    ApplyRequest,
    HttpQuery,
    IndexRequest,
    NewNote,
    NewSubscription,
    NoteText,
    Param,
    ResolveRequest,
    ScanRequest,
    Snooze,
    SubscriptionChanges,
    params_of,
    question_of,
)
from birthmark.vocabulary import DeliveryState

PREFIX = JSON_PREFIX
DESCRIPTION = f"{PREFIX}/openapi.json"
EVENTS = f"{PREFIX}/events"


class Route(NamedTuple):
    """A method and a path, and the function that answers it; the type of the answer is that of the function."""

    method: str
    path: str
    answer: Callable[[HttpQuery], Document]
    summary: str
    params: tuple[Param, ...] = ()
    body: type[msgspec.Struct] | None = None
    status: int = 200
    is_question: bool = False  # though it takes a body
    question: type[Question] | None = None

    def status_of(self, document: Document) -> int:
        """201 only where something was created."""
        return 200 if isinstance(document, SubscribedDocument) and not document.created else self.status

    @property
    def statuses(self) -> tuple[int, ...]:
        return (self.status, 200) if SubscribedDocument in self.documents else (self.status,)

    @property
    def is_write(self) -> bool:
        return self.method != "GET" and not self.is_question

    @property
    def name(self) -> str:
        return self.path.strip("/") if self.question is not None else self.answer.__name__

    @property
    def documents(self) -> tuple[type[Document], ...]:
        """One, or several of which the parameters choose one."""
        document = get_type_hints(self.question.answer if self.question is not None else self.answer)["return"]
        return get_args(document) or (document,)


def _question_route(name: str, question: type[Question]) -> Route:
    def answer(query: HttpQuery) -> Document:
        asked = question_of(question, query.values)
        with query.open(refreshes=asked.is_about_worktree) as session:
            return asked.answer(session)

    summary = (question.__doc__ or "").partition("\n")[0]
    return Route("GET", f"/{name}", answer, summary, params_of(question), question=question)


def _resolve_many(query: HttpQuery) -> ResolvedListDocument:
    assert isinstance(query.body, ResolveRequest)
    everywhere = query.values.get("everywhere") == "true"
    asked = ResolveMany(refs=tuple(query.body.refs), at=query.body.at, everywhere=everywhere)
    with query.open() as session:
        return asked.answer(session)


def _questions() -> Iterator[Route]:
    return (_question_route(name, question) for name, question in QUESTIONS.items())


_NOTE = Param("id", "The id of a note.", True, location="path")
_ID = Param("id", "The id of a subscription.", True, location="path")
_NUMBER = Param("number", "The number of a scan.", True, bounds=(1, 10**12), location="path")
_SCAN = Param("scan", "The number of the scan whose finding it is; the last one if left out.", bounds=(1, 10**12))
_TRIGGERS = (
    Param("ids", "Of subscriptions, joined by commas; all if left out."),
    Param("scans", "How many scans are looked through, from the last one.", bounds=(1, KEPT_SCANS), default=KEPT_SCANS),
)
_MESSAGE = Param("message", "The id of a message.", True, location="path")
_STATE = Param("state", "Only messages in this state.", choices=tuple(map(str, DeliveryState)))
_PAGE = (LIMIT, OFFSET)
_EVERYWHERE = next(param for param in params_of(QUESTIONS["users"]) if param.name == "everywhere")

ROUTES = (
    *_questions(),
    Route(
        "POST",
        "/resolve",
        _resolve_many,
        "Resolve many REFs at once.",
        (_EVERYWHERE, REFRESH),
        ResolveRequest,
        is_question=True,
    ),
    Route("POST", "/index", index_route.index, "Bring the index up to date.", body=IndexRequest),
    Route("GET", "/subscriptions", subscription_routes.list_subscriptions, "List subscriptions.", _PAGE),
    Route(
        "POST", "/subscriptions", subscription_routes.subscribe, "Subscribe.", (REFRESH,), NewSubscription, status=201
    ),
    Route("GET", "/subscriptions/{id}", subscription_routes.get_subscription, "One subscription.", (_ID,)),
    Route(
        "GET",
        "/subscriptions/{id}/state",
        subscription_routes.get_state,
        "What was accepted of it, and what a scan finds of it now.",
        (_ID,),
    ),
    Route(
        "PATCH",
        "/subscriptions/{id}",
        subscription_routes.update_subscription,
        "Change its label, description or other options.",
        (_ID,),
        SubscriptionChanges,
    ),
    Route("DELETE", "/subscriptions/{id}", subscription_routes.delete, "Delete it.", (_ID,)),
    Route(
        "POST",
        "/subscriptions/{id}/acknowledge",
        subscription_routes.acknowledge,
        "Acknowledge the change: it is not reported again until it changes further.",
        (_ID, _SCAN),
    ),
    Route("POST", "/subscriptions/{id}/reactivate", subscription_routes.reactivate, "Scan it again.", (_ID,)),
    Route("POST", "/subscriptions/{id}/deactivate", subscription_routes.deactivate, "Skip it in scans.", (_ID,)),
    Route(
        "POST",
        "/subscriptions/{id}/snooze",
        subscription_routes.snooze,
        "Mute it until a time; changes are reported after that.",
        (_ID,),
        Snooze,
    ),
    Route("POST", "/notes", note_routes.write_note, "Write a note.", (REFRESH,), NewNote, status=201),
    Route("PATCH", "/notes/{id}", note_routes.edit_note, "Change its text.", (_NOTE, REFRESH), NoteText),
    Route("DELETE", "/notes/{id}", note_routes.delete_note, "Delete it.", (_NOTE, REFRESH)),
    Route("POST", "/notes/{id}/keep", note_routes.keep_note, "It is still true.", (_NOTE, REFRESH)),
    Route("POST", "/scan", subscription_routes.scan, "Report what subscriptions trigger.", _PAGE, ScanRequest),
    Route("POST", "/apply", subscription_routes.apply, "Accept what a scan found.", body=ApplyRequest),
    Route("GET", "/scans", subscription_routes.list_scans, "List the stored scans.", _PAGE),
    Route("GET", "/scans/{number}", subscription_routes.get_scan, "What a scan found.", (_NUMBER, *_PAGE)),
    Route("GET", "/triggers", subscription_routes.list_triggers, "What scans have reported.", (*_TRIGGERS, *_PAGE)),
    Route("GET", "/deliveries", delivery_routes.list_deliveries, "List the messages of scans.", (_STATE, *_PAGE)),
    Route(
        "POST",
        "/deliveries/{message}/retry",
        delivery_routes.retry_delivery,
        "Have a message that was given up sent again, by the next `birthmark deliver`.",
        (_MESSAGE,),
    ),
)
