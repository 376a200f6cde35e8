"""Observation of requests, and health checks.

Observed is an ASGI application around all others that gives an Observation to each observer: lines of a log and of an
audit file, metrics, traces. Observers are made from Monitoring in each process that answers. A line of JSON is written
at once and as a whole, so that several processes may have one file. Queries and bodies are left out: they reveal what a
user looks for. Health is for load balancers and orchestrators, which have no token; it says nothing about the
repository.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import msgspec
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from birthmark.errors import BirthmarkError
from birthmark.surfaces.server_part import telemetry

# What inner applications put into the scope; whether a request writes is known by its method, if not by them.
TEMPLATE, PERSON, WRITES = "birthmark.template", "birthmark.person", "birthmark.writes"
REPOSITORY, PREFIX = "birthmark.repository", "birthmark.prefix"  # of a path below a repository, by `below_repository`
SERVES = "birthmark.serves"  # whether the server has a repository, by its name, for who asks
QUESTIONS = ("GET", "HEAD")  # methods
_STANDARD_ERROR = 2
LIVE, READY = "/healthz", "/readyz"


class Monitoring(NamedTuple):
    """The logs, metrics and traces of a server, and its rate limit. A file called `-` is the standard error."""

    audit: Path | None = None  # lines about what writes
    log: Path | None = None  # lines about all requests
    has_metrics: bool = False
    has_traces: bool = False
    rate: float | None = None  # requests per second and user


class Observation(NamedTuple):
    """A request that was answered. The template is the path of its route, without what varies."""

    at: float
    method: str
    path: str
    template: str
    status: int
    seconds: float
    n_bytes: int
    person: str | None
    is_write: bool = False


Observer = Callable[[Observation], object]


class Observed:
    """The outermost application, so that the status is what the client gets."""

    def __init__(self, app: ASGIApp, observers: Sequence[Observer]) -> None:
        self.app, self.observers = app, observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.observers:
            await self.app(scope, receive, send)
            return
        at, started, status, n_bytes = time.time(), time.perf_counter(), 500, 0

        async def send_counted(message: Message) -> None:
            nonlocal status, n_bytes
            status, n_bytes = message.get("status", status), n_bytes + len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            seconds, template = time.perf_counter() - started, scope.get(TEMPLATE, "")
            path, person = scope.get(PREFIX, "") + scope["path"], scope.get(PERSON)
            method, is_write = scope["method"], scope.get(WRITES, scope["method"] not in QUESTIONS)
            found = Observation(at, method, path, template, status, seconds, n_bytes, person, is_write)
            for observe in self.observers:
                observe(found)


def check_monitoring(monitoring: Monitoring) -> None:
    """Check before a server starts that its files are writable and its packages are installed."""

    for path in (monitoring.audit, monitoring.log):
        if path is not None:
            check_file(path)
    wanted = {"prometheus_client": monitoring.has_metrics, "opentelemetry.sdk": monitoring.has_traces}
    if any(is_wanted and not _is_installed(package) for package, is_wanted in wanted.items()):
        raise BirthmarkError("metrics and traces need other packages; run `pip install 'birthmark[telemetry]'`")


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of what it is in
        return False


def make_observers(monitoring: Monitoring) -> list[Observer]:
    """Return the observers; modules that are not needed are not imported."""

    observers: list[Observer] = []
    if monitoring.audit is not None:
        observers.append(audit_writes(monitoring.audit))
    if monitoring.log is not None:
        observers.append(log_requests(monitoring.log))
    if monitoring.has_metrics:
        observers.append(telemetry().measure_requests())
    if monitoring.has_traces:
        observers.append(telemetry().trace_requests())
    return observers


class RequestLine(msgspec.Struct, frozen=True):
    """A line of both files."""

    at: str
    person: str | None
    method: str
    path: str
    status: int
    ms: float
    bytes: int
    write: bool


def log_requests(path: Path) -> Observer:
    descriptor = _open(path)
    return lambda found: os.write(descriptor, _line(found))


def audit_writes(path: Path) -> Observer:
    """Attempts that were refused, too."""
    descriptor = _open(path)
    return lambda found: os.write(descriptor, _line(found)) if found.is_write else None


def check_file(path: Path) -> None:
    descriptor = _open(path)
    if descriptor != _STANDARD_ERROR:
        os.close(descriptor)


def _open(path: Path) -> int:
    if str(path) == "-":
        return _STANDARD_ERROR
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; name a file that can be written") from error


def _line(found: Observation) -> bytes:
    at = datetime.fromtimestamp(found.at, UTC).isoformat(timespec="milliseconds")
    ms = round(found.seconds * 1000, 1)
    line = RequestLine(at, found.person, found.method, found.path, found.status, ms, found.n_bytes, found.is_write)
    return msgspec.json.encode(line) + b"\n"


class Health:
    """Answers before all guards; `look` is awaited to find out whether there is an index that can be read."""

    def __init__(self, app: ASGIApp, look: Callable[[], Awaitable[bool]]) -> None:
        self.app, self.look = app, look

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        app = PlainTextResponse("ok\n") if path == LIVE else await self._readiness() if path == READY else self.app
        await app(scope, receive, send)

    async def _readiness(self) -> PlainTextResponse:
        try:
            is_ready = await self.look()
        except Exception:  # Whatever it is, an answer would fail as well.
            is_ready = False
        return PlainTextResponse("ready\n") if is_ready else PlainTextResponse("not ready\n", 503)
