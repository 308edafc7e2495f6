"""Tracing: spans for OpenTelemetry, where it is asked for. Nothing of it is imported otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol, TypeAlias

from strad.errors import MissingModelError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

Value: TypeAlias = str | int | float | bool

SERVICE = "strad"


class Tracer(Protocol):
    """Makes spans; the innermost open one is the parent of the next."""

    def span(self, name: str, **attributes: Value) -> AbstractContextManager[None]:
        """A span for as long as the block takes; a block that raises marks it as failed."""
        ...


class NoTracer:
    """Makes none."""

    def span(self, name: str, **attributes: Value) -> AbstractContextManager[None]:
        """Nothing."""
        del name, attributes
        return nullcontext()


def wanted(setting: bool, environment: Mapping[str, str]) -> bool:
    """Whether traces are asked for, by our setting or by OpenTelemetry's own variables."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    exporter = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if exporter == "none":
        return False
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return setting or bool(exporter) or any(environment.get(name) for name in endpoints)


@contextmanager
def open_tracer(on: bool) -> Iterator[Tracer]:
    """The tracer; at the end, what it holds is sent. Raises MissingModelError without it."""
    if not on:
        yield NoTracer()
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ModuleNotFoundError:
        raise MissingModelError("traces need: pip install 'strad[otel]'") from None
    with exporting(OTLPSpanExporter()) as tracer:
        yield tracer


@contextmanager
def exporting(exporter: SpanExporter) -> Iterator[Tracer]:
    """A tracer that sends spans to ``exporter``, in batches, from a thread of its own."""
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # Resource.create reads OTEL_SERVICE_NAME, which wins over our own name.
    resource = Resource({SERVICE_NAME: SERVICE}).merge(Resource.create())
    if str(resource.attributes.get(SERVICE_NAME)).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: SERVICE}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    inner = provider.get_tracer(SERVICE)

    class Spans:
        def span(self, name: str, **attributes: Value) -> AbstractContextManager[None]:
            return _entered(inner.start_as_current_span(name, attributes=attributes))

    try:
        yield Spans()
    finally:
        provider.shutdown()


@contextmanager
def _entered(span: AbstractContextManager[object]) -> Iterator[None]:
    with span:
        yield
