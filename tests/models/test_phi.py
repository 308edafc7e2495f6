"""Phi-4-multimodal in this process, over random weights: it is shown pictures and hears the sound.

Its way through vLLM is not tested here: that takes Microsoft's own code and real weights. What is
sent there is recorded in ``tests/strad_engines/test_phi_requests.py``.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Audio, Message, Sampling
from strad_engines.open_engine import open_engine
from streaming.media import SAMPLES_PER_MS, AudioChunk
from streaming.prompt.profiles import profile
from streaming.window import Window
from tests.models import shapes
from tests.models.checkpoints import kept
from tests.models.real_time import in_real_time
from tests.models.tiny_phi import save_phi

pytestmark = [pytest.mark.models, pytest.mark.slow]

PROFILE = profile("phi4mm")
GREEDY = Sampling(max_tokens=8, alternatives=2)
PICTURE, SECOND = 426, 12.5
"""Tokens of a picture, and of a second of sound."""


@pytest.fixture(scope="module")
def phi() -> Path:
    return kept("phi", "random", save_phi)


def heard(frequency: float) -> Window:
    """Three pictures, and a tone for the 2 s from the first to the last."""
    window = next(itertools.islice(shapes.samples(5), 3, None)).window
    start, samples = window.frames[-3].t, 3_000 * SAMPLES_PER_MS
    tone = np.sin(np.arange(samples) * 2 * np.pi * frequency / 16_000) * 8_000
    sound = AudioChunk(start, tone.astype("<i2").tobytes())
    return replace(window, frames=window.frames[-3:], audio=(sound,))


@in_real_time
async def test_it_is_shown_every_picture_and_hears_every_second(phi: Path) -> None:
    window = heard(440.0)
    deaf = replace(window, audio=())
    async with open_engine("transformers", str(phi)) as opened:
        assert (opened.abilities.audio, opened.abilities.video) == (True, False)
        one = await opened.engine.generate(PROFILE.render(window), GREEDY, deadline_s=120)
        two = await opened.engine.generate(PROFILE.render(deaf), GREEDY, deadline_s=120)
        assert opened.counter is not None
        count = await opened.counter.count(PROFILE.render(window), deadline_s=60)
    assert one.prompt_tokens == count
    assert one.prompt_tokens is not None
    assert two.prompt_tokens is not None
    assert two.prompt_tokens > 3 * PICTURE
    assert one.prompt_tokens - two.prompt_tokens == pytest.approx(2 * SECOND, abs=2)
    assert one.completion_tokens == 8


@in_real_time
async def test_another_sound_changes_what_it_would_say(phi: Path) -> None:
    async with open_engine("transformers", str(phi)) as opened:
        found = [
            await opened.engine.generate(PROFILE.render(heard(hertz)), GREEDY, deadline_s=120)
            for hertz in (200.0, 3_000.0)
        ]
    assert found[0].tokens[0].log_probability != found[1].tokens[0].log_probability


@in_real_time
async def test_random_weights_held_to_its_line_parse(phi: Path) -> None:
    window = replace(heard(440.0), audio=())
    hot = Sampling(120, temperature=1.5, seed=1, regex=PROFILE.regex())
    async with open_engine("transformers", str(phi)) as opened:
        found = await opened.engine.generate(PROFILE.render(window), hot, deadline_s=120)
    assert found.text.startswith(("AD (t=", "WAIT"))


@in_real_time
async def test_sound_that_is_none_is_refused(phi: Path) -> None:
    async with open_engine("transformers", str(phi)) as opened:
        chat = (Message("user", (Audio(b"no wav"),)),)
        with pytest.raises(EngineRefusedError, match="sound can't be read"):
            await opened.engine.generate(chat, GREEDY, deadline_s=60)
