"""The application with its pages: the table of pages behind the guards of the JSON routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from secrets import compare_digest
from typing import NamedTuple
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send

from birthmark.app.workspace.refresh import refreshing
from birthmark.surfaces.formats.pictures.svg import standalone
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.errors import RequestError, explain_error
from birthmark.surfaces.http.guards import BrowserAccess, Hosts, is_json_path
from birthmark.surfaces.http.requests import HttpQuery, Param, read_values
from birthmark.surfaces.http.workers import Workers
from birthmark.surfaces.web import links
from birthmark.surfaces.web.page import PageRoute, Redirect, WebPage
from birthmark.surfaces.web.rendering import ASSET_TYPES, Visit, asset_version, read_asset, render_page
from birthmark.surfaces.web.routes import PAGES
from birthmark.surfaces.web.sign_in import BrowserSecrets

_HTML, _SVG = "text/html; charset=utf-8", "image/svg+xml"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_SAVED_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_FOREVER = "private, max-age=31536000, immutable"
_YEAR = 365 * 24 * 3600
_MOST_FIELDS = 100
_PICTURE = Param("picture", "The name of a picture on the page, to be saved.")
_ANY_PATH = Param("path", "Whatever was asked for.", default="", location="path")
_FORM_TOKEN = Param("form_token", "The token of forms.", True)


class Site(NamedTuple):
    """What all endpoints share."""

    folder: Path
    token: bytes
    secrets: BrowserSecrets
    workers: Workers

    def visit(self, request: Request) -> Visit:
        query = f"?{request.url.query}" if request.url.query else ""
        return Visit(self.folder.name, request.url.path + query, self.secrets.form_token)


def make_site(
    folder: Path, token: bytes, hosts: Hosts, secrets: BrowserSecrets, workers: Workers | None = None
) -> Starlette:
    site = Site(folder, token, secrets, workers or Workers())
    browsers = BrowserAccess(
        f"{secrets.cookie_name}={secrets.cookie}".encode(),
        (links.SIGN_IN, links.ASSETS),
        partial(_refuse, site),
    )
    pages = [
        StarletteRoute(f"{links.ASSETS}/{{name}}", _send_asset, methods=["GET"]),
        StarletteRoute(links.SIGN_IN, partial(_sign_in, site), methods=["GET", "POST"]),
        *(StarletteRoute(page.path, _endpoint(page, site), methods=[_method(page)]) for page in PAGES),
        StarletteRoute("/{path:path}", _endpoint(PageRoute("", _find_nothing, (_ANY_PATH,)), site), methods=["GET"]),
    ]
    return make_app(folder, token, hosts, site.workers, pages, browsers)


def _method(page: PageRoute) -> str:
    return "POST" if page.is_form else "GET"


def _find_nothing(query: HttpQuery) -> WebPage:
    raise RequestError("not_found", f"/{query.values['path']}: there is no such page")


def _endpoint(page: PageRoute, site: Site) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            return await _answer(page, site, request)
        except Exception as error:  # Each becomes a page.
            if is_json_path(request.url.path):
                raise HTTPException(404) from error
            return _error_page(site, request, error)

    return answer


async def _answer(page: PageRoute, site: Site, request: Request) -> Response:
    given = request.query_params.multi_items()
    if page.is_form:
        given = await _read_form(request)
    params = (*page.params, _FORM_TOKEN if page.is_form else _PICTURE)
    values = read_values(params, given, request.path_params)
    if page.is_form and not site.secrets.allows_form(values["form_token"]):
        raise RequestError("forbidden_origin", "the form is of another time or page; open the page again")
    work = partial(_answer_in_thread, page, HttpQuery(site.folder, values), site.visit(request))
    return await site.workers.run(work, is_write=page.is_form)


def _answer_in_thread(page: PageRoute, query: HttpQuery, visit: Visit) -> Response:
    with refreshing():
        found = page.answer(query)
    if isinstance(found, Redirect):
        return RedirectResponse(found.location, 303)
    name = query.get("picture")
    return _page_response(found, visit) if name is None else _picture_response(found, name)


def _page_response(page: WebPage, visit: Visit) -> Response:
    return Response(render_page(page, visit), page.status, {"Content-Security-Policy": _POLICY}, _HTML)


def _picture_response(page: WebPage, name: str) -> Response:
    picture = page.pictures.get(name)
    if picture is None:
        raise RequestError("not_found", f"{name}: there is no such picture on this page")
    file = "".join(c if c.isalnum() or c in "-._" else "-" for c in picture.name)
    headers = {
        "Content-Disposition": f'attachment; filename="{file.encode("ascii", "replace").decode()}.svg"',
        "Content-Security-Policy": _SAVED_POLICY,
    }
    return Response(standalone(picture), 200, headers, _SVG)


def _error_page(site: Site, request: Request, error: Exception) -> Response:
    found = explain_error(error)
    page = WebPage("error.html", "Not found" if found.status == 404 else "Not possible", {"error": found})
    return _page_response(page._replace(status=found.status), site.visit(request))


async def _read_form(request: Request) -> list[tuple[str, str]]:
    try:
        text = (await request.body()).decode()
        return parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError as error:
        raise RequestError("bad_request", "the form cannot be read") from error


async def _send_asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in ASSET_TYPES:
        raise RequestError("not_found", f"{name}: there is no such file")
    is_current = request.query_params.get("v") == asset_version(name)
    headers = {"Cache-Control": _FOREVER} if is_current else None
    return Response(read_asset(name), 200, headers, ASSET_TYPES[name])


# Access


async def _sign_in(site: Site, request: Request) -> Response:
    """By the code of the printed link, or by the token in a form."""
    if request.method == "POST":
        try:
            fields = dict(await _read_form(request))
        except RequestError as error:
            return _error_page(site, request, error)
        is_known = compare_digest(fields.get("token", "").strip().encode(), site.token)
    else:
        is_known = site.secrets.allows_code(request.query_params.get("code", ""))
    if not is_known:
        return _sign_in_page(site, request, "token" if request.method == "POST" else request.query_params.get("code"))
    response = RedirectResponse("/", 303)
    is_secure = request.headers.get("x-forwarded-proto") == "https"
    response.set_cookie(
        site.secrets.cookie_name,
        site.secrets.cookie,
        max_age=_YEAR,
        path="/",
        secure=is_secure,
        httponly=True,
        samesite="strict",
    )
    return response


def _sign_in_page(site: Site, request: Request, refused: str | None) -> Response:
    page = WebPage("sign_in.html", "Sign in", {"was_refused": bool(refused)}, status=401)
    return _page_response(page, site.visit(request)._replace(repository="", address=links.SIGN_IN))


async def _refuse(site: Site, scope: Scope, receive: Receive, send: Send) -> None:
    """What a browser without the cookie gets for a page."""
    await _sign_in_page(site, Request(scope), None)(scope, receive, send)
