"""Titles: every phrase in every look fits the frame and stands out from what lies under it."""

from __future__ import annotations

import numpy as np
import pytest

from service.demo import phrases, titles
from service.demo.camera import SIZE
from service.demo.screenplay import Caption, Place
from strad.timeline import Interval

pytestmark = pytest.mark.unit

LONGEST = max((*phrases.PLACES, *phrases.PEOPLE, *phrases.NAMES), key=len)
PLACES: tuple[Place, ...] = ("card", "lower third", "corner")


@pytest.mark.parametrize("style", range(20))
@pytest.mark.parametrize("place", PLACES)
def test_it_stays_inside_the_frame(place: Place, style: int) -> None:
    caption = Caption(Interval(0, 4_000), ("Act Three", LONGEST * 2), place, style)
    left, top, right, bottom = titles.layer(caption, SIZE).getbbox() or (0, 0, 0, 0)
    assert 0.02 * SIZE[0] <= left < right <= 0.98 * SIZE[0]
    assert 0.02 * SIZE[1] <= top < bottom <= 0.98 * SIZE[1]


@pytest.mark.parametrize("style", range(20))
def test_a_card_is_legible(style: int) -> None:
    caption = Caption(Interval(0, 4_000), (LONGEST,), "card", style)
    ground = np.asarray(titles.card(caption, SIZE).convert("L"), int)
    frame = titles.card(caption, SIZE)
    frame.paste(layer := titles.layer(caption, SIZE), (0, 0), layer)
    change = np.abs(np.asarray(frame.convert("L"), int) - ground)
    assert change.max() > 120
