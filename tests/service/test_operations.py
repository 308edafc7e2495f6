"""Health, readiness, metrics and status of a running service, over real sockets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import httpx
import pytest
from prometheus_client import Counter, Histogram, Metric
from prometheus_client.parser import text_string_to_metric_families

from clients.python.publisher import publish
from clients.python.resuming import publish_on
from service import streams
from service.equipment import Equipment
from service.eventlog.memory import MemoryEventLog
from service.operations import load_watch
from service.operations.admission import Resource
from service.operations.load_watch import SETTLES_IN, LoadWatch
from service.settings import Admission, Auth, Limits, Settings
from service.station import Station
from strad.errors import LogError, OverloadedError, StradError
from strad.wire.answering import Answer, Error
from strad.wire.publishing import Container, Hello
from tests import tree
from tests.fakes import EveryWindowDescriber
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.publishing import publishing
from tests.service.test_push_resumes import Letters
from tests.service.test_server import HELLO, letters, until

pytestmark = pytest.mark.service

ALLOWED = {
    *("what", "reason", "code", "describer", "decision", "kind", "withdrawn", "state", "resource"),
    *("le", "generation", "implementation", "version", "major", "minor", "patchlevel"),
}
"""Every label there may be. Each has few values, known beforehand."""


async def get(live: LiveService, path: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient() as client:
        return await client.get(f"http://127.0.0.1:{live.port}{path}", headers=headers)


async def metrics(live: LiveService) -> dict[str, Metric]:
    answer = await get(live, "/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return {family.name: family for family in text_string_to_metric_families(answer.text)}


def total(families: Mapping[str, Metric], name: str, **labels: str) -> float:
    found = [s for family in families.values() for s in family.samples if s.name == name]
    assert found, name
    return sum(sample.value for sample in found if labels.items() <= sample.labels.items())


def test_no_label_names_a_stream_a_viewer_or_a_key() -> None:
    async def go() -> None:
        settings = replace(SETTINGS, limits=replace(SETTINGS.limits, streams=20))
        async with live_service(Workshop().equipment(), settings) as live:
            for number in range(12):
                await publish(live.address(f"secret-name-{number}"), HELLO, letters("q" * 6))
                with pytest.raises(StradError):
                    await publish(live.address(f"secret-name-{number}"), HELLO, letters("x"))
            answer = await get(live, "/metrics")
            assert "secret" not in answer.text
            families = await metrics(live)
            samples = [s for family in families.values() for s in family.samples]
            assert {label for s in samples for label in s.labels} <= ALLOWED
            assert total(families, "strad_streams_begun_total") >= 12
            assert total(families, "strad_ad_events_total") >= 12
            assert len(samples) < 400

    asyncio.run(go())


def test_names_have_our_prefix_and_base_units() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            await publish(live.address(), HELLO, letters("q" * 6))
            for name, family in (await metrics(live)).items():
                assert re.match(r"(strad|process|python)_[a-z_]+$", name), name
                assert not re.search(r"milli|_ms$|percent|minutes", name), name
                if family.type == "histogram":
                    assert name.endswith(("_seconds", "_ratio")), name

    asyncio.run(go())


def test_a_stream_is_in_the_metrics_while_it_lives() -> None:
    async def go() -> None:
        async with (
            live_service(Workshop().equipment()) as live,
            publishing(live.address()) as publisher,
        ):
            await publisher.media(b"q" * 10)
            await publisher.until("progress", live_edge=10.0)
            families = await metrics(live)
            assert total(families, "strad_streams", state="live") == 1
            assert total(families, "strad_connections") >= 2
            assert total(families, "strad_describer_up", describer="every-window") == 1
            assert total(families, "strad_log_append_seconds_count") >= 1
            assert total(families, "strad_inlet_bytes") == 0
            assert total(families, "strad_windows_total", decision="ad") >= 1
            await publisher.tell(type="finish")
            await publisher.rest()
            await until(lambda: not live.station.streams.live)
            families = await metrics(live)
            assert total(families, "strad_streams") == 0
            assert total(families, "strad_streams_ended_total", code="ok") == 1

    asyncio.run(go())


def test_what_was_refused_is_counted_by_reason() -> None:
    async def go() -> None:
        settings = replace(SETTINGS, limits=replace(SETTINGS.limits, viewers=1))
        async with live_service(Workshop().equipment(), settings) as live:
            with pytest.raises(StradError):
                await publish(
                    live.address(), Hello(**(HELLO.model_dump() | {"describer": "no"})), letters("")
                )
            with pytest.raises(StradError):
                await publish(live.address("c"), HELLO, letters("c"))
            assert (await get(live, "/v1/streams/none/descriptions.vtt")).status_code == 404
            families = await metrics(live)
            refused = "strad_refused_total"
            assert total(families, refused, what="publish", reason="bad-input") == 1
            assert total(families, refused, what="request", reason="not-found") == 1
            assert total(families, "strad_decoder_deaths_total") == 1
            assert total(families, "strad_streams_ended_total", code="decoder") == 1

    asyncio.run(go())


def test_ready_until_full_and_again_afterwards() -> None:
    async def go() -> None:
        settings = replace(SETTINGS, limits=replace(SETTINGS.limits, streams=1))
        async with live_service(Workshop().equipment(), settings) as live:
            assert (await get(live, "/readyz")).json() == {"ready": True, "reasons": []}
            async with publishing(live.address()) as publisher:
                await publisher.until("ready")
                answer = await get(live, "/readyz")
                assert (answer.status_code, answer.json()["reasons"]) == (
                    503,
                    ["full: all 1 streams are in use"],
                )
                assert (await get(live, "/readyz?what=viewers")).status_code == 200
                await publisher.tell(type="finish")
                await publisher.rest()
            await until(lambda: not live.station.streams.live)
            assert (await get(live, "/readyz")).status_code == 200

    asyncio.run(go())


class AwayLog(MemoryEventLog):
    """Can't be reached."""

    async def find(self, stream: str) -> Any:
        raise LogError("the event log does not answer")


