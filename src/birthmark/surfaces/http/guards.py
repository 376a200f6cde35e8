"""Checks before a request is answered: host, origin, token, size. Each is an ASGI application around the next.

A page from elsewhere in a browser has no access: it cannot know the token, its Origin differs, its requests have no
cookie (SameSite=Strict), and a foreign name that resolves to this server (DNS rebinding) is not among its hosts.
Without CORS headers it could not read an answer either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from secrets import compare_digest
from typing import NamedTuple

import anyio
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from birthmark.surfaces.http.errors import RequestError, describe_error, error_response
from birthmark.surfaces.http.feed_keys import has_feed_key
from birthmark.surfaces.http.observation import PERSON

MAX_BODY = 1 << 20
BODY_SECONDS = 30.0
JSON_PREFIX = "/v1"
OWNER = "owner"  # of the token beside the index
_QUESTIONS = ("GET", "HEAD")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
)
_FORM = re.compile(rb"application/x-www-form-urlencoded\s*(;\s*charset\s*=\s*utf-8\s*)?", re.IGNORECASE)
_JSON = re.compile(rb'application/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?', re.IGNORECASE)


class Hosts(NamedTuple):
    """The host names of the server: its own with its port, allowed ones with that port, another or none."""

    own: frozenset[bytes]
    allowed: frozenset[bytes] = frozenset()

    @classmethod
    def of(cls, port: int, names: tuple[str, ...] = LOOPBACK, allowed: tuple[str, ...] = ()) -> Hosts:
        ports = (f":{port}", "") if port == 80 else (f":{port}",)
        own = (f"{name}{suffix}" for name in names for suffix in ports)
        also = (f"{name}{suffix}" for name in allowed for suffix in ("", f":{port}"))
        return cls(frozenset(map(_normal, own)), frozenset(map(_normal, also)))

    def origins(self, host: bytes) -> set[bytes]:
        """There may be a proxy with TLS in front of an allowed name."""
        schemes = (b"http", b"https") if host in self.allowed else (b"http",)
        return {scheme + b"://" + host for scheme in schemes}


def _normal(host: str) -> bytes:
    """As browsers send it; a name beyond ASCII must be given in Punycode."""
    return host.lower().encode("ascii", "backslashreplace")


def guards_of(
    token: bytes, hosts: Hosts, browsers: BrowserAccess | None = None, of_persons: Iterable[Middleware] = ()
) -> list[Middleware]:
    """All checks, the outermost first; `of_persons` are further ones, which know who asks."""
    return [
        Middleware(SafeHeaders),
        Middleware(KnownHost, hosts=hosts),
        Middleware(KnownToken, token=token, browsers=browsers),
        *of_persons,
        Middleware(BoundedBody),
    ]


class SafeHeaders:
    """Adds headers against sniffing, caching and referrers, unless an answer has its own; an error below becomes a
    response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_started = False

        async def send_safely(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                given = list(message.get("headers", ()))
                names = {name.lower() for name, _ in given}
                message = {**message, "headers": [*given, *(one for one in _HEADERS if one[0] not in names)]}
            await send(message)

        try:
            await self.app(scope, receive, send_safely)
        except Exception as error:
            if has_started:
                raise
            await describe_error(error)(scope, receive, send_safely)


class KnownHost:
    """The Host must be known, and the Origin, if there is one, the same."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self._check(scope)
        await self.app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        hosts, origins = _values(scope, b"host"), _values(scope, b"origin")
        host = hosts[0].lower() if len(hosts) == 1 else b""
        if host not in self.hosts.own | self.hosts.allowed:
            raise RequestError("unknown_host", "this is not a host name of the server; `--allow-host` allows another")
        if any(origin.lower() not in self.hosts.origins(host) for origin in origins):
            raise RequestError("forbidden_origin", "requests of pages from other origins are refused")


class BrowserAccess(NamedTuple):
    """What browsers may do without the token: with the cookie all pages, and questions; without it the open paths."""

    cookie: bytes  # `name=value`
    open_paths: tuple[str, ...]  # and all below them
    refuse: ASGIApp  # answers requests for other pages

    def allows(self, scope: Scope) -> bool:
        path = scope["path"]
        if any(path == one or path.startswith(f"{one}/") for one in self.open_paths):
            return True
        given = (one.strip() for value in _values(scope, b"cookie") for one in value.split(b";"))
        may_use = not is_json_path(path) or scope["method"] in _QUESTIONS
        return may_use and any(compare_digest(one, self.cookie) for one in given)


def is_json_path(path: str) -> bool:
    return path == JSON_PREFIX or path.startswith(f"{JSON_PREFIX}/")


class KnownToken:
    """A request must send the token, or be one that browsers may send with a cookie, or ask for a feed with its key."""

    def __init__(self, app: ASGIApp, token: bytes, browsers: BrowserAccess | None = None) -> None:
        self.app, self.token, self.browsers = app, token, browsers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._choose(scope)(scope, receive, send)

    def _choose(self, scope: Scope) -> ASGIApp:
        if scope["type"] != "http" or self._is_known(_values(scope, b"authorization")):
            scope[PERSON] = OWNER
            return self.app
        if has_feed_key(scope, self.token) or (self.browsers is not None and self.browsers.allows(scope)):
            scope[PERSON] = OWNER
            return self.app
        if self.browsers is not None and not is_json_path(scope["path"]):
            return self.browsers.refuse
        message = "send the token in .birthmark/http-token as `Authorization: Bearer TOKEN`"
        return error_response("unauthorized", message, {"WWW-Authenticate": "Bearer"})

    def _is_known(self, values: list[bytes]) -> bool:
        if len(values) != 1:
            return False
        scheme, _, given = values[0].partition(b" ")
        return scheme.lower() == b"bearer" and compare_digest(given.strip(), self.token)


class BoundedBody:
    """A body must be JSON, or a form of a page, and not too large, with or without a Content-Length.

    It is read as a whole."""

    def __init__(self, app: ASGIApp, max_bytes: int = MAX_BODY, seconds: float = BODY_SECONDS) -> None:
        self.app, self.max_bytes, self.seconds = app, max_bytes, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = await self._read(scope, receive)
        if body is None:  # The client has disconnected.
            return
        if body and not _is_of(_JSON, scope) and (is_json_path(scope["path"]) or not _is_of(_FORM, scope)):
            raise RequestError("unsupported_media_type", "a body must be application/json in UTF-8")
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_again() -> Message:
            return messages.pop() if messages else await receive()

        await self.app(scope, receive_again, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        lengths = _values(scope, b"content-length")
        if any(not length.isdigit() for length in lengths) or len(lengths) > 1:
            raise RequestError("bad_request", "Content-Length must be one number")
        if lengths and int(lengths[0][:20]) > self.max_bytes:
            raise self._too_large()
        with anyio.move_on_after(self.seconds):
            return await self._collect(receive)
        raise RequestError("request_timeout", f"the body did not arrive in {self.seconds:g} s")

    async def _collect(self, receive: Receive) -> bytes | None:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self.max_bytes:
                raise self._too_large()
            if not message.get("more_body", False):
                return bytes(body)

    def _too_large(self) -> RequestError:
        return RequestError("body_too_large", f"a body may have {self.max_bytes:,} bytes at most")


def _is_of(kind: re.Pattern[bytes], scope: Scope) -> bool:
    types = _values(scope, b"content-type")
    return len(types) == 1 and kind.fullmatch(types[0].strip()) is not None


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for header, value in scope["headers"] if header.lower() == name]
