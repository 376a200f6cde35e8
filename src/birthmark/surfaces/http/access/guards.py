"""Checks before a request is answered: host, origin, token, size. Each is an ASGI application around the next.

A page from elsewhere in a browser has no access: it cannot know the token, its Origin differs, its requests have no
cookie (SameSite=Strict), and a foreign name that resolves to this server (DNS rebinding) is not among its hosts.
Without CORS headers it could not read an answer either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from secrets import compare_digest
from typing import NamedTuple

import anyio
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from birthmark.surfaces.http.access.persons import (
    COOKIE,
    OWNERS_RIGHTS,
    Persons,
    Rights,
    require_repository,
    require_writing,
)
from birthmark.surfaces.http.access.token import FeedKey, derive_secret, read_feed_key
from birthmark.surfaces.http.errors import describe_error, error_response
from birthmark.surfaces.http.observation import QUESTIONS, REPOSITORY, WRITES
from birthmark.surfaces.http.sending import CompactAnswers
from birthmark.surfaces.request_error import RequestError

MAX_BODY = 1 << 20
BODY_SECONDS = 30.0
JSON_PREFIX = "/v1"
AGENTS = "/mcp"  # where agents ask, with tokens and never by a cookie
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
    """Normalize a host as browsers send it; names beyond ASCII must be given in Punycode."""
    return host.lower().encode("ascii", "backslashreplace")


class Access(NamedTuple):
    """The accepted credentials: the owner's token, user tokens and browser cookies; and the paths of questions."""

    token: bytes
    persons: Persons | None = None
    browsers: BrowserAccess | None = None
    repository: str | None = None  # the one that is served, for tokens that are of some alone
    questions: frozenset[str] = frozenset()  # paths at which a POST asks

    def check(self, scope: Scope) -> None:
        """Refuse requests that a known user has no right to."""
        scope[WRITES] = scope["method"] not in QUESTIONS and scope["path"] not in self.questions
        repository = scope.get(REPOSITORY, self.repository)
        if repository is not None:
            require_repository(scope, repository)
        if scope[WRITES]:
            require_writing(scope)


def guards_of(hosts: Hosts, access: Access, of_persons: Iterable[Middleware] = ()) -> list[Middleware]:
    """All checks, the outermost first; `of_persons` are further ones, which know who asks."""
    return [
        Middleware(SafeHeaders),
        Middleware(CompactAnswers),
        Middleware(KnownHost, hosts=hosts),
        Middleware(KnownToken, access=access),
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
    """Browser access without a token: with the cookie all pages and questions, otherwise the open paths."""

    cookie_name: bytes
    cookie: bytes  # of the owner
    open_paths: tuple[str, ...]  # and all below them
    refuse: ASGIApp  # answers requests for other pages
    explain: Callable[[Exception], ASGIApp]  # answers requests that the user has no right to

    def is_open(self, path: str) -> bool:
        return any(path == one or path.startswith(f"{one}/") for one in self.open_paths)

    def cookies(self, scope: Scope) -> list[bytes]:
        """Those that count for a request."""
        if is_json_path(scope["path"]) and scope["method"] not in QUESTIONS:
            return []
        pairs = (one.strip().partition(b"=") for value in _values(scope, b"cookie") for one in value.split(b";"))
        return [value for name, _, value in pairs if name == self.cookie_name]


def is_json_path(path: str) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in (JSON_PREFIX, AGENTS))


class KnownToken:
    """A request must send a token, or be one that browsers may send with a cookie, or ask for a feed with its key.

    What it may do is put into the scope; what it may not do is refused."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._choose(scope))(scope, receive, send)

    async def _choose(self, scope: Scope) -> ASGIApp:
        browsers = self.access.browsers
        if scope["type"] != "http" or (browsers is not None and browsers.is_open(scope["path"])):
            return self.app
        rights, is_page = await self._rights(scope), browsers is not None and not is_json_path(scope["path"])
        if rights is not None:
            return self._checked(scope, rights, is_page)
        if browsers is not None and is_page:
            return browsers.refuse
        message = "send a token, your own or that in .birthmark/http-token, as `Authorization: Bearer TOKEN`"
        return error_response("unauthorized", message, {"WWW-Authenticate": "Bearer"})

    def _checked(self, scope: Scope, rights: Rights, is_page: bool) -> ASGIApp:
        rights.enter(scope)
        try:
            self.access.check(scope)
        except RequestError as error:
            if self.access.browsers is None or not is_page:
                raise
            return self.access.browsers.explain(error)
        return self.app

    async def _rights(self, scope: Scope) -> Rights | None:
        token, persons, browsers = self.access.token, self.access.persons, self.access.browsers
        given = _bearer(_values(scope, b"authorization"))
        cookies = browsers.cookies(scope) if browsers is not None else []
        key = read_feed_key(scope)
        if compare_digest(given, token) or (key is not None and _is_owners(key, token)):
            return OWNERS_RIGHTS
        if browsers is not None and any(compare_digest(cookie, browsers.cookie) for cookie in cookies):
            return OWNERS_RIGHTS
        if persons is None or not (given or cookies or key):
            return None
        return await anyio.to_thread.run_sync(_find_person, persons, given, cookies, key)


def _is_owners(key: FeedKey, token: bytes) -> bool:
    return compare_digest(key.key, derive_secret(token, key.purpose).encode())


def _find_person(persons: Persons, given: bytes, cookies: list[bytes], key: FeedKey | None) -> Rights | None:
    """Runs in a thread, since tokens may have to be read."""
    proofs = [*((cookie, COOKIE) for cookie in cookies), *([key] if key is not None else [])]
    found = [persons.by_token(given)] if given else (persons.by_proof(*proof) for proof in proofs)
    return next((rights for rights in found if rights is not None), None)


def _bearer(values: list[bytes]) -> bytes:
    """The token that is sent, or nothing."""
    scheme, _, given = values[0].partition(b" ") if len(values) == 1 else (b"", b"", b"")
    return given.strip() if scheme.lower() == b"bearer" else b""


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
