"""What is observed of every request: an ASGI application around all others that gives an Observation to each observer.

Observers are made from Monitoring in each process that answers: lines of a log and of an audit file, metrics, traces.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from birthmark.errors import BirthmarkError
from birthmark.surfaces.server_part import telemetry

# What inner applications put into the scope; whether a request writes is known by its method, if not by them.
TEMPLATE, PERSON, WRITES = "birthmark.template", "birthmark.person", "birthmark.writes"
REPOSITORY, PREFIX = "birthmark.repository", "birthmark.prefix"  # of a path below a repository, by `below_repository`
SERVES = "birthmark.serves"  # whether the server has a repository, by its name, for who asks
QUESTIONS = ("GET", "HEAD")  # methods


class Monitoring(NamedTuple):
    """What is recorded of requests, where, and how many there may be. A file called `-` is the standard error."""

    audit: Path | None = None  # lines about what writes
    log: Path | None = None  # lines about all requests
    has_metrics: bool = False
    has_traces: bool = False
    rate: float | None = None  # requests a second that a person may send


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
    """Whether files can be written and packages are there, before a server starts."""
    from birthmark.surfaces.http.observing.request_log import check_file

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
    """What is not asked for is not imported."""
    from birthmark.surfaces.http.observing.request_log import audit_writes, log_requests

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
