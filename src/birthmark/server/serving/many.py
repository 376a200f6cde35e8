"""One server for all repositories of a fleet: what a server of one has, below `/repositories/NAME`, and a list of them.

The name is one segment of the path, percent-encoded. The guards are passed once, for the path below the repository;
the application of a repository is made when it is first asked for.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from birthmark.app.serving.beside import SharedValue
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.documents.document import encode_line
from birthmark.server.fleet.catalog import CatalogReader, default_mirrors, fleet_url
from birthmark.server.serving.hooks import HOOKS, announce_push, answer_hook
from birthmark.server.serving.served_repositories import (
    FewOpen,
    MirrorCheck,
    RepositoriesDocument,
    ServedRepository,
    repositories_document,
    served_repositories,
)
from birthmark.surfaces.http.access.guards import Access, Hosts, SafeHeaders
from birthmark.surfaces.http.access.persons import RIGHTS, Rights, known_persons
from birthmark.surfaces.http.app import HANDLERS, QUESTIONS, all_guards
from birthmark.surfaces.http.observation import PREFIX, REPOSITORY, SERVES, Monitoring
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.links import ASSETS, REPOSITORIES, SIGN_IN, repository_link
from birthmark.surfaces.web.page import WebPage
from birthmark.surfaces.web.rendering import Visit, asset_response, page_response
from birthmark.surfaces.web.serving import SiteOptions, begin_process, run
from birthmark.surfaces.web.sign_in import BrowserSecrets, sign_in
from birthmark.surfaces.web.site import make_site
from birthmark.surfaces.workers import Workers

__all__ = ["fleet_url", "make_many", "run_many"]
LISTING = f"/v1{REPOSITORIES}"
_INDEX = "/v1/index"
_MOST_OPEN = 32
_SECONDS = 2.0  # for which the catalog is used


class _MountedSite(NamedTuple):
    app: Starlette
    repositories: SharedRepositories


def run_many(options: SiteOptions, listener: socket.socket, url: str, mirrors: Path | None, n_processes: int) -> None:
    """Serve all repositories of the fleet in a database, until a signal stops it."""
    mirrors = (mirrors or default_mirrors()).absolute()
    run(partial(_start, url=url, mirrors=mirrors), options, listener, n_processes)


def _start(options: SiteOptions, url: str, mirrors: Path) -> Starlette:
    begin_process()
    load = partial(served_repositories, CatalogReader(url), mirrors)
    about = options.folder, options.hosts, options.secrets, Workers(options.time_limit)
    announce = partial(announce_push, url)
    return make_many(*about, load, options.monitoring, announce, allow_notes=options.allow_notes)


def make_many(
    folder: Path,
    hosts: Hosts,
    secrets: BrowserSecrets,
    workers: Workers,
    load: Callable[[], Sequence[ServedRepository]],
    monitoring: Monitoring | None = None,
    announce: Callable[[Sequence[str]], list[str]] = lambda addresses: [],
    *,
    allow_notes: bool = False,
) -> Starlette:
    """`folder` is where the server runs; `load` reads the catalog, `announce` marks what was pushed."""
    monitoring, persons = monitoring or Monitoring(), known_persons(folder, secrets.token)

    def open_site(one: ServedRepository) -> _MountedSite:
        repositories = SharedRepositories(one.folder, check=MirrorCheck())
        of_server = hosts, secrets, workers
        guards = [Middleware(SafeHeaders)]
        site = make_site(one.folder, *of_server, repositories, persons=persons, guards=guards, allow_notes=allow_notes)
        return _MountedSite(site, repositories)

    sites = FewOpen(open_site, lambda site: site.repositories.close(), _MOST_OPEN)
    many = ServedMany(SharedValue(lambda: {one.name: one for one in load()}, _SECONDS), sites, workers)
    browsers = secrets.access._replace(open_paths=(*secrets.access.open_paths, HOOKS))
    access = Access(secrets.token, persons, browsers, None, QUESTIONS)
    return Starlette(
        routes=[
            Route("/", _to_list, methods=["GET"]),
            Route(REPOSITORIES, many.show_list, methods=["GET"]),
            Route(LISTING, many.answer_list, methods=["GET"]),
            Route(f"{HOOKS}/{{forge}}", answer_hook(announce, workers), methods=["POST"]),
            Route(f"{ASSETS}/{{name}}", _send_asset, methods=["GET"]),
            Route(SIGN_IN, partial(sign_in, secrets, persons), methods=["GET", "POST"]),
        ],
        middleware=[
            Middleware(BelowRepository),
            *all_guards(monitoring, many.look, hosts, access),
            Middleware(many.around),
        ],
        lifespan=many.closing,
        exception_handlers=HANDLERS,
    )


class BelowRepository:
    """A path below a repository becomes that path, and the repository is put into the scope."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            place_below_repository(scope)
        await self.app(scope, receive, send)


