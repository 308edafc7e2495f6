"""Streams with an engine of known latency, on virtual time.

The programme is silent. A window ends every 2 s where the engine keeps up; each describes its own
last 2 s, so an AD starts 2 s before its cursor and is announced ``takes`` after it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from strad.cues import AdEvent
from strad_engines.messages import Message, Text
from strad_engines.scripted_engine import ScriptedEngine
from streaming.announcement import DropReason, Progress
from streaming.config import StreamConfig
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.driver import drive
from streaming.prompt.profiles import profile
from streaming.session import Session
from streaming.stats import SessionStats
from streaming.voices.estimate import EstimateVoice
from tests.fakes import Notebook, PacedMedia, Programme
from tests.virtual_time import run

MINUTE = 60_000
NOW = re.compile(r"<([\d.]+) seconds>\s*$")
"""The prompt ends with where the window ends, from the first picture on."""

SYLLABLES = ("ka", "lo", "mi", "tu", "re", "sa", "vi", "no")


def word(n: int) -> str:
    """A word for each number; none is like another."""
    return "".join(SYLLABLES[int(digit)] for digit in f"{n:04o}")


class Talker:
    """Says something new about the last two seconds of every window."""

    def __init__(self) -> None:
        self._count = itertools.count()

    def __call__(self, messages: Sequence[Message]) -> str:
        last = messages[-1].parts[-1]
        assert isinstance(last, Text)
        found = NOW.search(last.text)
        assert found, last.text
        now, said = float(found[1]), word(next(self._count))
        return f"AD <{max(0.0, now - 2):.1f}> {said} {said}s <{now:.1f}>"


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it."""

    stats: SessionStats
    notebook: Notebook
    asked: int

    @property
    def events(self) -> list[AdEvent]:
        return [e for e in self.notebook.all(AdEvent) if isinstance(e, AdEvent)]

    @property
    def load(self) -> float:
        told = [p for p in self.notebook.all(Progress) if isinstance(p, Progress)]
        assert told[-1].load is not None
        return told[-1].load

    @property
    def late(self) -> float:
        """The share of AD that could not be spoken in time."""
        lost = self.stats.drops.get(DropReason.TOO_LATE, 0)
        said = len(self.events)
        return (lost + sum(event.late for event in self.events)) / (said + lost)


def played(takes: float, minutes: int, *, in_flight: int | None = 1, delay: int = 12_000) -> Played:
    """A stream whose engine takes ``takes`` seconds over every answer."""
    config = StreamConfig(in_flight=in_flight, delay=delay)
    engine = ScriptedEngine(Talker(), takes_s=takes)
    describer = StradFtDescriber(engine, profile("qwen35-images"), model="slow")
    session = Session(config, describer=describer.name, draft=True)
    notebook, media = Notebook(), PacedMedia(Programme(minutes * MINUTE)).__aiter__()
    stats = run(drive(media, session, None, describer, EstimateVoice(), notebook))
    return Played(stats, notebook, len(engine.asked))
