"""The application with its pages: the table of pages behind the guards of the JSON routes.

A page that takes long is made behind a page that says so and reloads itself. Requests for the same address share that
work if they may see the same. A result is given once, to the next request for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from functools import cached_property, partial
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.freshness import ShowProgress, show_nothing
from birthmark.surfaces.arguments import Param, read_values
from birthmark.surfaces.http.access.guards import AGENTS, Hosts, is_json_path
from birthmark.surfaces.http.access.persons import Persons, known_persons, may_write, require_writing, visible_to
from birthmark.surfaces.http.access.token import feed_path, feed_purpose
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.observation import PERSON, PREFIX, REPOSITORY, SERVES, TEMPLATE, Monitoring
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.links import ASSETS, SIGN_IN, link_to
from birthmark.surfaces.web.page import PageRoute, Redirect, WebPage
from birthmark.surfaces.web.rendering import (
    Visit,
    asset_response,
    error_page,
    page_response,
    picture_response,
    read_fields,
    serves_no_other,
)
from birthmark.surfaces.web.routes import PAGES
from birthmark.surfaces.web.sign_in import BrowserSecrets, sign_in
from birthmark.surfaces.workers import Workers

_PICTURE = Param("picture", "The name of a picture on the page, to be saved.")
_ANY_PATH = Param("path", "Whatever was asked for.", default="", location="path")
_FORM_TOKEN = Param("form_token", "The token of forms.", True)
PageAnswer = Callable[[HttpQuery, ShowProgress], WebPage | Redirect]
SECONDS = 8.0  # that a page is waited for at first
_MOST_RUNNING = 4
_MOST_HELD = 16
_ACCEPTED = 202
_works: dict[object, _Work] = {}
_lock = Lock()


class AgentRoute:
    """An application that answers behind guards. Notes are written where that is allowed here or in the settings."""

    def __init__(self, repositories: SharedRepositories, workers: Workers, *, allow_notes: bool) -> None:
        self._repositories, self._workers, self._allow_notes = repositories, workers, allow_notes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[TEMPLATE] = AGENTS
        server = await self._workers.run(lambda: self._server)
        await server(scope, receive, send)

    @cached_property
    def _server(self) -> ASGIApp:
        """Made in a thread."""
        try:
            from birthmark.surfaces.mcp.server import AgentServer
        except ImportError as error:
            message = "agents need the SDK of their protocol; `pip install 'birthmark[mcp]'` on the server installs it"
            raise RequestError("not_found", message) from error
        allow_notes = self._allow_notes or self._may_write_notes()
        return AgentServer(self._repositories, self._workers, allow_notes=allow_notes)

    def _may_write_notes(self) -> bool:
        with self._repositories.open(refreshes=False) as session:
            return session.repository.settings.mcp.allow_notes


class ServedPages(NamedTuple):
    """The values that all pages share."""

    folder: Path
    secrets: BrowserSecrets
    workers: Workers
    repositories: SharedRepositories
    persons: Persons

    def visit(self, request: Request) -> Visit:
        query = f"?{request.url.query}" if request.url.query else ""
        name, prefix = request.scope.get(REPOSITORY, self.folder.name), request.scope.get(PREFIX, "")
        form_token = self.secrets.form_token_of(_person(request))
        feed_address = partial(self._feed_address, _person(request), prefix)
        serves = request.scope.get(SERVES, serves_no_other)
        address = request.url.path + query
        return Visit(name, address, form_token, may_write(request.scope), prefix, feed_address, serves)

    def _feed_address(self, person: str, prefix: str, id_: str | None = None) -> str:
        """Without the prefix, as all addresses of a page; tokens may have to be read."""
        path = feed_path(id_)
        return link_to(path, key=self.persons.proof_of(person, feed_purpose(prefix + path)))


def _person(request: Request) -> str:
    """No name at an open path."""
    return str(request.scope.get(PERSON, ""))


def make_site(
    folder: Path,
    hosts: Hosts,
    secrets: BrowserSecrets,
    workers: Workers | None = None,
    repositories: SharedRepositories | None = None,
    monitoring: Monitoring | None = None,
    persons: Persons | None = None,
    guards: Sequence[Middleware] | None = None,
    *,
    allow_notes: bool = False,
) -> Starlette:
    """Make the application as `make_app` does; with `allow_notes` agents may write notes."""
    workers, repositories = workers or Workers(), repositories or SharedRepositories(folder, max_age=0.0)
    persons = persons or known_persons(folder, secrets.token)
    site = ServedPages(folder, secrets, workers, repositories, persons)
    pages = [
        StarletteRoute(f"{ASSETS}/{{name}}", _send_asset, methods=["GET"]),
        StarletteRoute(AGENTS, AgentRoute(site.repositories, site.workers, allow_notes=allow_notes)),
        StarletteRoute(SIGN_IN, partial(sign_in, secrets, persons), methods=["GET", "POST"]),
        *(_route(page, site) for page in PAGES),
        _route(PageRoute("/{path:rest}", _find_nothing, (_ANY_PATH,)), site),
    ]
    shared = site.workers, pages, secrets.access, site.repositories, monitoring, persons, guards
    return make_app(folder, secrets.token, hosts, *shared)


async def _send_asset(request: Request) -> Response:
    return asset_response(request.path_params["name"], request.query_params.get("v"))


def _find_nothing(query: HttpQuery) -> WebPage:
    raise RequestError("not_found", f"/{query.values['path']}: there is no such page")


def _route(page: PageRoute, site: ServedPages) -> StarletteRoute:
    return StarletteRoute(page.path, _endpoint(page, site), methods=["POST" if page.is_form else "GET"])


def _endpoint(page: PageRoute, site: ServedPages) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        request.scope[TEMPLATE] = page.path
        if is_json_path(request.url.path):
            raise _refusal(request)
        try:
            return await _answer(page, site, request)
        except Exception as error:  # Each becomes a page.
            return error_page(error, site.visit(request))

    return answer


def _refusal(request: Request) -> HTTPException:
    """Return the error of a path of the JSON routes, which has no page: other methods are allowed there, or none."""
    routes = (route for route in request.app.routes if isinstance(route, StarletteRoute))
    partial_matches = (route for route in routes if route.matches(request.scope)[0] is Match.PARTIAL)
    allowed = sorted({method for route in partial_matches for method in route.methods or ()})
    return HTTPException(405, headers={"Allow": ", ".join(allowed)}) if allowed else HTTPException(404)


async def _answer(page: PageRoute, site: ServedPages, request: Request) -> Response:
    sent = await read_fields(request) if page.is_form else request.query_params.multi_items()
    chosen = {param.name for param in page.params if param.choices}
    given = [(name, value) for name, value in sent if value or name not in chosen]  # A form sends what is left blank.
    values = read_values((*page.params, _FORM_TOKEN if page.is_form else _PICTURE), given, request.path_params)
    if page.is_form and not site.secrets.allows_form(values["form_token"], _person(request)):
        raise RequestError("forbidden_origin", "the form is of another time or page; open the page again")
    if page.is_for_writers:
        require_writing(request.scope)
    query = HttpQuery(site.repositories, values, visible=visible_to(request.scope))
    work = partial(_answer_in_thread, page, site, query, site.visit(request))
    return await site.workers.run(work, is_write=page.is_form)


def _answer_in_thread(page: PageRoute, site: ServedPages, query: HttpQuery, visit: Visit) -> Response:
    with site.repositories.changing() if page.is_form else nullcontext():
        answer = page.answer_in_session
        found = answer_or_wait(answer, page.waiting, query) if page.waiting else answer(query, show_nothing)
    if isinstance(found, Redirect):
        return RedirectResponse(visit.prefix + found.location, 303)
    name = query.get("picture")
    return page_response(found, visit) if name is None else picture_response(found, name)


class _Work(NamedTuple):
    """A page that is being made, and how far that is: what is done, how many of how many."""

    result: Future[WebPage | Redirect]
    progress: list[tuple[str, int, int]]


def answer_or_wait(answer: PageAnswer, what: str, query: HttpQuery, seconds: float = SECONDS) -> WebPage | Redirect:
    """Answer in time, or show a page that says what is being done and waits for the answer."""
    key = answer, query.folder, tuple(sorted(query.values.items())), query.visible
    work = _find_or_start(key, answer, query)
    try:
        found = work.result.result(seconds)
    except TimeoutError:
        if not work.result.done():
            return _waiting_page(what, work)
        _forget(key)
        raise
    except BaseException:
        _forget(key)
        raise
    _forget(key)
    return found


def _find_or_start(key: object, answer: PageAnswer, query: HttpQuery) -> _Work:
    with _lock:
        if key not in _works:
            _make_room()
            _works[key] = _start(answer, query)
        return _works[key]


def _make_room() -> None:
    """Results that were not asked for again are dropped, the oldest first."""
    done = [key for key, work in _works.items() if work.result.done()]
    for key in done[: max(len(_works) - _MOST_HELD, 0)]:
        del _works[key]
    if len(_works) - len(done) >= _MOST_RUNNING:
        raise RequestError("busy", "too many pages that take long are being made; try again later")


def _forget(key: object) -> None:
    with _lock:
        _works.pop(key, None)


def _start(answer: PageAnswer, query: HttpQuery) -> _Work:
    work = _Work(Future(), [])
    Thread(target=_fill, args=(work, answer, query), daemon=True).start()
    return work


def _fill(work: _Work, answer: PageAnswer, query: HttpQuery) -> None:
    def note(stage: str, done: int, total: int) -> None:
        work.progress[:] = [(stage, done, total)]

    try:
        work.result.set_result(answer(query, lambda: nullcontext(note)))
    except BaseException as error:  # Raised where the result is awaited.
        work.result.set_exception(error)


def _waiting_page(what: str, work: _Work) -> WebPage:
    return WebPage("waiting.html", what, {"what": what, "progress": work.progress[:1]}, status=_ACCEPTED)
