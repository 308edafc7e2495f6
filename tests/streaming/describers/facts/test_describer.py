"""The describer on real photographs, with the real detectors."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from strad.cues import Cue
from strad.decision import Decision, Describe, Kind, Wait, WaitReason
from strad.errors import DescriberError
from strad_engines.model_table import Piece
from strad_engines.weights import Weights
from streaming.describers.describer import Describer
from streaming.describers.facts.describer import FactsDescriber
from streaming.describers.facts.models import DETECTORS, FactsModels, missing_detectors
from streaming.media import VideoFrame
from tests.streaming.describers.facts.photos import (
    WEIGHTS,
    card,
    frame,
    needs_detectors,
    photo,
    zoom,
)
from tests.streaming.describers.facts.scenes import window

pytestmark = pytest.mark.media


@pytest.fixture(scope="module")
def models() -> Iterator[FactsModels]:
    loaded = FactsModels.load(WEIGHTS)
    yield loaded
    loaded.close()


def _nothing_installed() -> Weights:
    """As if no package with models were here."""
    absent = (Piece("no_such_package_anywhere", "x"),)
    table = {
        name: replace(model, files=tuple(replace(file, pieces=absent) for file in model.files))
        for name, model in WEIGHTS.table.items()
    }
    return Weights(hub=False, table=table)


async def _watch(models: FactsModels, frames: Sequence[VideoFrame]) -> list[Decision]:
    """What it answers at every second frame, told what it said before."""
    describer: Describer = FactsDescriber(models)
    history: list[Cue] = []
    answers: list[Decision] = []
    for end in range(2000, frames[-1].t + 1, 2000):
        shown = tuple(one for one in frames if end - 8000 <= one.t <= end)
        answer = await describer.decide(replace(window(end, history=history), frames=shown))
        if isinstance(answer, Describe):
            history.append(Cue(answer.when, answer.forms[-1]))
        answers.append(answer)
    await describer.aclose()
    return answers


def _said(answers: Sequence[Decision]) -> list[str]:
    return [answer.forms[-1] for answer in answers if isinstance(answer, Describe)]


@needs_detectors
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("astronaut.png", ["The face of a person is in view."]),
        ("chelsea.png", ["A cat is in view."]),
        pytest.param("coffee.png", ["A cup is in view."], marks=pytest.mark.slow),
        pytest.param("motorcycle_left.png", ["A motorcycle is in view."], marks=pytest.mark.slow),
        ("brick.png", []),
        pytest.param("moon.png", [], marks=pytest.mark.slow),
        pytest.param("grass.png", [], marks=pytest.mark.slow),
        pytest.param("rocket.jpg", ["A rocket is in view."], marks=pytest.mark.slow),
    ],
)
def test_a_photograph_is_named_once_or_not_at_all(
    models: FactsModels, name: str, said: list[str]
) -> None:
    assert _said(asyncio.run(_watch(models, zoom(photo(name), 5)))) == said


@needs_detectors
def test_a_cut_to_something_else_is_told(models: FactsModels) -> None:
    frames = [*zoom(photo("chelsea.png"), 5), *zoom(photo("coffee.png"), 5, start=5000)]
    said = _said(asyncio.run(_watch(models, frames)))
    assert said == ["A cat is in view.", "A cup is in view."]


def test_a_title_card_is_read(models: FactsModels) -> None:
    frames = [frame(card("The Peach Project"), t) for t in range(0, 5000, 1000)]
    answers = asyncio.run(_watch(models, frames))
    (first, *_) = [answer for answer in answers if isinstance(answer, Describe)]
    assert first.forms == ("Text: The Peach Project.",)
    assert first.kind is Kind.TEXT
    assert _said(answers) == ["Text: The Peach Project."]


def test_small_print_is_not_read(models: FactsModels) -> None:
    frames = [frame(card("All rights reserved", size=9), t) for t in range(0, 5000, 1000)]
    assert _said(asyncio.run(_watch(models, frames))) == []


def test_without_frames_it_waits(models: FactsModels) -> None:
    answer = asyncio.run(FactsDescriber(models).decide(window(2000)))
    assert answer == Wait(WaitReason.NO_FRAMES)


def test_a_broken_frame_is_a_typed_error(models: FactsModels) -> None:
    broken = replace(window(2000), frames=(VideoFrame(0, b"no jpeg", 640, 360, 0),))
    with pytest.raises(DescriberError, match="0 ms"):
        asyncio.run(FactsDescriber(models).decide(broken))


def test_streams_share_models_and_nothing_else(models: FactsModels) -> None:
    async def both() -> tuple[list[Decision], list[Decision]]:
        red = [frame(card("Chapter Red"), t) for t in range(0, 5000, 1000)]
        blue = [frame(card("Chapter Blue"), t) for t in range(0, 5000, 1000)]
        async with asyncio.TaskGroup() as group:
            one = group.create_task(_watch(models, red))
            other = group.create_task(_watch(models, blue))
        return one.result(), other.result()

    one, other = asyncio.run(both())
    assert (_said(one), _said(other)) == (["Text: Chapter Red."], ["Text: Chapter Blue."])


def test_without_packaged_models_it_still_reads_and_says_what_is_missing() -> None:
    weights = _nothing_installed()
    poor = FactsModels.load(weights)
    try:
        frames = [frame(card("Chapter One"), t) for t in range(0, 5000, 1000)]
        assert _said(asyncio.run(_watch(poor, frames))) == ["Text: Chapter One."]
        assert len(poor.missing) == 5
        assert all("pip install" in line for line in poor.missing)
    finally:
        poor.close()
    missing = missing_detectors(weights)
    assert [line.split(":")[0] for line in missing[: len(DETECTORS)]] == list(DETECTORS)
