"""Metrics: what Prometheus is told. One registry a process, and nothing global.

Names begin with ``strad_`` and have base units. No label names a stream, a viewer or a key: each
label's values are few, and known beforehand.
"""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

LAGS = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 30.0, 60.0)
DECIDES = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
LOADS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0, 1.25, 1.5, 2.0, 4.0)
APPENDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class Metrics:
    """Counters and histograms; gauges are collected from what is there when it is asked."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._add_service()
        self._add_windows()
        self._add_ads()

    def text(self) -> bytes:
        """All of them, in Prometheus' text format."""
        return generate_latest(self.registry)

    def _add_service(self) -> None:
        self.refused = self._counter(
            "refused", "Who or what was refused: publishers, viewers, requests.", "what", "reason"
        )
        self.begun = self._counter("streams_begun", "Streams taken on, resumed ones too.")
        self.ended = self._counter("streams_ended", "Streams let go of, by how.", "code")
        self.media_notices = self._counter("media_notices", "Oddities of the media.", "code")
        self.decoder_deaths = self._counter(
            "decoder_deaths", "Decoders that crashed, hung or outgrew their limits."
        )
        self.log_append = self._histogram(
            "log_append_seconds", "From a message to its being kept.", APPENDS
        )
        self.log_errors = self._counter("log_errors", "Messages that could not be kept.", "code")

    def _add_windows(self) -> None:
        self.windows = self._counter(
            "windows", "Windows answered, by decision.", "describer", "decision", "reason"
        )
        self.skipped = self._counter("windows_skipped", "Windows never asked: newer media came.")
        self.decide = self._histogram(
            "decide_seconds", "From question to answer.", DECIDES, "describer"
        )
        self.load = self._histogram(
            "decide_load_ratio", "Seconds of an answer over the stride.", LOADS, "describer"
        )
        self.outages = self._counter("describer_outages", "Times it went down.", "describer")
        self.retries = self._counter(
            "engine_retry_seconds", "Seconds spent on tries that failed.", "describer"
        )
        self.media = self._counter("media_seconds", "Media taken in.")

    def _add_ads(self) -> None:
        self.ads = self._counter("ad_events", "Descriptions announced.", "kind")
        self.late = self._counter("ad_late", "Announced when the viewers' playhead had passed.")
        self.words = self._counter("ad_words", "Words announced.")
        self.spoken = self._counter("ad_spoken_seconds", "Time given to what was announced.")
        self.dropped = self._counter("ad_dropped", "Decided, but not announced.", "reason")
        self.withdrawn = self._counter("ad_withdrawn", "Taken back after all.", "reason")
        self.overlap = self._counter(
            "ad_overlap_seconds", "Of what was announced, the time somebody spoke.", "withdrawn"
        )
        self.lag = self._histogram(
            "lag_emit_seconds",
            "From a description's start to the newest media; ahead counts as 0.",
            LAGS,
        )

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"strad_{name}", what, labels, registry=self.registry)

    def _histogram(
        self, name: str, what: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(f"strad_{name}", what, labels, registry=self.registry, buckets=buckets)
