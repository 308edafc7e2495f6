"""Sound as a WAV file: the window's span, silence where nothing was heard."""

from __future__ import annotations

import io
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import Interval
from strad_engines.messages import Audio
from streaming.media import SAMPLES_PER_MS, AudioChunk
from streaming.prompt.profiles import PROFILES
from streaming.prompt.wav import wav
from tests.streaming.prompt.windows import window

pytestmark = pytest.mark.unit


def samples(data: bytes) -> bytes:
    with wave.open(io.BytesIO(data)) as opened:
        assert opened.getparams()[:3] == (1, 2, 16_000)
        return opened.readframes(opened.getnframes())


@given(
    starts=st.lists(st.integers(0, 400), max_size=6),
    length=st.integers(0, 60),
    begin=st.integers(0, 300),
    span=st.integers(0, 200),
)
def test_every_sample_is_where_it_was_heard(
    starts: list[int], length: int, begin: int, span: int
) -> None:
    """Each millisecond holds the number of the first chunk that covers it, or silence."""
    each = 2 * SAMPLES_PER_MS
    chunks = [AudioChunk(t, bytes([n + 1]) * (each * length)) for n, t in enumerate(sorted(starts))]
    data = samples(wav(chunks, Interval(begin, begin + span)))
    assert len(data) == each * span
    for ms in range(span):
        there = [c for c in chunks if c.when.start <= begin + ms < c.when.end]
        assert data[each * ms] == (there[0].pcm[0] if there else 0)


def test_the_sound_begins_with_the_first_picture_and_ends_at_the_cursor() -> None:
    asked = window(10_000)
    [audio] = [p for p in PROFILES["phi4mm"].render(asked)[-1].parts if isinstance(p, Audio)]
    assert len(samples(audio.data)) == 7_000 * SAMPLES_PER_MS * 2
    assert audio.format == "wav"
