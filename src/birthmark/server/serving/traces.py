"""A span for each request, sent as OpenTelemetry's own variables of the environment (`OTEL_…`) say."""

from __future__ import annotations

from birthmark.surfaces.http.observing.observation import Observation, Observer

_NANOSECONDS = 1_000_000_000


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