def place_below_repository(scope: Scope) -> None:
    """By the path as it was sent, in which a slash of a name is encoded."""
    parts = (scope.get("raw_path") or quote(scope["path"]).encode()).split(b"?")[0].split(b"/", 3)
    if len(parts) < 3 or parts[1] != REPOSITORIES[1:].encode() or not parts[2]:
        return
    name, rest = unquote(parts[2].decode("latin-1")), b"/" + (parts[3] if len(parts) > 3 else b"")
    scope["path"], scope["raw_path"] = unquote(rest.decode("latin-1")), rest
    scope[REPOSITORY], scope[PREFIX] = name, repository_link(name)


class ServedMany:
    """The catalog, and the applications of repositories."""

    def __init__(
        self, catalog: SharedValue[dict[str, ServedRepository]], sites: FewOpen[_MountedSite], workers: Workers
    ) -> None:
        self.catalog, self.sites, self.workers = catalog, sites, workers

    async def look(self) -> bool:
        await self.workers.run(self.catalog.get)
        return True

    def around(self, app: ASGIApp) -> ASGIApp:
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            found = app
            if scope["type"] == "http" and REPOSITORY in scope:
                if scope["path"] == _INDEX:
                    raise RequestError("not_found", "repositories of a fleet are indexed by `birthmark fleet refresh`")
                found = await self.workers.run(partial(self._find, scope[REPOSITORY], RIGHTS in scope))
                scope[SERVES] = partial(self.serves, scope[RIGHTS])
            await found(scope, receive, send)

        return answer

    def _find(self, name: str, is_known: bool) -> ASGIApp:
        """Runs in a thread. At open paths a stranger gets to know nothing."""
        found = self.catalog.get().get(name) if is_known else None
        if found is None:
            raise RequestError("not_found", f"{name}: there is no such repository")
        if not found.folder.is_dir():
            raise RequestError("not_found", f"{name}: is not on this machine yet; run `birthmark fleet refresh`")
        return self.sites.get(found).app

    def serves(self, rights: Rights, name: str) -> bool:
        """Return whether a page may link to the repository. Runs in a thread."""
        found = self.catalog.get().get(name) if rights.sees(name) else None
        return found is not None and found.folder.is_dir()

    async def answer_list(self, request: Request) -> Response:
        return Response(encode_line(await self._document(request)), media_type="application/json")

    async def show_list(self, request: Request) -> Response:
        document = await self._document(request)
        page = WebPage("repositories.html", "Repositories", {"repositories": document.items})
        return page_response(page, Visit("", REPOSITORIES, ""))

    async def _document(self, request: Request) -> RepositoriesDocument:
        rights: Rights = request.scope[RIGHTS]
        catalog = await self.workers.run(self.catalog.get)
        return repositories_document(
            [(one, repository_link(one.name)) for one in catalog.values() if rights.sees(one.name)]
        )

    @asynccontextmanager
    async def closing(self, app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            self.sites.close()


async def _to_list(request: Request) -> Response:
    return RedirectResponse(REPOSITORIES, 303)


async def _send_asset(request: Request) -> Response:
    return asset_response(request.path_params["name"], request.query_params.get("v"))