def test_not_ready_without_a_log_though_alive() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment(), log=AwayLog()) as live:
            answer = await get(live, "/readyz")
            assert (answer.status_code, answer.json()["ready"]) == (503, False)
            assert answer.json()["reasons"] == ["log: the event log does not answer"]
            assert (await get(live, "/healthz")).json() == {"status": "ok"}

    asyncio.run(go())


class Busy:
    """Threads that transcribe all the time, as the equipment tells it."""

    def __init__(self) -> None:
        self.rate = 1.0

    def equipment(self) -> Equipment:
        loop = asyncio.get_running_loop()
        return replace(Workshop().equipment(), listened=lambda: self.rate * loop.time())


@pytest.mark.slow
def test_a_stream_too_many_is_refused_by_measured_load_and_let_in_when_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(load_watch, "EVERY", 0.25)
    monkeypatch.setattr(load_watch, "LEAST_TIME", 1.25)

    async def go() -> None:
        busy = Busy()
        async with (
            live_service(busy.equipment()) as live,
            publishing(live.address("one")) as publisher,
        ):
            await publisher.until("ready")
            await until(lambda: bool(live.station.load.shortages), limit=30.0)
            with pytest.raises(OverloadedError, match=r"listening at [12]\.\d\d of 0\.90"):
                await publish(live.address("two"), HELLO, letters("q"))
            answer = await get(live, "/readyz")
            assert answer.status_code == 503
            assert answer.json()["reasons"][0].startswith("overloaded: listening")
            families = await metrics(live)
            assert total(families, "strad_admission_short", resource="listening") == 1
            assert total(families, "strad_refused_total", reason="overloaded") == 1
            busy.rate = 0.0
            await until(lambda: not live.station.load.shortages, limit=20.0)
            await publish(live.address("two"), HELLO, letters("q"))

    asyncio.run(go())


