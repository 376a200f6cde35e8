"""Sign browsers in: a link, or a token in a form, sets a cookie once.

The link that is printed signs in one browser within ten minutes. The other secrets are derived from the token of the
server, so that nothing has to be stored: the cookie holds until the token is replaced, that of a user until theirs
is removed.
"""

from __future__ import annotations

import multiprocessing
import secrets
import time
from typing import Any, NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from birthmark.app.serving.user_tokens import OWNER
from birthmark.isolation import Outside
from birthmark.surfaces.http.access.guards import BrowserAccess
from birthmark.surfaces.http.access.persons import Persons
from birthmark.surfaces.http.access.token import derive_secret
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.links import ASSETS, SIGN_IN
from birthmark.surfaces.web.page import WebPage
from birthmark.surfaces.web.rendering import Visit, error_page, page_response, read_fields

LINK_SECONDS = 600.0
_YEAR = 365 * 24 * 3600
_WRONG = "That is not the token or the link of this server."
_OVER = (
    "This link signs in one browser within ten minutes, and was used or has expired. Paste the token below, "
    "or stop `birthmark serve` and start it again for a new link."
)
_STRANGER = Visit("", SIGN_IN, "")  # is shown nothing of the repository


class SignInLink(NamedTuple):
    """The code of a link, good once and for a time."""

    code: str
    expires: float
    used: Any  # in memory that all processes of a server share

    @classmethod
    def make(cls, seconds: float = LINK_SECONDS) -> SignInLink:
        with Outside():  # It is freed by a process of its own.
            used = multiprocessing.get_context("spawn").Value("b", 0)
        return cls(secrets.token_urlsafe(24), time.time() + seconds, used)

    def take(self) -> bool:
        """Use up the link; return False if it was used before or has expired."""
        with self.used.get_lock():
            was_used, self.used.value = self.used.value, 1
        return not was_used and time.time() < self.expires


class BrowserSecrets(NamedTuple):
    """The secrets that a browser may send instead of the token."""

    token: bytes
    cookie_name: str
    cookie: str
    form_token: str  # in every form, so that no other page can send one
    link: SignInLink

    @classmethod
    def of(cls, token: bytes, port: int) -> BrowserSecrets:
        """Cookies do not know of ports, so their names do."""
        names = f"birthmark-{port}", derive_secret(token, "cookie"), derive_secret(token, "form")
        return cls(token, *names, SignInLink.make())

    def form_token_of(self, person: str) -> str:
        """Return the form token of a user, which no other user can forge."""
        return self.form_token if person == OWNER else derive_secret(self.token, f"form {person}")

    def allows_form(self, form_token: str, person: str) -> bool:
        return _is_same(form_token, self.form_token_of(person).encode())

    @property
    def access(self) -> BrowserAccess:
        names = self.cookie_name.encode(), self.cookie.encode()
        return BrowserAccess(*names, (SIGN_IN, ASSETS), refuse, lambda error: error_page(error, _STRANGER))


def _is_same(given: str, expected: bytes) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), expected)


async def sign_in(browsers: BrowserSecrets, persons: Persons, request: Request) -> Response:
    """By the code of the printed link, or by a token in a form."""
    try:
        fields = dict(await read_fields(request)) if request.method == "POST" else dict(request.query_params)
    except RequestError as error:
        return error_page(error, _STRANGER)
    if request.method != "POST":
        return _sign_in_by_link(browsers, fields.get("code"), request)
    given = fields.get("token", "").strip()
    cookie = await to_thread.run_sync(_cookie_for, browsers, persons, given)
    return _sign_in_page(_WRONG) if cookie is None else _remember(browsers, cookie)


def _sign_in_by_link(browsers: BrowserSecrets, code: str | None, request: Request) -> Response:
    if code is None or not _is_same(code, browsers.link.code.encode()):
        return _sign_in_page("" if code is None else _WRONG)
    if _is_same(request.cookies.get(browsers.cookie_name, ""), browsers.cookie.encode()):
        return RedirectResponse("/", 303)  # This browser is signed in already, so the link stays for another one.
    return _remember(browsers, browsers.cookie) if browsers.link.take() else _sign_in_page(_OVER)


def _remember(browsers: BrowserSecrets, cookie: str) -> Response:
    response = RedirectResponse("/", 303)
    response.set_cookie(browsers.cookie_name, cookie, max_age=_YEAR, httponly=True, samesite="strict")
    return response


def _cookie_for(browsers: BrowserSecrets, persons: Persons, token: str) -> str | None:
    """Runs in a thread, since tokens may have to be read."""
    if _is_same(token, browsers.token):
        return browsers.cookie
    return persons.cookie_for(token.encode("utf-8", "replace")) if token else None


async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Show the sign-in page to a browser without the cookie."""
    await _sign_in_page()(scope, receive, send)


def _sign_in_page(problem: str = "") -> Response:
    return page_response(WebPage("sign_in.html", "Sign in", {"problem": problem}, status=401), _STRANGER)
