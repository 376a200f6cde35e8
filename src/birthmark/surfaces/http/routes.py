"""The table of all that can be asked. The application and its description are made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from birthmark.surfaces.http import reading, subscribing
from birthmark.surfaces.http.paging import LIMIT, OFFSET
from birthmark.surfaces.http.requests import (
    ApplyRequest,
    Asked,
    IndexRequest,
    NewSubscription,
    Param,
    ScanRequest,
    Snooze,
    SubscriptionChanges,
)
from birthmark.surfaces.wire import Document

PREFIX = "/v1"
DESCRIPTION = f"{PREFIX}/openapi.json"


class Route(NamedTuple):
    """A method and a path, what answers it, and the name of the answer's schema."""

    method: str
    path: str
    work: Callable[[Asked], Document]
    about: str
    answer: str
    params: tuple[Param, ...] = ()
    body: type[msgspec.Struct] | None = None
    status: int = 200

    @property
    def is_write(self) -> bool:
        return self.method != "GET"


_REF = Param("ref", "A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.", True)
_AT = Param("at", "A revision.")
_PATH = Param("path", "A file of the index, relative to the root of the repository; all of them if left out.")
_BASE = Param("base", "A revision; the index if left out.")
_TARGET = Param("target", "A revision; the worktree if left out.")
_ID = Param("id", "The id of a subscription.", True, place="path")
_NUMBER = Param("number", "The number of a scan.", True, bounds=(1, 10**12), place="path")
_PAGE = (LIMIT, OFFSET)

ROUTES = (
    Route("GET", "/status", reading.get_status, "How fresh the index is, and what it holds.", "Status"),
    Route("GET", "/entities", reading.list_entities, "List entities.", "Entities", (_PATH, *_PAGE)),
    Route("GET", "/nodes", reading.list_nodes, "List all that has a semantic id.", "Nodes", (_PATH, *_PAGE)),
    Route("GET", "/chunks", reading.list_chunks, "List chunks.", "Chunks", (_PATH, *_PAGE)),
    Route("GET", "/show", reading.show, "One entity, with its source.", "Shown", (_REF,)),
    Route("GET", "/resolve", reading.resolve, "Where any id is now, or what became of it.", "Resolved", (_REF, _AT)),
    Route("GET", "/diff", reading.diff, "Compare entity by entity.", "Diff", (_BASE, _TARGET, *_PAGE)),
    Route("GET", "/history", reading.history, "What happened to it in git.", "History", (_REF, _AT, *_PAGE)),
    Route("GET", "/callers", reading.list_callers, "Who calls it.", "Edges", (_REF, *_PAGE)),
    Route("GET", "/callees", reading.list_callees, "What it calls.", "Edges", (_REF, *_PAGE)),
    Route("POST", "/index", reading.index, "Bring the index up to date.", "Indexed", body=IndexRequest),
    Route(
        "GET", "/subscriptions", subscribing.list_subscriptions, "List subscriptions.", "Subscriptions", params=_PAGE
    ),
    Route(
        "POST",
        "/subscriptions",
        subscribing.subscribe,
        "Subscribe.",
        "Subscription",
        body=NewSubscription,
        status=201,
    ),
    Route("GET", "/subscriptions/{id}", subscribing.get_subscription, "One subscription.", "Subscription", (_ID,)),
    Route(
        "PATCH",
        "/subscriptions/{id}",
        subscribing.update_subscription,
        "Change its label, description or wishes.",
        "Subscription",
        (_ID,),
        SubscriptionChanges,
    ),
    Route("DELETE", "/subscriptions/{id}", subscribing.delete, "Delete it.", "Subscription", (_ID,)),
    Route(
        "POST",
        "/subscriptions/{id}/acknowledge",
        subscribing.acknowledge,
        "Be told no more of the change that was seen.",
        "Subscription",
        (_ID,),
    ),
    Route(
        "POST", "/subscriptions/{id}/reactivate", subscribing.reactivate, "Tell of it again.", "Subscription", (_ID,)
    ),
    Route("POST", "/subscriptions/{id}/deactivate", subscribing.deactivate, "Do not scan it.", "Subscription", (_ID,)),
    Route(
        "POST",
        "/subscriptions/{id}/snooze",
        subscribing.snooze,
        "Be told nothing of it until then.",
        "Subscription",
        (_ID,),
        Snooze,
    ),
    Route("POST", "/scan", subscribing.scan, "What subscribers want to know.", "Report", _PAGE, ScanRequest),
    Route("POST", "/apply", subscribing.apply, "Accept what a scan found.", "Applied", body=ApplyRequest),
    Route("GET", "/scans", subscribing.list_scans, "List the scans that were kept.", "Scans", _PAGE),
    Route("GET", "/scans/{number}", subscribing.get_scan, "What a scan found.", "Report", (_NUMBER, *_PAGE)),
)
