"""One server for all repositories of a fleet: what a server of one has, below `/repositories/NAME`, and a list of them.

The name is one segment of the path, percent-encoded. The guards are passed once, for the path below the repository;
the application of a repository is made when it is first asked for.
"""

from __future__ import annotations

import socket
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Annotated, Generic, TypeVar
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from birthmark.app.serving.beside import SharedValue
from birthmark.app.serving.shared_repositories import SharedRepositories, check_worktree
from birthmark.app.workspace.freshness import CheckedWorktree
from birthmark.app.workspace.stores import index_identity, open_index
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.documents.document import Document, doc, encode_line
from birthmark.server.fleet.catalog import (
    CatalogReader,
    FleetRepository,
    default_mirrors,
    fleet_url,
    folder_of,
    write_name,
)
from birthmark.server.serving.hooks import HOOKS, announce_push, answer_hook
from birthmark.sources.config import load_settings
from birthmark.sources.git.refs import read_git_state
from birthmark.store.model import Snapshot
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
MountedSite = tuple[Starlette, SharedRepositories]
LISTING = f"/v1{REPOSITORIES}"
_INDEX = "/v1/index"
_MOST_OPEN = 32
_SECONDS = 2.0  # for which the catalog is used


def run_many(options: SiteOptions, listener: socket.socket, url: str, mirrors: Path | None, n_processes: int) -> None:
    """Serve all repositories of the fleet in a database, until a signal stops it."""
    mirrors = (mirrors or default_mirrors()).absolute()
    run(partial(_start, url=url, mirrors=mirrors), options, listener, n_processes)


def _start(options: SiteOptions, url: str, mirrors: Path) -> Starlette:
    begin_process()
    about = options.folder, options.hosts, options.secrets, Workers(options.time_limit)
    announce = partial(announce_push, url)
    load = CatalogReader(url).read
    return make_many(*about, load, mirrors, options.monitoring, announce, allow_notes=options.allow_notes)


def make_many(
    folder: Path,
    hosts: Hosts,
    secrets: BrowserSecrets,
    workers: Workers,
    load: Callable[[], Sequence[FleetRepository]],
    mirrors: Path,
    monitoring: Monitoring | None = None,
    announce: Callable[[Sequence[str]], list[str]] = lambda addresses: [],
    *,
    allow_notes: bool = False,
) -> Starlette:
    """`folder` is where the server runs; `load` reads the catalog, `announce` marks what was pushed.

    Nothing is indexed: `birthmark fleet` does that.
    """
    monitoring, persons = monitoring or Monitoring(), known_persons(folder, secrets.token)

    def open_site(one: FleetRepository) -> MountedSite:
        folder = folder_of(one, mirrors)
        write_name(folder, one.name, one.ref)
        repositories = SharedRepositories(folder, check=MirrorCheck())
        of_server = hosts, secrets, workers
        guards = [Middleware(SafeHeaders)]
        site = make_site(folder, *of_server, repositories, persons=persons, guards=guards, allow_notes=allow_notes)
        return site, repositories

    sites = FewOpen(open_site, lambda site: site[1].close(), _MOST_OPEN)
    many = ServedMany(SharedValue(lambda: {one.name: one for one in load()}, _SECONDS), sites, workers, mirrors)
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
            Middleware(below_repository),
            *all_guards(monitoring, many.look, hosts, access),
            Middleware(many.around),
        ],
        lifespan=many.closing,
        exception_handlers=HANDLERS,
    )


def below_repository(app: ASGIApp) -> ASGIApp:
    """A path below a repository becomes that path, and the repository is put into the scope."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            place_below_repository(scope)
        await app(scope, receive, send)

    return answer


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
        self,
        catalog: SharedValue[dict[str, FleetRepository]],
        sites: FewOpen[MountedSite],
        workers: Workers,
        mirrors: Path,
    ) -> None:
        self.catalog, self.sites, self.workers, self.mirrors = catalog, sites, workers, mirrors

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
        if not self._is_here(found):
            raise RequestError("not_found", f"{name}: is not on this machine yet; run `birthmark fleet refresh`")
        return self.sites.get(found)[0]

    def _is_here(self, one: FleetRepository) -> bool:
        return folder_of(one, self.mirrors).is_dir()

    def serves(self, rights: Rights, name: str) -> bool:
        """Return whether a page may link to the repository. Runs in a thread."""
        found = self.catalog.get().get(name) if rights.sees(name) else None
        return found is not None and self._is_here(found)

    async def answer_list(self, request: Request) -> Response:
        return Response(encode_line(await self._document(request)), media_type="application/json")

    async def show_list(self, request: Request) -> Response:
        document = await self._document(request)
        page = WebPage("repositories.html", "Repositories", {"repositories": document.items})
        return page_response(page, Visit("", REPOSITORIES, ""))

    async def _document(self, request: Request) -> RepositoriesDocument:
        rights: Rights = request.scope[RIGHTS]
        catalog = await self.workers.run(self.catalog.get)
        seen = [one for one in catalog.values() if rights.sees(one.name)]
        return RepositoriesDocument(
            [
                ServedRepositoryDocument(one.name, repository_link(one.name), one.indexed or None, self._is_here(one))
                for one in seen
            ]
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


Opened = TypeVar("Opened")


class FewOpen(Generic[Opened]):
    """A cache that keeps the `most` recently used repositories open."""

    def __init__(
        self, open_: Callable[[FleetRepository], Opened], close: Callable[[Opened], object], most: int
    ) -> None:
        self._open, self._close, self._most = open_, close, most
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._lock = Lock()

    def get(self, repository: FleetRepository) -> Opened:
        with self._lock:
            if repository.name not in self._opened:
                self._opened[repository.name] = self._open(repository)
            self._opened.move_to_end(repository.name)
            closed = self._opened.popitem(last=False)[1] if len(self._opened) > self._most else None
            found = self._opened[repository.name]
        if closed is not None:
            self._close(closed)
        return found

    def close(self) -> None:
        with self._lock:
            while self._opened:
                self._close(self._opened.popitem()[1])


class MirrorCheck:
    """The counterpart of `check_worktree` for one mirror."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: tuple[object, CheckedWorktree] | None = None

    def __call__(self, folder: Path, refreshes: bool) -> CheckedWorktree:
        with self._lock:
            state = _read_state(folder)
            if self._known is None or self._known[0] != state:
                self._known = state, check_worktree(folder, refreshes=False)
            return self._known[1]


def _read_state(folder: Path) -> object:
    """Return everything that the result of the check depends on."""
    workspace = find_workspace(folder)
    root = workspace.root
    return workspace, read_git_state(root), load_settings(root), index_identity(workspace), _find_snapshot(workspace)


def _find_snapshot(workspace: Workspace) -> Snapshot | None:
    store = open_index(workspace)
    if store is None:
        return None
    with closing(store):
        return store.snapshot(workspace.worktree)


# Documents


class ServedRepositoryDocument(Document, frozen=True):
    """A repository that a server has."""

    name: str
    address: Annotated[str, doc("the path below which its routes and pages are")]
    indexed: Annotated[str | None, doc("the commit that is indexed; null: none yet")]
    available: Annotated[bool, doc("whether this machine has its mirror; else it cannot be asked here")]


class RepositoriesDocument(Document, frozen=True):
    """All repositories that the token may see, by name."""

    items: list[ServedRepositoryDocument]
