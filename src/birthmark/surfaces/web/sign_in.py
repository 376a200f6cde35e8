"""How a browser gets access: a link, or a token in a form, sets a cookie once.

All secrets of browsers are derived from the token of the server, so that nothing has to be stored. The link has a code
that is good until the server stops; the cookie holds until the token is replaced, that of a person until theirs is
removed.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from birthmark.app.serving.person_tokens import OWNER
from birthmark.surfaces.http.access.guards import BrowserAccess
from birthmark.surfaces.http.access.persons import Persons
from birthmark.surfaces.http.access.token import derive_secret
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.forms import read_fields
from birthmark.surfaces.web.links import ASSETS, SIGN_IN
from birthmark.surfaces.web.page import WebPage
from birthmark.surfaces.web.rendering import Visit
from birthmark.surfaces.web.responses import error_page, page_response

_YEAR = 365 * 24 * 3600
_STRANGER = Visit("", SIGN_IN, "")  # is shown nothing of the repository


class BrowserSecrets(NamedTuple):
    """What a browser may send instead of the token."""

    token: bytes
    cookie_name: str
    cookie: str
    form_token: str  # in every form, so that no other page can send one
    code: str  # in the link that is printed

    @classmethod
    def of(cls, token: bytes, port: int) -> BrowserSecrets:
        """Cookies do not know of ports, so their names do."""
        names = f"birthmark-{port}", derive_secret(token, "cookie"), derive_secret(token, "form")
        return cls(token, *names, secrets.token_urlsafe(24))

    def form_token_of(self, person: str) -> str:
        """Of a person alone, so that no other one can make a form for them."""
        return self.form_token if person == OWNER else derive_secret(self.token, f"form {person}")

    def allows_form(self, form_token: str, person: str) -> bool:
        return _is_same(form_token, self.form_token_of(person).encode())

    @property
    def access(self) -> BrowserAccess:
        return BrowserAccess(self.cookie_name.encode(), self.cookie.encode(), (SIGN_IN, ASSETS), refuse, _explain)


def _is_same(given: str, expected: bytes) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), expected)


async def sign_in(browsers: BrowserSecrets, persons: Persons, request: Request) -> Response:
    """By the code of the printed link, or by a token in a form."""
    try:
        fields = dict(await read_fields(request)) if request.method == "POST" else dict(request.query_params)
    except RequestError as error:
        return error_page(error, _STRANGER)
    name = "token" if request.method == "POST" else "code"
    cookie = await to_thread.run_sync(_cookie_for, browsers, persons, name, fields.get(name, "").strip())
    if cookie is None:
        return _sign_in_page(was_refused=name in fields)
    response = RedirectResponse("/", 303)
    response.set_cookie(browsers.cookie_name, cookie, max_age=_YEAR, httponly=True, samesite="strict")
    return response


def _cookie_for(browsers: BrowserSecrets, persons: Persons, name: str, given: str) -> str | None:
    """Runs in a thread, since tokens may have to be read."""
    if _is_same(given, {"token": browsers.token, "code": browsers.code.encode()}[name]):
        return browsers.cookie
    return persons.cookie_for(given.encode("utf-8", "replace")) if name == "token" and given else None


async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """What a browser without the cookie gets for a page."""
    await _sign_in_page(was_refused=False)(scope, receive, send)


def _explain(error: Exception) -> Response:
    return error_page(error, _STRANGER)


def _sign_in_page(*, was_refused: bool) -> Response:
    return page_response(WebPage("sign_in.html", "Sign in", {"was_refused": was_refused}, status=401), _STRANGER)
