"""Responses of pages: HTML with its policy, pictures to be saved, errors as pages, and assets."""

from __future__ import annotations

import re

from starlette.responses import Response

from birthmark.surfaces.formats.pictures.svg import standalone
from birthmark.surfaces.http.errors import explain_error
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.page import WebPage
from birthmark.surfaces.web.rendering import ASSET_TYPES, Visit, asset_version, read_asset, render_page

_HTML, _SVG = "text/html; charset=utf-8", "image/svg+xml"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_SAVED_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_ADDRESS = re.compile(rb'(\b(?:href|src|action|formaction|data-events)=")(?=/(?!repositories|assets/|sign-in))')
_FOREVER = "private, max-age=31536000, immutable"


def page_response(page: WebPage, visit: Visit) -> Response:
    """With `no-referrer`, which other answers have, browsers would hide the origin of its forms."""
    headers = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "same-origin"}
    return Response(place_below(visit.prefix, render_page(page, visit)), page.status, headers, _HTML)


def place_below(prefix: str, html: bytes) -> bytes:
    """The addresses of a page below a prefix; texts have no such attributes, since their quotes are escaped."""
    return _ADDRESS.sub(rb"\1" + prefix.encode(), html) if prefix else html


def error_page(error: Exception, visit: Visit) -> Response:
    found = explain_error(error)
    title = "Not found" if found.status == 404 else "Not possible"
    return page_response(WebPage("error.html", title, {"error": found}, status=found.status), visit)


def picture_response(page: WebPage, name: str) -> Response:
    """A picture of a page as a file."""
    picture = page.pictures.get(name)
    if picture is None:
        raise RequestError("not_found", f"{name}: there is no such picture on this page")
    file = "".join(c if c.isascii() and (c.isalnum() or c in "-._") else "-" for c in picture.name)
    disposition = f'attachment; filename="{file}.svg"'
    headers = {"Content-Disposition": disposition, "Content-Security-Policy": _SAVED_POLICY}
    return Response(standalone(picture), 200, headers, _SVG)


def asset_response(name: str, version: str | None) -> Response:
    """Browsers keep it, where its address names its version."""
    if name not in ASSET_TYPES:
        raise RequestError("not_found", f"{name}: there is no such file")
    headers = {"Cache-Control": _FOREVER} if version == asset_version(name) else None
    return Response(read_asset(name), 200, headers, ASSET_TYPES[name])
