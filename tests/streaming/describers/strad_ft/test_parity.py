"""Parity: known windows, known answers, and a model that is not the one that was trained."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence

import pytest
from PIL import Image as Pillow

from strad.errors import DescriberError
from strad_engines.engine_errors import EngineBusyError, EngineError
from strad_engines.messages import Generated, Message
from strad_engines.scripted_engine import ScriptedEngine
from streaming.describers.strad_ft.model_card import card_of
from streaming.describers.strad_ft.parity import SEEDS, check_parity, record_parity
from streaming.describers.strad_ft.parity_picture import Colour, picture
from streaming.describers.strad_ft.parity_window import parity_window
from streaming.prompt.profiles import PROFILES
from tests.virtual_time import run

pytestmark = pytest.mark.unit

PROFILE = PROFILES["qwen35-video"]


def by_pictures(messages: Sequence[Message]) -> Generated:
    """An answer of its own for everything that it is shown."""
    seen = hashlib.sha256(repr(messages).encode()).hexdigest()[:8]
    return Generated(f"AD <1.0> Thing {seen} falls. <2.0>\nAnd more.")


def trained() -> ScriptedEngine:
    return ScriptedEngine(by_pictures, name="tuned")


def test_the_model_that_was_trained_passes() -> None:
    parity = run(record_parity(trained(), PROFILE))
    assert len({known.answer for known in parity}) == len(SEEDS)
    assert all("\n" not in known.answer for known in parity)
    run(check_parity(trained(), PROFILE, card_of(PROFILE, base="x", parity=parity)))


@pytest.mark.parametrize(("right", "passes"), [(3, True), (2, True), (1, False), (0, False)])
def test_most_answers_must_be_right(right: int, passes: bool) -> None:
    parity = run(record_parity(trained(), PROFILE))
    card = card_of(PROFILE, base="x", parity=parity)
    lines = [known.answer if n < right else "WAIT" for n, known in enumerate(parity)]
    served = ScriptedEngine(lines, name="served")
    if passes:
        run(check_parity(served, PROFILE, card))
        return
    with pytest.raises(DescriberError, match=f"^served answers {right} of 3 known windows"):
        run(check_parity(served, PROFILE, card))


def test_a_card_without_answers_can_not_be_checked() -> None:
    with pytest.raises(DescriberError, match="tuned can't be checked: its card records no"):
        run(check_parity(trained(), PROFILE, card_of(PROFILE, base="x")))


def test_an_engine_that_is_down_can_not_be_checked() -> None:
    card = card_of(PROFILE, base="x", parity=run(record_parity(trained(), PROFILE)))
    down = ScriptedEngine([EngineBusyError("no")], name="tuned")
    with pytest.raises(DescriberError, match="tuned can't be checked: no"):
        run(check_parity(down, PROFILE, card))
    with pytest.raises(EngineError):
        run(record_parity(ScriptedEngine([]), PROFILE))


@pytest.mark.parametrize("seed", range(6))
def test_the_window_is_the_same_everywhere_and_always(seed: int) -> None:
    window = parity_window(seed)
    assert window == parity_window(seed)
    assert window != parity_window(seed + 1)
    assert len(window.frames) == 8
    assert len({frame.jpeg for frame in window.frames}) > 4
    assert all(frame.t <= window.when.end for frame in window.frames)
    assert all(word.when.end <= window.when.end for word in window.words)
    assert window.audio[0].when == window.when


COLOURS: list[Colour] = [
    (0, 128, 128), (255, 128, 128), (76, 85, 255), (150, 44, 21), (29, 255, 107), (128, 0, 255),
]  # fmt: skip


@pytest.mark.parametrize("width", [1, 2, 7, 40])
def test_pictures_are_jpegs_that_any_decoder_reads(width: int) -> None:
    blocks = [[COLOURS[(x * y + x) % 6] for x in range(width)] for y in range(5)]
    with Pillow.open(io.BytesIO(picture(blocks))) as opened:
        read = opened.convert("YCbCr") if opened.mode != "YCbCr" else opened
        assert read.size == (8 * width, 40)
        for y, row in enumerate(blocks):
            for x, colour in enumerate(row):
                assert near(read.getpixel((8 * x + 3, 8 * y + 4)), colour)


def near(found: object, colour: Colour) -> bool:
    """Out-of-gamut colours come back clipped by way of RGB; brightness stays where it was."""
    assert isinstance(found, tuple)
    red, green, blue = rgb(colour)
    inside = all(0 <= part <= 255 for part in (red, green, blue))
    return not inside or max(abs(a - b) for a, b in zip(found, colour, strict=True)) <= 3


def rgb(colour: Colour) -> tuple[float, float, float]:
    y, cb, cr = colour
    return (
        y + 1.402 * (cr - 128),
        y - 0.344 * (cb - 128) - 0.714 * (cr - 128),
        y + 1.772 * (cb - 128),
    )


def test_the_first_picture_has_these_bytes() -> None:
    digest = hashlib.sha256(parity_window(11).frames[0].jpeg).hexdigest()
    assert digest[:16] == "f014a518dbdfb634"
