"""The figures of a measurement, each by its name; None where nothing was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from service.report import mean, spread
from strad.cues import AdEvent
from strad.decision import Describe
from strad.timeline import Ms, to_seconds
from strad_engines.messages import Generated
from streaming.announcement import Dropped, DropReason, WindowAsked
from streaming.describer_watch import unanswered


@dataclass(slots=True)
class Stages:
    """Where a window's time goes: wall seconds of a window, by part."""

    media_decode: float | None = None
    """To decode as much media as a stride is, by a process beside the rest."""
    vad_asr: float | None = None
    """To hear as much, beside the rest."""
    session: float | None = None
    """Windows, gaps, placement."""
    of_answers: dict[str, float] = field(default_factory=dict)
    """Of AD windows: prompt, and the engine's own stages; ``decode`` is that of tokens."""


@dataclass(slots=True)
class Figures:
    """One measurement."""

    rtf: float | None = None
    """Wall time of a window over the cursor's advance: mean over AD windows, one at a time."""
    lag: float | None = None
    """Cursor minus the AD's start, seconds: mean over AD windows."""
    load_replay: float | None = None
    """Answer seconds over the stride, mean over all windows, one at a time."""
    windows: int = 0
    ad_windows: int = 0
    failed_windows: int = 0
    stages: Stages = field(default_factory=Stages)
    prompt_tokens: float | None = None
    """Of AD windows, mean."""
    answer_tokens: float | None = None
    tokens_per_second: float | None = None
    """Of the tokens after the first."""
    live: dict[str, Any] | None = None
    """What a stream at play speed felt."""


def of_replay(asked: Sequence[WindowAsked], stride: Ms) -> Figures:
    """The paper's figures, of windows asked one by one."""
    said = [(a, a.decision) for a in asked if isinstance(a.decision, Describe)]
    stages: dict[str, list[float]] = {}
    for each, _ in said:
        for name, seconds in each.stages:
            stages.setdefault(name, []).append(seconds)
    figures = Figures(
        rtf=mean([a.wall * 1000 / a.advance for a, _ in said if a.advance]),
        lag=mean([to_seconds(a.cursor - d.when.start) for a, d in said]),
        load_replay=mean([a.wall * 1000 / stride for a in asked]),
        windows=len(asked),
        ad_windows=len(said),
        failed_windows=sum(unanswered(a.decision) for a in asked),
    )
    figures.stages.of_answers = {
        name: round(sum(values) / len(said), 4) for name, values in stages.items()
    }
    return figures


def add_tokens(figures: Figures, answers: Sequence[Generated]) -> None:
    """Add what the engine says of its answers' tokens."""
    prompts = [a.prompt_tokens for a in answers if a.prompt_tokens is not None]
    lengths = [a.completion_tokens for a in answers if a.completion_tokens is not None]
    figures.prompt_tokens, figures.answer_tokens = mean(prompts), mean(lengths)
    timed = [(a.completion_tokens or 0, dict(a.stages).get("decode", 0.0)) for a in answers]
    timed = [(tokens, seconds) for tokens, seconds in timed if tokens > 1 and seconds > 0]
    if timed:
        after_first = sum(tokens - 1 for tokens, _ in timed)
        figures.tokens_per_second = round(after_first / sum(s for _, s in timed), 1)


def of_live(
    asked: Sequence[WindowAsked],
    events: Sequence[AdEvent],
    dropped: Sequence[Dropped],
    *,
    stride: Ms,
    skipped: int,
) -> dict[str, Any]:
    """What a stream at play speed felt. Ratios, and seconds where the name is a lag."""
    too_late = sum(each.reason is DropReason.TOO_LATE for each in dropped)
    late = too_late + sum(event.late for event in events)
    decided = len(events) + len(dropped)
    return {
        "load": spread([a.wall * 1000 / stride for a in asked]),
        "lag_emit": spread([to_seconds(event.lag_emit) for event in events]),
        "windows": len(asked),
        "skipped": skipped,
        "events": len(events),
        "late_share": round(late / decided, 4) if decided else None,
    }
