"""The table of all routes. The application and its OpenAPI description are made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, get_args, get_type_hints

import msgspec

from birthmark.app.answers.searching.searching import DEFAULT_RESULTS, MOST_RESULTS
from birthmark.app.answers.uses.graph_nodes import SECONDS
from birthmark.app.answers.uses.impact import DEEPEST
from birthmark.app.answers.uses.unused import UNUSED_SECONDS
from birthmark.store.model import KEPT_SCANS
from birthmark.surfaces.http.access.guards import JSON_PREFIX
from birthmark.surfaces.http.routes import (
    commit_routes,
    delivery_routes,
    graph_routes,
    note_routes,
    overview_routes,
    query_routes,
    structure_routes,
    subscription_routes,
)
from birthmark.surfaces.http.routes.paging import LIMIT, OFFSET
from birthmark.surfaces.http.routes.requests import (
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
)
from birthmark.surfaces.wire.document import Document
from birthmark.surfaces.wire.subscriptions import SubscribedDocument
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
    def documents(self) -> tuple[type[Document], ...]:
        """One, or several of which the parameters choose one."""
        document = get_type_hints(self.answer)["return"]
        return get_args(document) or (document,)


_REF = Param("ref", "A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.", True)
_AT = Param("at", "A revision.")
_PATH = Param("path", "A file or folder, relative to the root of the repository; all of it if left out.")
_SINCE = Param("since", "A revision: answer what became of chunks since, what is to be embedded again first.")
_AFTER = Param("since", "The revision before the change; HEAD if left out.", default="HEAD")
_UNTIL = Param("until", "The revision after the change; the worktree if left out.")
_TOKENS = Param("tokens", "How many tokens it may have at most.", bounds=(1, 10**7), default=4000)
_CHANGED = Param("since", "A revision: only what changed since.")
_KEPT = Param("kept", "Whether, with `since`, kept chunks are listed.", default="false", choices=("true", "false"))
_TEXT = Param("text", "Whether chunks have their text.", default="true", choices=("true", "false"))
_BASE = Param("base", "A revision, a date, or a range like A..B by itself; HEAD if left out.")
_REVIEWED = Param("base", "A revision, a date, or a range like A..B by itself; else as `birthmark review` chooses it.")
_AFFECTED = Param(
    "affected", "Whether all tests are looked for that may be affected.", default="true", choices=("true", "false")
)
_REVISION = Param("revision", "A revision; HEAD if left out.", default="HEAD")
_COMMITS = Param("limit", "Commits at most.", bounds=(1, 10_000), default=10)
_TARGET = Param("target", "A revision; the worktree if left out.")
_ID = Param("id", "The id of a subscription.", True, location="path")
_NOTE = Param("id", "The id of a note.", True, location="path")
_NOTES = (
    Param("ref", "A REF: only the notes on it."),
    Param("stale", "Whether only those are listed whose code has changed.", default="false", choices=("true", "false")),
)
_NUMBER = Param("number", "The number of a scan.", True, bounds=(1, 10**12), location="path")
_SCAN = Param("scan", "The number of the scan whose finding it is; the last one if left out.", bounds=(1, 10**12))
_TRIGGERS = (
    Param("ids", "Of subscriptions, joined by commas; all if left out."),
    Param("scans", "How many scans are looked through, from the last one.", bounds=(1, KEPT_SCANS), default=KEPT_SCANS),
)
_MESSAGE = Param("message", "The id of a message.", True, location="path")
_STATE = Param("state", "Only messages in this state.", choices=tuple(map(str, DeliveryState)))
_PAGE = (LIMIT, OFFSET)
_REFRESH = Param("refresh", "Whether the index is brought up to date first.", default="true", choices=("true", "false"))
_EVERYWHERE = Param(
    "everywhere",
    "Whether all repositories of the database are asked that the token may see.",
    default="false",
    choices=("true", "false"),
)
_USES = Param("uses", "Only these uses, joined by commas: calls, references, subclasses; all if left out.")
_USERS = (_REF, _USES, _EVERYWHERE, _REFRESH, *_PAGE)
_BLAMED = Param("path", "A file or folder, relative to the root of the repository.", True)
_FILE = Param("path", "A file, relative to the root of the repository.", True)
_PATCH = Param("patch", "Whether the lines that differ are listed.", default="false", choices=("true", "false"))
_DERIVATION = Param(
    "derivation", "Whether it goes on into what its code came from.", default="false", choices=("true", "false")
)
_ALL = Param(
    "all", "Whether tests, documentation and generated code count.", default="false", choices=("true", "false")
)
_PAST_USERS = Param(
    "users",
    "Whether it is asked when users came and went, instead of what happened to it.",
    default="false",
    choices=("true", "false"),
)
_CLONES = (
    Param("ref", "Only those of what this REF names."),
    Param("path", "Only in these files or folders, joined by commas; else in all but tests and generated files."),
    Param("share", "Of the tokens that two must share, in percent.", bounds=(50, 100), default=70),
    _ALL,
)
_MODULES = (
    Param("path", "Only what is in this folder; all sources if left out."),
    Param("depth", "Folders down to so many levels; all if left out.", bounds=(1, 100)),
    Param("files", "Whether each file is a module, not each folder.", default="false", choices=("true", "false")),
    _ALL,
)
_HOTSPOTS = (
    Param("path", "Only in these files or folders, joined by commas; else in all but tests and generated files."),
    Param("since", "Only changes after a date as git reads it, or after a revision."),
    _ALL,
)
_EVENTS = (
    Param("since", "Only commits after a date as git reads it, or after a revision."),
    Param("until", "Only commits before a date as git reads it, or up to a revision."),
    Param("author", "Only authors whose name or e-mail matches this extended regular expression, in either case."),
    _PATCH,
)
_SEARCH = (
    Param("text", "A name, a part of it, or words from docs or code.", True),
    Param("kind", "Only entities of these kinds, joined by commas."),
    Param("language", "Only entities in these languages, joined by commas."),
    Param("path", "Only in these files, folders or patterns, joined by commas; with `!` in front, not there."),
    Param("limit", "Results at most.", bounds=(1, MOST_RESULTS), default=DEFAULT_RESULTS),
    OFFSET,
)
_DIFF = (
    Param("path", "Only these files, folders or patterns, joined by commas; with `!` in front, not these."),
    Param("kind", "Only entities of these kinds, joined by commas."),
    Param("language", "Only entities in these languages, joined by commas."),
    Param("change", "Only these changes, joined by commas."),
    _PATCH,
)
_TESTS = Param("tests", "Whether tests count.", default="true", choices=("true", "false"))
_TIMEOUT = Param("timeout", "Seconds after which it stops.", bounds=(1, 3600), default=int(SECONDS))
_WHOLE_GRAPH = (
    Param("files", "Whether files are asked about, not definitions.", default="false", choices=("true", "false")),
    _TESTS,
    _TIMEOUT,
)
_UNUSED = (
    Param("all", "Whether what is likely used is listed.", default="false", choices=("true", "false")),
    _TESTS,
    _TIMEOUT._replace(default=int(UNUSED_SECONDS)),
)
_LEAST = Param("least", "Open folders in it until there are so many entries.", bounds=(0, 1_000), default=0)
_FOLDER = Param("folder", "A folder, relative to the root of the repository; the root if left out.")
_LATEST = Param("limit", "Identities at most.", bounds=(1, 10_000), default=200)
_DEPTH = Param("depth", "Uses that are gone along at most.", bounds=(1, 1000), default=DEEPEST)
_ENDS = (
    Param("start", "A REF: what uses the other.", True),
    Param("end", "A REF: what is used in the end.", True),
    _TIMEOUT,
)

ROUTES = (
    Route("GET", "/status", query_routes.get_status, "How fresh the index is, and what it holds."),
    Route("GET", "/entities", query_routes.list_entities, "List entities.", (_PATH, _REFRESH, *_PAGE)),
    Route("GET", "/nodes", query_routes.list_nodes, "List all that has a semantic id.", (_PATH, _REFRESH, *_PAGE)),
    Route("GET", "/chunks", query_routes.list_chunks, "List chunks.", (_PATH, _SINCE, _KEPT, _TEXT, _REFRESH, *_PAGE)),
    Route(
        "GET",
        "/search",
        query_routes.search,
        "Find what is called so, or nearly so.",
        (*_SEARCH, _EVERYWHERE, _REFRESH),
    ),
    Route("GET", "/show", query_routes.show, "One entity, with its source.", (_REF, _REFRESH)),
    Route("GET", "/file", query_routes.get_file, "A file with its text and definitions.", (_FILE, _AT, _REFRESH)),
    Route(
        "GET",
        "/resolve",
        query_routes.resolve,
        "Where any id is now, or what became of it.",
        (_REF, _AT, _EVERYWHERE, _REFRESH),
    ),
    Route(
        "POST",
        "/resolve",
        query_routes.resolve_many,
        "The same for many REFs.",
        (_EVERYWHERE, _REFRESH),
        ResolveRequest,
        is_question=True,
    ),
    Route("GET", "/diff", query_routes.diff, "Compare entity by entity.", (_BASE, _TARGET, *_DIFF, _REFRESH, *_PAGE)),
    Route("GET", "/commit", commit_routes.show_commit, "What a commit says of itself.", (_REVISION,)),
    Route("GET", "/revisions", commit_routes.list_revisions, "Commits, branches and tags.", (_COMMITS,)),
    Route(
        "GET",
        "/history",
        query_routes.history,
        "What happened to it in git.",
        (_REF, _AT, *_EVENTS, _DERIVATION, _PAST_USERS, _REFRESH, *_PAGE),
    ),
    Route("GET", "/blame", query_routes.blame, "Who last changed the entities of a path.", (_BLAMED, _AT, *_PAGE)),
    Route("GET", "/callers", query_routes.list_callers, "The same as `/users`.", _USERS),
    Route("GET", "/users", query_routes.list_users, "What uses it.", _USERS),
    Route(
        "GET",
        "/clones",
        query_routes.list_clones,
        "What is nearly the same.",
        (*_CLONES, _EVERYWHERE, _REFRESH, *_PAGE),
    ),
    Route("GET", "/tests", query_routes.list_tests, "The tests that reach it.", (_REF, _REFRESH, *_PAGE)),
    Route(
        "GET",
        "/affected",
        query_routes.list_affected,
        "The tests to run after a change.",
        (_AFTER, _UNTIL, _REFRESH, *_PAGE),
    ),
    Route(
        "GET",
        "/review",
        query_routes.review,
        "A change as a reviewer wants it.",
        (_REVIEWED, _TARGET, _AFFECTED, _REFRESH, *_PAGE),
    ),
    Route("GET", "/context", query_routes.get_context, "What to read for it.", (_REF, _TOKENS, _CHANGED, _REFRESH)),
    Route("GET", "/modules", structure_routes.list_modules, "Modules and their layers.", (*_MODULES, _REFRESH, *_PAGE)),
    Route("GET", "/hotspots", structure_routes.list_hotspots, "What changes often.", (*_HOTSPOTS, _REFRESH, *_PAGE)),
    Route("GET", "/tree", overview_routes.get_tree, "What a folder consists of.", (_FOLDER, _LEAST, _REFRESH, *_PAGE)),
    Route("GET", "/latest", overview_routes.list_latest, "What happened last.", (_LATEST, _REFRESH)),
    Route("GET", "/callees", query_routes.list_callees, "What it calls.", (_REF, _EVERYWHERE, _REFRESH, *_PAGE)),
    Route(
        "GET",
        "/impact",
        graph_routes.list_impact,
        "What may break when it is changed.",
        (_REF, _DEPTH, _TESTS, _TIMEOUT, _EVERYWHERE, _REFRESH, *_PAGE),
    ),
    Route("GET", "/path", graph_routes.show_path, "How one thing comes to use another.", (*_ENDS, _REFRESH)),
    Route("GET", "/cycles", graph_routes.list_cycles, "What is in cycles.", (*_WHOLE_GRAPH, _REFRESH, *_PAGE)),
    Route("GET", "/components", graph_routes.list_components, "What is connected.", (*_WHOLE_GRAPH, _REFRESH, *_PAGE)),
    Route("GET", "/rank", graph_routes.list_rank, "What is central.", (*_WHOLE_GRAPH, _REFRESH, *_PAGE)),
    Route("GET", "/unused", graph_routes.list_unused, "What has no known users.", (*_UNUSED, _REFRESH, *_PAGE)),
    Route("POST", "/index", query_routes.index, "Bring the index up to date.", body=IndexRequest),
    Route("GET", "/subscriptions", subscription_routes.list_subscriptions, "List subscriptions.", _PAGE),
    Route(
        "POST", "/subscriptions", subscription_routes.subscribe, "Subscribe.", (_REFRESH,), NewSubscription, status=201
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
    Route("GET", "/notes", note_routes.list_notes, "List notes.", (*_NOTES, _REFRESH, *_PAGE)),
    Route("POST", "/notes", note_routes.write_note, "Write a note.", (_REFRESH,), NewNote, status=201),
    Route("PATCH", "/notes/{id}", note_routes.edit_note, "Change its text.", (_NOTE, _REFRESH), NoteText),
    Route("DELETE", "/notes/{id}", note_routes.delete_note, "Delete it.", (_NOTE, _REFRESH)),
    Route("POST", "/notes/{id}/keep", note_routes.keep_note, "It is still true.", (_NOTE, _REFRESH)),
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
