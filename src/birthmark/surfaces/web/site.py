"""The application with its pages: the table of pages behind the guards of the JSON routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.freshness import show_nothing
from birthmark.surfaces.arguments import Param, read_values
from birthmark.surfaces.http.access.guards import AGENTS, Hosts, is_json_path
from birthmark.surfaces.http.access.persons import Persons, known_persons, may_write, require_writing, visible_to
from birthmark.surfaces.http.access.token import feed_path, feed_purpose
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.observation import PERSON, PREFIX, REPOSITORY, SERVES, TEMPLATE, Monitoring
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.background import answer_or_wait
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


_PICTURE = Param("picture", "The name of a picture on the page, to be saved.")
_ANY_PATH = Param("path", "Whatever was asked for.", default="", location="path")
_FORM_TOKEN = Param("form_token", "The token of forms.", True)


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
            raise HTTPException(404)
        try:
            return await _answer(page, site, request)
        except Exception as error:  # Each becomes a page.
            return error_page(error, site.visit(request))

    return answer


async def _answer(page: PageRoute, site: ServedPages, request: Request) -> Response:
    given = await read_fields(request) if page.is_form else request.query_params.multi_items()
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
