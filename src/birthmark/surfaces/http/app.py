"""The application: the table of routes behind its guards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.documents.document import encode_line
from birthmark.surfaces.arguments import read_values
from birthmark.surfaces.http.access.guards import AGENTS, Access, BrowserAccess, Hosts, guards_of
from birthmark.surfaces.http.access.persons import Persons, RateLimit, known_persons, name_of, visible_to
from birthmark.surfaces.http.access.token import ALL_FEED, FEED
from birthmark.surfaces.http.errors import describe_error
from birthmark.surfaces.http.observation import TEMPLATE, Health, Monitoring, Observed, make_observers
from birthmark.surfaces.http.routes.feeds import answer_feed, stream_events
from birthmark.surfaces.http.routes.openapi import describe_routes
from birthmark.surfaces.http.routes.requests import HttpQuery, read_body
from birthmark.surfaces.http.routes.routes import DESCRIPTION, EVENTS, PREFIX, ROUTES, Route
from birthmark.surfaces.server_part import telemetry
from birthmark.surfaces.workers import Workers

METRICS = "/metrics"
_Endpoint = Callable[[Request], Awaitable[Response]]
QUESTIONS = frozenset(PREFIX + route.path for route in ROUTES if route.is_question) | {AGENTS}


def make_app(
    folder: Path,
    token: bytes,
    hosts: Hosts,
    workers: Workers | None = None,
    pages: Sequence[StarletteRoute] = (),
    browsers: BrowserAccess | None = None,
    repositories: SharedRepositories | None = None,
    monitoring: Monitoring | None = None,
    persons: Persons | None = None,
    guards: Sequence[Middleware] | None = None,
) -> Starlette:
    """`folder` is in the repository that is served; without `repositories` it is looked at for each request.

    `guards` are there instead of all, where others were passed before."""
    workers, repositories = workers or Workers(), repositories or SharedRepositories(folder, max_age=0.0)
    monitoring, look = monitoring or Monitoring(), partial(workers.run, repositories.look_at_index)
    events = stream_events(repositories.events, look)
    feed = answer_feed(repositories, workers)
    own = {DESCRIPTION: _describe, EVENTS: events, ALL_FEED: feed, FEED: feed}
    endpoints: dict[str, dict[str, _Endpoint]] = {path: {"GET": answer} for path, answer in own.items()}
    for route in ROUTES:
        endpoints.setdefault(PREFIX + route.path, {})[route.method] = _endpoint(route, repositories, workers)
    if monitoring.has_metrics:
        endpoints[METRICS] = {"GET": telemetry().send_metrics}
    if guards is None:
        access = Access(token, persons or known_persons(folder, token), browsers, name_of(folder), QUESTIONS)
        guards = all_guards(monitoring, look, hosts, access)
    app = Starlette(
        routes=[
            *(StarletteRoute(path, _by_method(path, here), methods=list(here)) for path, here in endpoints.items()),
            *pages,
        ],
        middleware=list(guards),
        exception_handlers=HANDLERS,
    )
    app.router.redirect_slashes = False
    return app


def all_guards(
    monitoring: Monitoring, look: Callable[[], Awaitable[bool]], hosts: Hosts, access: Access
) -> list[Middleware]:
    """Return the middleware of a server: observers, health checks and access checks."""
    rate = [Middleware(RateLimit, rate=monitoring.rate)] if monitoring.rate else []
    return [
        Middleware(Observed, observers=make_observers(monitoring)),
        Middleware(Health, look=look),
        *guards_of(hosts, access, rate),
    ]


def _by_method(template: str, endpoints: dict[str, _Endpoint]) -> _Endpoint:
    async def answer(request: Request) -> Response:
        request.scope[TEMPLATE] = template
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return answer


def _endpoint(route: Route, repositories: SharedRepositories, workers: Workers) -> _Endpoint:
    async def answer(request: Request) -> Response:
        values = read_values(route.params, request.query_params.multi_items(), request.path_params)
        body = read_body(route.body, await request.body())
        query = HttpQuery(repositories, values, body, visible_to(request.scope))
        content, status = await workers.run(partial(_answer, route, query, repositories), is_write=route.is_write)
        return Response(content, status, media_type="application/json")

    return answer


def _answer(route: Route, query: HttpQuery, repositories: SharedRepositories) -> tuple[bytes, int]:
    """Runs in a thread."""
    with repositories.changing() if route.is_write else nullcontext():
        document = route.answer(query)
    return encode_line(document), route.status_of(document)


async def _describe(request: Request) -> Response:
    return Response(encode_line(describe_routes()), media_type="application/json")


async def _error_response(request: Request, error: Exception) -> Response:
    return describe_error(error)


HANDLERS = {404: _error_response, 405: _error_response}
