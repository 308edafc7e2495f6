"""Traces: spans of a stream, its windows and what is kept of it; nothing while they are off."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from clients.python.publisher import publish
from service.operations.tracing import NoTracer, Tracer, exporting, open_tracer, wanted
from tests.service.fakes import Workshop
from tests.service.live import live_service
from tests.service.test_server import HELLO, letters

pytestmark = pytest.mark.service

OFF = """
import sys
from service.cli import serve
from service.operations.tracing import open_tracer
with open_tracer(False) as tracer, tracer.span("nothing", stream="news"):
    pass
print([name for name in sys.modules if name.startswith(("opentelemetry.sdk", "opentelemetry.exp"))])
"""


@pytest.mark.parametrize(
    ("setting", "environment", "on"),
    [
        (False, {}, False),
        (True, {}, True),
        (False, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, True),
        (False, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, True),
        (False, {"OTEL_TRACES_EXPORTER": "otlp"}, True),
        (True, {"OTEL_TRACES_EXPORTER": "none"}, False),
        (True, {"OTEL_SDK_DISABLED": "TRUE"}, False),
        (False, {"OTEL_SERVICE_NAME": "strad-eu"}, False),
    ],
)
def test_on_only_where_it_is_asked_for(
    setting: bool, environment: dict[str, str], on: bool
) -> None:
    assert wanted(setting, environment) is on


def test_nothing_of_opentelemetry_is_imported_while_it_is_off() -> None:
    """But for its light API, which the client of Redis looks for by itself."""
    done = subprocess.run([sys.executable, "-c", OFF], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr
    with open_tracer(False) as tracer:
        assert isinstance(tracer, NoTracer)


def test_a_streams_windows_and_appends_are_parts_of_its_span() -> None:
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = memory.InMemorySpanExporter()

    async def go(tracer: Tracer) -> None:
        async with live_service(Workshop().equipment(), tracer=tracer) as live:
            await publish(live.address(), HELLO, letters("q" * 6, 0.01))

    with exporting(exporter) as tracer:
        asyncio.run(go(tracer))
    spans = exporter.get_finished_spans()
    (whole,) = [span for span in spans if span.name == "strad.publish"]
    assert whole.attributes == {"stream": "news"}
    assert whole.resource.attributes["service.name"] == "strad"
    windows = [span for span in spans if span.name == "strad.window"]
    appends = [span for span in spans if span.name == "strad.append"]
    assert len(windows) >= 2
    assert len(appends) >= 4
    for span in (*windows, *appends):
        assert span.parent.span_id == whole.context.span_id
        assert span.end_time >= span.start_time
    assert [span.attributes["end"] for span in windows] == sorted(
        span.attributes["end"] for span in windows
    )
    assert {span.name for span in spans} == {"strad.publish", "strad.window", "strad.append"}
