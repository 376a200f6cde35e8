"""From a page to HTML, by templates that escape whatever they are given."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from birthmark.app.across import place_elsewhere
from birthmark.documents.wording import state_name
from birthmark.surfaces.formats.pictures.svg import embedded, page_rules
from birthmark.surfaces.http.access.feed_keys import feed_path
from birthmark.surfaces.text import fit_middle
from birthmark.surfaces.web import links
from birthmark.surfaces.web.highlighting import highlight, line_rows
from birthmark.surfaces.web.page import WebPage
from birthmark.words import amount, count, lines_of, short, visible

ASSET_TYPES = {"style.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}


def serves_no_other(repository: str) -> bool:
    """As a server of one repository."""
    return False


class Visit(NamedTuple):
    """What all pages have of the request: the repository's name, the address, and the token of its forms.

    Those who only read have no forms, and strangers have none either."""

    repository: str
    address: str  # path and query
    form_token: str
    writes: bool = False
    prefix: str = ""  # of all addresses of the repository, at a server that has many
    feed_address: Callable[..., str] = feed_path  # of a subscription's id, or of all; with a key for the reader
    serves: Callable[[str], bool] = serves_no_other  # whether another repository is at this server, for who asks


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
        "day": _day,
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


def _day(date: str | int) -> str:
    """The day of a date as documents have it: text, or Unix seconds."""
    return _instant(date)[:10]


def _instant(date: str | int) -> str:
    if isinstance(date, str):
        return date[:16].replace("T", " ")
    try:
        return datetime.fromtimestamp(date).astimezone().isoformat()[:16].replace("T", " ")
    except (ValueError, OverflowError, OSError):
        return ""
