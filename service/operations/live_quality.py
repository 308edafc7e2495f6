"""Live quality: one stream's figures and its newest happenings, in bounded memory.

Made by the process that describes the stream, fed all that it announces and hears. What it counts
goes to the metrics of the process too.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, replace

from service.operations.metrics import Metrics
from service.operations.overlap import Overlap
from strad.cues import AdEvent
from strad.decision import Describe
from strad.speech import count_words
from strad.timeline import Ms, to_seconds
from strad.wire.viewing import Aside, Gap
from streaming.announcement import (
    Announcement,
    DescriberState,
    Dropped,
    Progress,
    WindowAsked,
    Withdrawn,
)
from streaming.config import StreamConfig
from streaming.hearing import Heard
from streaming.media import MediaNotice

NEWEST = 60
"""Happenings of each sort that are remembered."""

DESCRIBED = "described"


@dataclass(frozen=True, slots=True)
class WindowSeen:
    """One window that was answered. Times are seconds of media."""

    at: float
    """Its end."""
    decide: float
    """Wall seconds."""
    reason: str
    """`described`, or why nothing is said."""


@dataclass(frozen=True, slots=True)
class GapSeen:
    """A gap; without ``end`` it is still open, and where that is the start it was none."""

    start: float
    end: float | None


@dataclass(frozen=True, slots=True)
class AdSeen:
    """One description that was announced."""

    id: str
    start: float
    end: float
    kind: str
    text: str
    provisional: bool
    late: bool
    lag_emit: float
    withdrawn: str | None = None
    """Why it was taken back."""
    overlap: float | None = None
    """Seconds of it in which somebody spoke; null until it is known."""


@dataclass(frozen=True, slots=True)
class DropSeen:
    """One description that was decided, but not announced."""

    at: float
    """The end of its window, or when it was given up."""
    reason: str
    text: str


class LiveQuality:
    """One stream's."""

    def __init__(self, config: StreamConfig, describer: str, metrics: Metrics) -> None:
        self._config = config
        self.describer = describer
        self._metrics = metrics
        self._overlap = Overlap(config.gaps)
        self.windows: deque[WindowSeen] = deque(maxlen=NEWEST)
        self.gaps: deque[GapSeen] = deque(maxlen=NEWEST)
        self.ads: deque[AdSeen] = deque(maxlen=NEWEST)
        self.drops: deque[DropSeen] = deque(maxlen=NEWEST)
        self.totals: Counter[str] = Counter()
        """``events``, ``late``, ``withdrawn``, ``words``, and ``overlap`` in ms."""
        self.up = True
        """Whether the describer answers."""
        self.load: float | None = None
        """Of the newest windows; see ``Progress``."""
        self.seconds = 0.0
        """Media taken in so far."""
        self._skipped: int | None = None
        self._edge: Ms | None = None

    @property
    def strain(self) -> float | None:
        """The load that one answer in flight stands for: from 1 on, it can't keep up."""
        return None if self.load is None else self.load / (self._config.in_flight or 1)

    def take(self, said: Announcement) -> None:
        """Count one announcement."""
        match said:
            case WindowAsked():
                self._take_window(said)
            case AdEvent():
                self._take_ad(said)
            case Withdrawn():
                self._take_back(said)
            case Dropped(at=at, reason=reason, describe=describe):
                self._metrics.dropped.labels(reason).inc()
                self.drops.append(DropSeen(to_seconds(at), reason, describe.forms[0]))
            case DescriberState(up=up):
                self.up = up
                self._metrics.outages.labels(self.describer).inc(not up)
            case MediaNotice():
                self._metrics.media_notices.labels(said.code).inc(said.count)
            case _:
                self._take_progress(said)

    def hear(self, heard: Heard) -> None:
        """Count what is heard: it may lie under what was announced."""
        for placed, overlap in self._overlap.hear(heard):
            self.totals["overlap"] += overlap
            withdrawn = "yes" if placed.withdrawn else "no"
            self._metrics.overlap.labels(withdrawn).inc(to_seconds(overlap))
            self._change(placed.id, overlap=to_seconds(overlap))

    def notice(self, aside: Aside) -> None:
        """Remember a gap."""
        if not isinstance(aside, Gap):
            return
        if self.gaps and self.gaps[-1].end is None:
            self.gaps.pop()
        self.gaps.append(GapSeen(aside.start, aside.end))

    def _take_window(self, said: WindowAsked) -> None:
        described = isinstance(said.decision, Describe)
        reason = DESCRIBED if isinstance(said.decision, Describe) else str(said.decision.reason)
        metrics, describer = self._metrics, self.describer
        metrics.windows.labels(describer, "ad" if described else "wait", reason).inc()
        metrics.decide.labels(describer).observe(said.wall)
        metrics.load.labels(describer).observe(said.wall * 1000 / self._config.stride)
        lost = sum(seconds for stage, seconds in said.stages if stage == "retries")
        if lost:
            metrics.retries.labels(describer).inc(lost)
        self.windows.append(WindowSeen(to_seconds(said.cursor), round(said.wall, 3), reason))

    def _take_ad(self, ad: AdEvent) -> None:
        metrics, when, words = self._metrics, ad.cue.when, count_words(ad.cue.text)
        self._overlap.place(ad)
        self.totals.update(events=1, late=int(ad.late), words=words)
        metrics.ads.labels(ad.kind).inc()
        metrics.late.inc(ad.late)
        metrics.words.inc(words)
        metrics.spoken.inc(to_seconds(when.duration))
        metrics.lag.observe(max(0.0, to_seconds(ad.lag_emit)))
        self.ads.append(
            AdSeen(
                id=ad.id,
                start=to_seconds(when.start),
                end=to_seconds(when.end),
                kind=ad.kind,
                text=ad.cue.text,
                provisional=ad.provisional,
                late=ad.late,
                lag_emit=to_seconds(ad.lag_emit),
            )
        )

    def _take_back(self, said: Withdrawn) -> None:
        self._overlap.withdraw(said.event_id)
        self.totals["withdrawn"] += 1
        self._metrics.withdrawn.labels(said.reason).inc()
        self._change(said.event_id, withdrawn=str(said.reason))

    def _take_progress(self, said: Progress) -> None:
        self.load = said.load
        if self._edge is not None:
            more = max(0.0, to_seconds(said.live_edge - self._edge))
            self.seconds += more
            self._metrics.media.inc(more)
        if self._skipped is not None:
            self._metrics.skipped.inc(max(0, said.skipped - self._skipped))
        self._edge = said.live_edge if self._edge is None else max(self._edge, said.live_edge)
        self._skipped = said.skipped

    def _change(self, ad: str, **change: float | str) -> None:
        for at, seen in enumerate(self.ads):
            if seen.id == ad:
                self.ads[at] = replace(seen, **change)  # type: ignore[arg-type]
                return
