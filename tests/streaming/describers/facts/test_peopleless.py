"""Where there is nobody, nobody is seen: craters, coins and clouds have no faces."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from strad.decision import Kind
from strad.timeline import Ms
from streaming.describers.facts.claim import Claim
from streaming.describers.facts.models import FactsModels
from streaming.describers.facts.narrator import Narrator
from streaming.media import VideoFrame
from tests.streaming.describers.facts.peopleless import PICTURES, Peopleless, shots
from tests.streaming.describers.facts.photos import WEIGHTS, needs_detectors
from tests.streaming.describers.facts.scenes import window

pytestmark = [pytest.mark.media, needs_detectors]

FEW = ("moon.png", "text.png", "horse.png", "clouds")
MANY_SHOTS = 4
STRIDE: Ms = 2000


@pytest.fixture(scope="module")
def models() -> Iterator[FactsModels]:
    loaded = FactsModels.load(WEIGHTS)
    yield loaded
    loaded.close()


def _claims(models: FactsModels, frames: list[VideoFrame]) -> list[Claim]:
    """All that a describer states of one shot."""
    looks, _ = asyncio.run(models.look(frames, None))
    narrator = Narrator()
    for end in range(0, frames[-1].t + 1, STRIDE):
        narrator.add([look for look in looks if end - STRIDE < look.t <= end])
        narrator.decide(window(end))
    return [claim for evidence in narrator.evidence for claim in evidence.claims]


def _false(models: FactsModels, picture: Peopleless, number: int) -> list[tuple[int, Claim]]:
    made = enumerate(shots(picture.open(), number, picture.name))
    stated = ((at, claim) for at, frames in made for claim in _claims(models, frames))
    return [(at, claim) for at, claim in stated if not _is_true(picture, claim)]


def _is_true(picture: Peopleless, claim: Claim) -> bool:
    if claim.kind is Kind.TEXT:
        return picture.text
    return claim.subject in picture.true and claim.count == 1


@pytest.mark.parametrize("name", FEW)
def test_of_a_picture_without_people_nothing_false_is_said(models: FactsModels, name: str) -> None:
    (picture,) = (one for one in PICTURES if one.name == name)
    assert _false(models, picture, 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_however_it_is_shown_nothing_false_is_said(
    models: FactsModels, picture: Peopleless
) -> None:
    assert _false(models, picture, MANY_SHOTS) == []