def test_many_may_not_begin_before_any_is_measured() -> None:
    async def go() -> None:
        load = LoadWatch(
            Admission(), streams=lambda: 1_000, decide=lambda: None, listened=lambda: 0.0
        )
        for _ in range(7):
            load.admit()
        with pytest.raises(OverloadedError, match="settling"):
            [load.admit() for _ in range(1_000)]
        off = LoadWatch(
            Admission(on=False), streams=lambda: 1_000, decide=lambda: 9.0, listened=lambda: 0.0
        )
        off.admit()
        assert off.used == {Resource.DECIDE: 9.0}

    asyncio.run(go())


def test_who_begins_too_soon_is_told_when_to_come_again() -> None:
    async def go() -> None:
        load = LoadWatch(
            Admission(settling=2), streams=lambda: 9, decide=lambda: None, listened=lambda: 0.0
        )
        for _ in range(2):
            load.admit()
        with pytest.raises(OverloadedError, match=r"settling at 3\.00 of 2\.00") as refused:
            load.admit()
        assert 9.0 < (refused.value.retry_after or 0.0) <= SETTLES_IN
        settings = replace(SETTINGS, admission=Admission(settling=1))
        async with (
            live_service(Workshop().equipment(), settings) as live,
            publishing(live.address("one")) as publisher,
        ):
            await publisher.until("ready")
            async with publishing(live.address("two")) as second:
                error = await second.hear()
            assert (error["code"], error["retryable"]) == ("overloaded", True)
            assert 0 < error["retry_after"] <= SETTLES_IN

    asyncio.run(go())


def test_a_stream_that_waits_for_its_publisher_keeps_its_place() -> None:
    async def go() -> None:
        limits = replace(SETTINGS.limits, streams=1, grace=30.0)
        settings = replace(SETTINGS, limits=limits)
        async with live_service(Workshop().equipment(), settings) as live:
            async with publishing(live.address("one")) as first:
                token = (await first.until("ready"))["resume"]
                await first.media(b"q" * 6)
                await first.until("progress", live_edge=6.0)
                first.break_off()
            await until(lambda: live.station.load.waiting == 1)
            with pytest.raises(OverloadedError, match="1 kept for publishers") as refused:
                await publish(live.address("two"), HELLO, letters("q"))
            assert refused.value.retry_after == 5.0
            answer = await get(live, "/readyz")
            assert answer.json()["reasons"] == [
                "full: all 1 streams are in use (1 kept for publishers that may come back)"
            ]
            async with publishing(live.address("one"), resume=token) as again:
                assert (await again.until("ready"))["live_edge"] == 6.0
                assert not live.station.load.waiting
                await again.tell(type="finish")
                await again.until("summary")
            await until(lambda: not live.station.streams.live)
            await publish(live.address("two"), HELLO, letters("q"))

    asyncio.run(go())


@pytest.mark.slow
def test_a_client_waits_for_room_and_then_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LATER", 1.5)

    async def go() -> None:
        limits = replace(SETTINGS.limits, streams=1)
        heard: list[Answer] = []
        async with (
            live_service(Workshop().equipment(), replace(SETTINGS, limits=limits)) as live,
            publishing(live.address("one")) as first,
            asyncio.TaskGroup() as tasks,
        ):
            await first.until("ready")
            hello = Hello(container=Container.WEBM, delay=3.0)
            pushed = tasks.create_task(
                publish_on(live.address("two"), hello, Letters(9), heard.append)
            )
            await until(lambda: bool(heard))
            await first.tell(type="finish")
            await first.until("summary")
            assert (await pushed).live_edge == 9.0
        refused = [answer for answer in heard if isinstance(answer, Error)]
        assert {(e.code, e.fatal, e.retry_after) for e in refused} == {("overloaded", False, 1.5)}

    asyncio.run(go())


