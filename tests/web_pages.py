"""Pages of a repository without a network, as a browser that is signed in asks for them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

from asgi import Client, Reply
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.web.sign_in import BrowserSecrets, SignInLink
from birthmark.surfaces.web.site import make_site

TOKEN, PORT = b"t" * 43, 7433
HOST = ("Host", f"127.0.0.1:{PORT}")
SECRETS = BrowserSecrets.of(TOKEN, PORT)._replace(link=SignInLink.make()._replace(code="c" * 32))
COOKIE = ("Cookie", f"{SECRETS.cookie_name}={SECRETS.cookie}")
FORM = ("Content-Type", "application/x-www-form-urlencoded")


def site_of(root: Path, *headers: tuple[str, str]) -> Client:
    """By default with the cookie of a browser that is signed in."""
    return Client(make_site(root, Hosts.of(PORT), SECRETS), [HOST, *(headers or (COOKIE,))])


def send_form(client: Client, path: str, token: str = SECRETS.form_token, **fields: str) -> Reply:
    body = urlencode({"form_token": token, **fields}).encode()
    return client.send("POST", path, [*client.headers, FORM], [body])


def shown(reply: Reply, status: int = 200) -> str:
    """The HTML of a page, which must be complete and well-formed."""
    assert reply.status == status, reply.body.decode()
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    html = reply.body.decode()
    check_html(html)
    return html


def text_of(html: str) -> str:
    """What a reader sees, in one line."""
    found = _Text()
    found.feed(html)
    return re.sub(r"\s+", " ", "".join(found.texts)).strip()


def links_in(html: str) -> set[str]:
    found = _Text()
    found.feed(html)
    return found.links


def posted_to(html: str) -> list[str]:
    """Where the forms and buttons of a page send something to be written."""
    found = _Posted()
    found.feed(html)
    return found.addresses


class _Posted(HTMLParser):
    """A search, and a dialog that is closed, are forms as well, but nothing is posted by them."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "post" in (given.get("method", "").lower(), given.get("formmethod", "").lower()):
            self.addresses.append(given.get("formaction") or given.get("action", ""))


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links |= {value for name, value in attrs if name in ("href", "src", "action") and value}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


_VOID = {"meta", "link", "input", "img", "br", "hr"}


class _Nesting(HTMLParser):
    """Finds elements that are not closed, scripts and styles inside of the page, and ids that are there twice."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._check(tag, attrs)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._check(tag, attrs)
        if tag not in _VOID:
            self.open.append(tag)

    def _check(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        assert not any(name.startswith("on") for name in names), (tag, attrs)
        assert "style" not in names, (tag, attrs)
        assert tag not in ("style", "iframe", "object", "base"), tag
        assert tag != "script" or "src" in names, "a script inside of the page"
        self.ids += [value for name, value in attrs if name == "id" and value is not None]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes something else"


def check_html(html: str) -> None:
    nesting = _Nesting()
    nesting.feed(html)
    assert nesting.open == []
    assert len(nesting.ids) == len(set(nesting.ids)), sorted(nesting.ids)
