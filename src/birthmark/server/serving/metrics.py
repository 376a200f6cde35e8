"""Metrics of requests in the text form that Prometheus reads, summed over all processes of a server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from birthmark.surfaces.http.observing.observation import Observation, Observer

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where processes keep their numbers; read when the package is imported
METRICS = "/metrics"


@contextmanager
def kept_metrics() -> Iterator[None]:
    """Around the processes of a server: a folder for their numbers, which is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="birthmark-metrics-") as folder:
        os.environ[_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[_FOLDER]


@cache  # A name of a metric can be used once.
def measure_requests() -> Observer:
    from prometheus_client import Counter, Histogram

    labels = ("method", "route", "status")
    requests = Counter("birthmark_requests_total", "Requests that were answered.", labels)
    seconds = Histogram("birthmark_request_seconds", "How long answers took.", ("method", "route"))
    n_bytes = Counter("birthmark_response_bytes_total", "Bytes that were sent.", ("route",))

    def observe(found: Observation) -> None:
        route = found.template or "other"
        requests.labels(found.method, route, found.status).inc()
        seconds.labels(found.method, route).observe(found.seconds)
        n_bytes.labels(route).inc(found.n_bytes)

    return observe


async def send_metrics(request: Request) -> Response:
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