def test_a_streams_status_holds_figures_and_newest_happenings() -> None:
    async def go() -> None:
        async with (
            live_service(Workshop(lambda: EveryWindowDescriber(0.01)).equipment()) as live,
            publishing(live.address(), transcript="off") as publisher,
        ):
            await publisher.media(b"q" * 12 + b"ttt" + b"q" * 8)
            await publisher.until("progress", live_edge=23.0)
            await until(lambda: len(live.station.publications) == 1)
            status = (await get(live, "/v1/streams/news/status")).json()
            assert (status["state"], status["here"]) == ("live", True)
            figures, newest = status["figures"], status["newest"]
            assert figures["live_edge"] >= 23.0
            assert figures["events"] == len(newest["ads"]) >= 1
            assert figures["windows"] == len(newest["windows"]) >= 2
            assert sum(figures["drops"].values()) == len(newest["drops"])
            assert newest["gaps"][0]["start"] == 0.0
            assert any(gap["end"] == 12.0 for gap in newest["gaps"])
            assert all(ad["text"] and ad["end"] > ad["start"] for ad in newest["ads"])
            assert all(drop["reason"] for drop in newest["drops"])
            assert figures["describer_up"]
            service = (await get(live, "/v1/status")).json()
            assert [each["stream"] for each in service["described"]] == ["news"]
            assert service["described"][0]["newest"] is None
            assert (service["streams"], service["most_streams"]) == (1, 8)
            await publisher.tell(type="finish")
            await publisher.rest()
            await until(lambda: not live.station.streams.live)
            status = (await get(live, "/v1/streams/news/status")).json()
            assert (status["state"], status["here"], status["figures"]) == ("ended", False, None)
            assert (await get(live, "/v1/streams/none/status")).status_code == 404

    asyncio.run(go())


TOKENS = Auth(secret="s" * 32, issuer="i", audience="a")


@pytest.mark.parametrize(
    ("auth", "status"), [(Auth(), 200), (TOKENS, 401), (replace(TOKENS, metrics="open"), 200)]
)
def test_metrics_need_a_right_where_callers_do_unless_they_are_opened(
    auth: Auth, status: int
) -> None:
    async def go() -> None:
        settings = Settings(describer="every-window", port=0, auth=auth, limits=Limits())
        async with live_service(Workshop().equipment(), settings) as live:
            assert (await get(live, "/metrics")).status_code == status
            assert (await get(live, "/healthz")).status_code == 200
            assert (await get(live, "/readyz")).status_code == 200
            needs_a_right = 401 if auth.on else 200
            assert (await get(live, "/v1/status")).status_code == needs_a_right
            needs_a_right = 401 if auth.on else 404
            assert (await get(live, "/v1/streams/news/status")).status_code == needs_a_right

    asyncio.run(go())


def test_the_page_has_a_row_for_every_metric() -> None:
    """``docs/operations.md`` says name, type and labels of each, as they are."""
    page = (tree.ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    row = re.compile(r"^\| `(strad_[a-z_]+)` \| ([a-z]+) \|(.*?)\| ", re.MULTILINE)
    told = {
        name: (kind, tuple(re.findall(r"`([a-z]+)`", labels)))
        for name, kind, labels in row.findall(page)
    }
    station = Station(SETTINGS, Workshop().equipment())
    registry, metrics = station.metrics.registry, vars(station.metrics).values()
    made = {
        f"{metric._name}_total" if isinstance(metric, Counter) else metric._name: (
            metric._type,
            tuple(metric._labelnames),
        )
        for metric in metrics
        if isinstance(metric, Counter | Histogram)
    }
    gauges = {
        family.name: "gauge"
        for family in registry.collect()
        if family.type == "gauge" and family.name.startswith("strad_")
    }
    assert {name: each for name, each in told.items() if each[0] != "gauge"} == made
    later = {"strad_loop_lag_seconds"}
    assert {n for n, each in told.items() if each[0] == "gauge"} == set(gauges) | later
