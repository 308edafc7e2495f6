"""strad-zero in three calls and in one: requests a window, tokens, latency, what overlaps.

A rendered film is decoded by the real child process and described through an engine that reads the
pictures and takes as long as a 4B model might. As a file, every window: decoding goes on meanwhile
where the engine is busy nearly all of the time. As it plays, with a model four times slower and two
windows in flight: captions go beside the decision before them. Exit status: 0 all targets met, 1
one missed.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from service.described import Description
from service.report import Report
from strad.cues import Cue
from strad.speech import GapSource
from strad.timeline import Interval
from streaming.announcement import WindowAsked
from streaming.captions import words_of
from streaming.config import Pace as StreamPace
from streaming.config import StreamConfig
from streaming.describers.strad_zero.asking import ZeroAsking
from streaming.describers.strad_zero.describer import StradZeroDescriber
from streaming.ingest import open_media
from streaming.session import Session
from streaming.sources import FileSource
from streaming.voices.estimate import EstimateVoice
from tests.seeing.engine import Pace, Request, SeeingEngine
from tests.seeing.film import COLOURS, FORMS, Figure, Film, render

LENGTH = 84_000
LIVE = 60_000
MOST_REQUESTS = {"three calls": 2.5, "one call": 1.0}
LEAST_BUSY = 0.9
"""Of the wall time, in replay."""
LEAST_BESIDE = 0.2
"""Of captions beside another window's request, live with three calls."""
FAST, SLOW = Pace(), Pace(first_s=0.2, prompt_s=0.0008, answer_s=0.048)


def film(length: int) -> Film:
    """Somebody new every 12 s; a line in each half minute."""
    colours, ways = list(COLOURS), ("right", "left", "up", "down")
    figures = tuple(
        Figure(Interval(start, start + 6_000), colours[(n + n // 6) % 6], FORMS[n % 3], ways[n % 4])
        for n, start in enumerate(range(3_000, length - 7_000, 12_000))
    )
    said = tuple(
        Cue(Interval(at, at + 3_000), "Where have you been all night?")
        for at in range(10_000, length - 4_000, 30_000)
    )
    return Film(length, figures, said=said)


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one run."""

    wall: float
    windows: list[float]
    """Seconds of each."""
    requests: list[Request]
    said: int
    right: int
    """Figures of the film that were described as they are."""

    @property
    def per_window(self) -> float:
        return len(self.requests) / len(self.windows)

    @property
    def engine(self) -> float:
        return sum(request.end - request.start for request in self.requests)

    def mean(self, tokens: str) -> float:
        return sum(getattr(request, tokens) for request in self.requests) / len(self.windows)


async def described(
    path: Path, plan: Film, config: StreamConfig, *, one_call: bool, pace: Pace = FAST
) -> Run:
    """The film, gone through as ``config`` says."""
    engine = SeeingEngine(pace)
    asking = ZeroAsking(one_call=one_call, constrained=False)
    describer = StradZeroDescriber(engine, model="seeing", asking=asking)
    session = Session(config, describer=describer.name, draft=True)
    words = [word for cue in plan.said for word in words_of(cue)]
    report, walls = Report(config.stride), []
    run = Description(
        FileSource(path), config, None, describer, EstimateVoice(), words, session, report
    )
    begun = time.perf_counter()
    await run.run(
        lambda told, _: walls.append(told.wall) if isinstance(told, WindowAsked) else None
    )
    texts = [cue.text for cue in report.cues()]
    wanted = [f"{figure.look} moves {figure.motion}" for figure in plan.figures]
    right = sum(any(one in text for text in texts) for one in wanted)
    return Run(time.perf_counter() - begun, walls, engine.requests, len(texts), right)


async def decoding(path: Path) -> float:
    """Wall seconds of decoding alone."""
    begun = time.perf_counter()
    async with open_media(FileSource(path)) as media:
        async for _ in media:
            pass
    return time.perf_counter() - begun


def beside_others(requests: Sequence[Request]) -> float:
    """The share of captions during which another window's request was with the engine."""
    looks = [r for r in requests if r.task in ("caption", "watch")]
    beside = [
        look
        for look in looks
        if any(r is not look and r.start < look.end and look.start < r.end for r in requests)
    ]
    return len(beside) / len(looks)


def ranked(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * len(values))]


def show(name: str, run: Run, plan: Film) -> None:
    """What a run cost and brought, in two lines."""
    print(
        f"{name}: {len(run.windows)} windows, {run.per_window:.2f} requests a window, "
        f"{run.mean('prompt'):.0f} tokens in, {run.mean('answer'):.0f} out"
    )
    print(
        f"  a window p50 {ranked(run.windows, 0.5):.2f} s, p95 {ranked(run.windows, 0.95):.2f} s; "
        f"{run.right} of {len(plan.figures)} described, {run.said} said; wall {run.wall:.1f} s"
    )


async def replayed(path: Path, plan: Film) -> bool:
    """Every window, in both ways; whether the targets are met."""
    alone, met = await decoding(path), True
    for name, one_call in (("three calls", False), ("one call", True)):
        config = StreamConfig(pace=StreamPace.EVERY_WINDOW, gaps=GapSource.TRANSCRIPT)
        run = await described(path, plan, config, one_call=one_call)
        show(f"replay, {name}", run, plan)
        busy = run.engine / run.wall
        fine = run.per_window <= MOST_REQUESTS[name] and busy >= LEAST_BUSY
        met = met and fine and run.right == len(plan.figures)
        print(
            f"  decoding alone {alone:.1f} s; the engine is busy {100 * busy:.0f} % of the time; "
            f"target {100 * LEAST_BUSY:.0f} %, at most {MOST_REQUESTS[name]:g} requests a window: "
            f"{'met' if fine else 'MISSED'}"
        )
    return met


async def live(path: Path, plan: Film) -> bool:
    """As it plays, by a slow model, two windows in flight; whether the target is met."""
    met = True
    for name, one_call in (("three calls", False), ("one call", True)):
        config = StreamConfig(gaps=GapSource.TRANSCRIPT, in_flight=2)
        run = await described(path, plan, config, one_call=one_call, pace=SLOW)
        show(f"live and slow, {name}", run, plan)
        beside = beside_others(run.requests)
        met = met and (one_call or beside >= LEAST_BESIDE)
        print(f"  {100 * beside:.0f} % of captions beside another window's request")
    return met


def main() -> int:
    """Measure, print, judge."""
    with tempfile.TemporaryDirectory() as folder:
        plan, short = film(LENGTH), film(LIVE)
        path = render(plan, Path(folder) / "film.webm")
        met = asyncio.run(replayed(path, plan))
        met = asyncio.run(live(render(short, Path(folder) / "live.webm"), short)) and met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
