"""Whole programmes, a real model behind a real server: what is said, when, and after an outage."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from service.cli.main import main
from service.describers import open_describers
from service.model_choice import ModelChoice
from strad.cues import AdEvent, Cue
from strad.decision import Describe
from strad.predictions import PREDICTIONS
from strad_engines.weights import Weights
from streaming.announcement import Announcement, DescriberState, WindowAsked
from streaming.config import Placement, StreamConfig
from streaming.driver import drive
from streaming.session import Session
from streaming.voices.estimate import EstimateVoice
from tests.models.programme import Programme, live, programme, render
from tests.models.real_time import in_real_time
from tests.models.vllm_server import VllmServer

pytestmark = [pytest.mark.models, pytest.mark.slow]

LIMIT_S = 400.0


@dataclass
class Film:
    """A rendered programme and its captions, as files."""

    plan: Programme
    video: Path
    captions: Path


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    folder = tmp_path_factory.mktemp("programme")
    plan = programme(1)
    captions = folder / "film.vtt"
    captions.write_text(plan.captions())
    return Film(plan, render(plan, folder / "film.webm"), captions)


def described(
    film: Film, server: VllmServer, monkeypatch: pytest.MonkeyPatch, out: Path
) -> list[Cue]:
    """What ``strad describe`` writes of it, at the times that the model gave."""
    words = [
        *("strad", "describe", str(film.video), "--captions", str(film.captions)),
        *("--describer", "strad-ft", "--engine", f"openai:{server.url}", "--model", "base"),
        *("--profile", "qwen35-video", "--asr", "off", "--gaps", "transcript"),
        *(
            "--placement",
            "off",
            "--pace",
            "fast",
            "-o",
            str(out),
            "--efficiency",
            str(out) + ".eff",
        ),
    ]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    _, found = PREDICTIONS.read(out.read_text().splitlines())
    return [prediction.cue() for prediction in found]


def test_a_programme_is_described_over_http_at_its_own_times(
    film: Film, vllm_server: VllmServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every shape that is seen to its end in silence, once, when it is; no other."""
    out = tmp_path / "film.jsonl"
    found = described(film, vllm_server, monkeypatch, out)
    assert [(c.when, c.text) for c in found] == [(c.when, c.text) for c in film.plan.descriptions]
    windows = [json.loads(line) for line in Path(str(out) + ".eff").read_text().splitlines()[1:]]
    assert not [w for w in windows if w["decision"] == "failed"]


@dataclass
class Log:
    """What a stream announces, and when which of it is there."""

    entries: list[Announcement] = field(default_factory=list)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def __call__(self, announcement: Announcement) -> None:
        async with self.news:
            self.entries.append(announcement)
            self.news.notify_all()

    def states(self) -> list[DescriberState]:
        return [e for e in self.entries if isinstance(e, DescriberState)]

    def events(self) -> list[AdEvent]:
        return [e for e in self.entries if isinstance(e, AdEvent)]

    async def until(self, enough: object) -> None:
        async with self.news, asyncio.timeout(LIMIT_S):
            await self.news.wait_for(enough)  # type: ignore[arg-type]


@in_real_time
async def test_a_server_that_is_killed_and_comes_back_leaves_a_hole_and_nothing_twice(
    vllm_server: VllmServer,
) -> None:
    plan = programme(2, length=300_000)
    log, over = Log(), asyncio.Event()
    config = StreamConfig(placement=Placement.OFF)
    choice = ModelChoice(engine=f"openai:{vllm_server.url}", model="base", profile="qwen35-video")
    async with (
        open_describers(["strad-ft"], Weights(hub=False), choice) as describers,
        asyncio.TaskGroup() as group,
    ):
        describer = describers.makers["strad-ft"](config)
        session = Session(config, describer=describer.name, draft=describer.draft)
        stream = group.create_task(
            drive(live(plan, over), session, None, describer, EstimateVoice(), log)
        )
        await log.until(lambda: len(log.events()) >= 1)
        vllm_server.kill()
        await log.until(lambda: len(log.states()) >= 1)
        vllm_server.launch()
        await asyncio.to_thread(vllm_server.wait)
        await log.until(lambda: len(log.states()) >= 2)
        before = len(log.events())
        await log.until(lambda: len(log.events()) > before)
        over.set()
        stats = await stream
    down, up = log.states()
    assert (down.up, up.up) == (False, True)
    assert up.hole.start == down.hole.start
    assert up.hole.end >= down.hole.end
    assert stats.events == len(log.events())
    _nothing_in_the_hole_or_twice(log, up)


def _nothing_in_the_hole_or_twice(log: Log, up: DescriberState) -> None:
    """No window of the outage was answered; each thing seen was described once."""
    asked = [e for e in log.entries if isinstance(e, WindowAsked)]
    inside = [w for w in asked if up.hole.start < w.cursor <= up.hole.end]
    assert inside
    assert not [w for w in inside if isinstance(w.decision, Describe)]
    spans = sorted(event.cue.when for event in log.events())
    assert all(one.end <= other.start for one, other in pairwise(spans))
