"""The server part, as the surfaces ask for it; see `app/server_part.py`."""

from __future__ import annotations

import socket
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from birthmark.app.server_part import load_part

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from birthmark.surfaces.http.observation import Observer
    from birthmark.surfaces.web.serving import SiteOptions


class Telemetry(Protocol):
    """Metrics and traces of requests."""

    def kept_metrics(self) -> AbstractContextManager[None]: ...
    def measure_requests(self) -> Observer: ...
    async def send_metrics(self, request: Request) -> Response: ...
    def trace_requests(self) -> Observer: ...


class FleetServing(Protocol):
    """A server of all repositories of a fleet."""

    def fleet_url(self) -> str: ...
    def run_many(
        self, options: SiteOptions, listener: socket.socket, url: str, mirrors: Path | None, n_processes: int
    ) -> None: ...


def telemetry() -> Telemetry:
    part: Telemetry = load_part("serving.telemetry")
    return part


def fleet_serving() -> FleetServing:
    part: FleetServing = load_part("serving.many")
    return part
