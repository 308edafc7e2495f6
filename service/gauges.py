"""Gauges: how things stand, read off the station at the moment Prometheus asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from service.attendance import Attendance
from service.operations.admission import Resource, Shortage
from service.operations.live_quality import LiveQuality
from service.stream import Stream
from service.streams import Streams
from strad.wire.viewing import StreamState


class OnAir(Protocol):
    """A stream that is described here."""

    stream: Stream
    quality: LiveQuality
    attendance: Attendance


class Load(Protocol):
    """What the process can still take."""

    shortages: tuple[Shortage, ...]

    @property
    def used(self) -> Mapping[Resource, float]: ...

    @property
    def children(self) -> int: ...


class Held(Protocol):
    """What is read of a station."""

    streams: Streams

    @property
    def load(self) -> Load: ...

    @property
    def publications(self) -> Collection[OnAir]: ...

    def connections(self) -> int: ...


LIVING = (StreamState.LIVE, StreamState.INTERRUPTED, StreamState.DRAINING)


class Gauges(Collector):
    """Collects them."""

    def __init__(self, station: Held) -> None:
        self._station = station

    def collect(self) -> Iterator[Metric]:
        """All gauges."""
        yield from self._streams()
        yield from self._load()
        station = self._station
        yield _one("viewers", "Who watches, over WebSocket or events.", station.streams.viewers)
        yield _one("connections", "Open ones, of all kinds.", station.connections())
        yield _one("draining", "Whether the service goes away.", station.streams.closed)
        yield _one(
            "children", "Processes that this one has started: decoders.", station.load.children
        )

    def _streams(self) -> Iterator[Metric]:
        on_air = self._station.publications
        states = Counter(publication.stream.state for publication in on_air)
        streams = _family("streams", "Streams described here, by state.", "state")
        for state in LIVING:
            streams.add_metric([state], states[state])
        yield streams
        yield _one(
            "inlet_bytes",
            "Media that waits for a decoder.",
            sum(each.attendance.waiting for each in on_air),
        )
        up = _family("describer_up", "Whether it answers all streams.", "describer")
        answers: dict[str, bool] = {}
        for each in on_air:
            name = each.quality.describer
            answers[name] = answers.get(name, True) and each.quality.up
        for name, well in answers.items():
            up.add_metric([name], well)
        yield up

    def _load(self) -> Iterator[Metric]:
        used = _family("load_ratio", "What is used, as admission measures it.", "resource")
        measured = dict(self._station.load.used)
        if (late := measured.pop(Resource.LOOP, None)) is not None:
            yield _one("loop_lag_seconds", "How late the event loop turns.", late)
        for resource, value in measured.items():
            used.add_metric([resource], value)
        yield used
        missing = {shortage.resource for shortage in self._station.load.shortages}
        short = _family("admission_short", "Whether it is short for a stream more.", "resource")
        for resource in Resource:
            short.add_metric([resource], resource in missing)
        yield short


def _one(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(f"strad_{name}", what, value=value)


def _family(name: str, what: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"strad_{name}", what, labels=[label])
