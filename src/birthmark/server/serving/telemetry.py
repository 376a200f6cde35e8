"""Metrics of requests as Prometheus reads them, summed over all processes of a server, and a trace of each request.

Traces are sent as OpenTelemetry's own environment variables (`OTEL_…`) say.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from birthmark.surfaces.http.observation import Observation, Observer

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where processes keep their numbers; read when the package is imported
_NANOSECONDS = 1_000_000_000


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


def trace_requests() -> Observer:
    """Spans are sent by a thread of the package, some at a time."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "birthmark"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    tracer = provider.get_tracer("birthmark")

    def observe(found: Observation) -> None:
        start = int(found.at * _NANOSECONDS)
        name = f"{found.method} {found.template}".strip()
        span = tracer.start_span(name, start_time=start)
        span.set_attribute("http.request.method", found.method)
        span.set_attribute("http.route", found.template)
        span.set_attribute("http.response.status_code", found.status)
        span.end(start + int(found.seconds * _NANOSECONDS))

    return observe
