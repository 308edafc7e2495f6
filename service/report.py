"""The report of a run: what was said and not said, how fast, and how late.

A figure keeps its name: ``rtf`` is wall time over the cursor's advance, mean over AD windows (the
paper's); ``load`` is decide seconds over stride; ``lag_cursor`` (the paper's LAG) and ``lag_emit``
are the design page's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from strad.cues import AdEvent, Cue
from strad.decision import FAILURES, Describe, Wait
from strad.efficiency import Outcome, WindowLog
from strad.speech import count_words
from strad.timeline import Interval, Ms, covered, merge, to_seconds
from streaming.announcement import (
    Announcement,
    DescriberState,
    Dropped,
    Progress,
    WindowAsked,
    Withdrawn,
)
from streaming.hearing import Heard, SpeechKnown
from streaming.media import MediaNotice
from streaming.session import Session


@dataclass(slots=True)
class Report:
    """Writes down what a stream announces. Withdrawn AD is counted, and stands no more."""

    stride: Ms
    standing: dict[str, AdEvent] = field(default_factory=dict)
    windows: list[WindowAsked] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    notices: list[MediaNotice] = field(default_factory=list)
    outages: list[DescriberState] = field(default_factory=list)
    withdrawn: int = 0
    live_edge: Ms = 0
    _speech: list[Interval] = field(default_factory=list)

    def take(self, announcement: Announcement) -> None:
        """Write one announcement down."""
        match announcement:
            case AdEvent():
                self.standing[announcement.id] = announcement
            case Withdrawn():
                self.standing.pop(announcement.event_id, None)
                self.withdrawn += 1
            case Dropped():
                self.dropped.append(announcement)
            case WindowAsked():
                self.windows.append(announcement)
                self.live_edge = max(self.live_edge, announcement.cursor)
            case DescriberState():
                self.outages.append(announcement)
            case MediaNotice():
                self.notices.append(announcement)
            case Progress():
                self.live_edge = max(self.live_edge, announcement.live_edge)

    def hear(self, heard: Heard) -> None:
        """Write down where there was speech, to say how much AD lies on it."""
        if isinstance(heard, SpeechKnown) and heard.speech:
            tail = self._speech[-1:]
            self._speech[-1:] = merge([*tail, *heard.speech])

    def cues(self) -> list[Cue]:
        """What stands, by start."""
        return [e.cue for e in sorted(self.standing.values(), key=lambda e: (e.cue.when, e.seq))]

    def efficiency(self, video_id: str) -> list[WindowLog]:
        """One line a window."""
        return [_log_line(video_id, asked) for asked in self.windows]

    def summary(self, session: Session, *, wall: float) -> dict[str, object]:
        """The figures, ready for JSON. Seconds, but for counts and ratios."""
        stats = session.stats()
        events = list(self.standing.values())
        cues = [event.cue.when for event in events]
        media = to_seconds(stats.live_edge)
        return {
            "strad": "summary",
            "version": 1,
            "media_seconds": media,
            "wall_seconds": round(wall, 3),
            "speed": round(media / wall, 2) if wall > 0 else None,
            "events": len(events),
            "withdrawn": stats.withdrawn,
            "late": sum(event.late for event in events),
            "windows": stats.windows,
            "no_gap": stats.no_gap,
            "skipped": stats.skipped,
            "waits": {str(reason): count for reason, count in sorted(stats.waits.items())},
            "drops": {str(reason): count for reason, count in sorted(stats.drops.items())},
            "load": spread([asked.wall * 1000 / self.stride for asked in self.windows]),
            "rtf": mean(
                [a.wall * 1000 / a.advance for a in self.windows if _said(a) and a.advance]
            ),
            "lag_cursor": spread([to_seconds(event.lag_cursor) for event in events]),
            "lag_emit": spread([to_seconds(event.lag_emit) for event in events]),
            "ad_seconds": to_seconds(covered(cues)),
            "overlap_seconds": to_seconds(overlap(cues, self._speech)),
            "words_per_minute": _pace(events),
            "notices": dict(Counter(n.code for n in self.notices)),
            "holes": [[to_seconds(h.start), to_seconds(h.end)] for h in self.holes()],
        }

    def holes(self) -> list[Interval]:
        """Media that no answer has looked at, as the describer was down."""
        holes = [state.hole for state in self.outages if state.up]
        if self.outages and not self.outages[-1].up:
            since = self.outages[-1].hole.start
            holes.append(Interval(since, max(since, self.live_edge)))
        return [hole for hole in holes if hole.duration]


def _said(asked: WindowAsked) -> bool:
    return isinstance(asked.decision, Describe)


def _log_line(video_id: str, asked: WindowAsked) -> WindowLog:
    decision = asked.decision
    said = decision if isinstance(decision, Describe) else None
    return WindowLog(
        video_id=video_id,
        cursor=to_seconds(asked.cursor),
        advance=to_seconds(asked.advance),
        wall=asked.wall,
        decision=_outcome(asked),
        reason=str(decision.reason) if isinstance(decision, Wait) else None,
        odds=decision.odds,
        ad_start=to_seconds(said.when.start) if said else None,
        emitted_at=to_seconds(asked.emitted_at),
        stages=dict(asked.stages),
    )


def _outcome(asked: WindowAsked) -> Outcome:
    if isinstance(asked.decision, Describe):
        return Outcome.AD
    return Outcome.FAILED if asked.decision.reason in FAILURES else Outcome.WAIT


def overlap(cues: Iterable[Interval], speech: Iterable[Interval]) -> Ms:
    """How much of the cues lies on speech."""
    spoken = merge(speech)
    return sum(
        shared.duration for cue in cues for span in spoken if (shared := cue.intersect(span))
    )


def mean(values: Sequence[float]) -> float | None:
    """None when there are none: no figure is better than a good-looking one."""
    return round(sum(values) / len(values), 3) if values else None


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Median, 95th percentile and maximum, by nearest rank."""
    if not values:
        return None
    ranked = sorted(values)

    def at(share: float) -> float:
        return round(ranked[min(len(ranked) - 1, int(share * len(ranked)))], 3)

    return {"p50": at(0.5), "p95": at(0.95), "max": round(ranked[-1], 3)}


def _pace(events: Sequence[AdEvent]) -> float | None:
    spoken = sum(event.cue.when.duration for event in events)
    words = sum(count_words(event.cue.text) for event in events)
    return round(words * 60_000 / spoken, 1) if spoken else None
