"""Pages as HTML: templates, what they can call, and responses; and the fields of forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from birthmark.documents.wording import state_name
from birthmark.surfaces.formats.pictures.svg import embedded, page_rules, standalone
from birthmark.surfaces.http.access.token import feed_path
from birthmark.surfaces.http.errors import explain_error
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.text import fit_middle
from birthmark.surfaces.web import links
from birthmark.surfaces.web.highlighting import highlight, line_rows
from birthmark.surfaces.web.page import WebPage
from birthmark.words import amount, count, lines_of, place_elsewhere, short, visible

_MOST_FIELDS = 1000
ASSET_TYPES = {"style.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}


def serves_no_other(repository: str) -> bool:
    """Return False: a server of one repository links to no others."""
    return False


class Visit(NamedTuple):
    """The parts of the request that all pages need: the repository's name, the address, and the token of its forms.

    Those who only read have no forms, and strangers have none either."""

    repository: str
    address: str  # path and query
    form_token: str
    writes: bool = False
    prefix: str = ""  # of all addresses of the repository, at a server that has many
    feed_address: Callable[..., str] = feed_path  # of a subscription's id, or of all; with a key for the reader
    serves: Callable[[str], bool] = serves_no_other  # whether another repository is at this server, for who asks


_HTML, _SVG = "text/html; charset=utf-8", "image/svg+xml"

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_SAVED_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_ADDRESS = re.compile(rb'(\b(?:href|src|action|formaction|data-events)=")(?=/(?!repositories|assets/|sign-in))')
_FOREVER = "private, max-age=31536000, immutable"


async def read_fields(request: Request) -> list[tuple[str, str]]:
    """Those that are filled in."""
    try:
        text = (await request.body()).decode()
        return parse_qsl(text, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError as error:
        raise RequestError("bad_request", "the form cannot be read") from error


def render_page(page: WebPage, visit: Visit) -> bytes:
    template = _environment().get_template(page.template)
    values = {**page.values, "page": page, "visit": visit, "freshness": page.freshness, "title": page.title}
    return template.render(values).encode("utf-8", "replace")


@cache
def read_asset(name: str) -> bytes:
    """The stylesheet has the rules of pictures in front."""
    rules = page_rules().encode() if name.endswith(".css") else b""
    return rules + files("birthmark.surfaces.web").joinpath("assets", name).read_bytes()


@cache
def asset_version(name: str) -> str:
    """So that a browser can keep it until it changes."""
    return sha256(read_asset(name)).hexdigest()[:12]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("birthmark.surfaces.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "count": count,
        "amount": amount,
        "day": lambda date: _instant(date)[:10],
        "instant": _instant,
        "fit_middle": fit_middle,
        "short": short,
        "state_name": state_name,
        "visible": visible,
    }
    environment.globals |= {
        **{
            name: value
            for name, value in vars(links).items()
            if name.isupper() or name.endswith(("_link", "_links", "link_to"))
        },
        "asset": lambda name: links.link_to(links.ASSETS, name, v=asset_version(name)),
        "embedded": lambda picture: Markup(embedded(picture)),  # noqa: S704 - pictures escape what is in them
        "highlight": highlight,
        "line_rows": line_rows,
        "lines_of": lines_of,
        "place_elsewhere": place_elsewhere,
    }
    return environment


def _instant(date: str | int) -> str:
    """The minute of a date as documents have it: text, or Unix seconds."""
    if isinstance(date, str):
        return date[:16].replace("T", " ")
    try:
        return datetime.fromtimestamp(date).astimezone().isoformat()[:16].replace("T", " ")
    except (ValueError, OverflowError, OSError):
        return ""


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
