"""Each augmentation changes what it is for and nothing else; what is drawn is drawn again."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from strad.cues import Cue
from strad.decision import Describe
from strad.errors import InputError
from strad.timeline import Interval
from streaming.describers.strad_ft.known_window import known_window
from streaming.prompt.profiles import PROFILES
from training.augmentations import AUGMENTATIONS, DEFAULTS, LATEST_WORDS, apply
from training.example import Example, Kind, Why
from training.rendering import rendered

pytestmark = pytest.mark.unit

SEEN = known_window(3)
OPENS = Describe(("Bo opens a letter.",), Interval(55_000, 57_000))
TOLD = tuple(Cue(Interval(t, t + 1_500), f"Thing {t}.") for t in range(1_000, 50_000, 5_000))
AD = Example("a", "f", Kind.AD, replace(SEEN, history=TOLD), OPENS, Why.UNSEEN_AD)
CLIP = replace(SEEN, words=(), history=(), facts=())
SEGMENT = Example(
    *("b", "f", Kind.SEGMENT, CLIP, OPENS, Why.SEGMENT, OPENS.when, ("Bo (red box)",)),
    plain=known_window(4).frames,
)


def changed(example: Example, name: str, seed: int) -> Example:
    return apply(example, [name], np.random.default_rng(seed))


def test_the_papers_defaults_leave_out_segment_and_audio() -> None:
    assert set(AUGMENTATIONS) - set(DEFAULTS) == {"segment", "audio"}


@pytest.mark.parametrize("name", AUGMENTATIONS)
def test_the_same_draw_is_the_same_change_and_the_answer_stays(name: str) -> None:
    moved = 0
    for example in (AD, SEGMENT):
        for seed in range(7):
            found = changed(example, name, seed)
            assert found == changed(example, name, seed)
            assert (found.answer, found.moment, found.kind) == (OPENS, example.moment, example.kind)
            assert found.window.when.end <= example.window.when.end
            assert all(frame.t <= found.window.when.end for frame in found.window.frames)
            for profile in PROFILES.values():
                rendered(found, profile)
            moved += found != example
    assert moved >= 1


def test_words_that_are_not_known_yet_are_hidden_and_heard() -> None:
    late = replace(SEEN.words[0], when=Interval(58_500, 58_900))
    window = replace(SEEN, words=(*SEEN.words, late), speech=(Interval(58_500, 59_000),))
    finals = set()
    for seed in range(40):
        found = changed(replace(AD, window=window), "words", seed).window
        assert SEEN.when.end - LATEST_WORDS <= found.words_final_to <= SEEN.when.end
        assert (late in found.words) == (late.when.start < found.words_final_to)
        assert found.speech == window.speech
        finals.add(found.words_final_to)
    assert len(finals) > 30


def test_the_context_loses_entries_or_has_them_twice() -> None:
    found = [changed(AD, "context", seed).window.history for seed in range(40)]
    texts = [[cue.text for cue in history] for history in found]
    assert any(len(set(told)) < len(TOLD) for told in texts)
    assert any(len(told) > len(set(told)) for told in texts)
    assert all(list(history) == sorted(history, key=lambda cue: cue.when) for history in found)
    assert all(cue.when.end <= SEEN.when.end for history in found for cue in history)


def test_without_boxes_nobody_is_named() -> None:
    found = next(c for s in range(9) if (c := changed(SEGMENT, "face", s)) != SEGMENT)
    assert (found.window.frames, found.names, found.plain) == (SEGMENT.plain, (), ())


def test_a_narrower_segment_shows_its_moment_and_less_around_it() -> None:
    for seed in range(20):
        found = changed(SEGMENT, "segment", seed).window
        assert SEEN.when.start <= found.when.start <= OPENS.when.start
        assert OPENS.when.end <= found.when.end <= SEEN.when.end
        assert len(found.frames) == 8
        heard = [chunk.when for chunk in found.audio]
        assert (heard[0].start, heard[-1].end) == (found.when.start, found.when.end)


def test_pictures_stay_pictures() -> None:
    for name in ("frame", "subtitle"):
        found = next(c for s in range(20) if (c := changed(AD, name, s)) != AD)
        sizes = {(frame.width, frame.height) for frame in found.window.frames}
        assert len(sizes) == 1
        assert {Image.open(io.BytesIO(f.jpeg)).size for f in found.window.frames} == sizes


def test_sound_is_louder_or_softer_and_as_long() -> None:
    found = next(c for s in range(9) if (c := changed(AD, "audio", s)) != AD)
    assert [c.when for c in found.window.audio] == [c.when for c in SEEN.audio]
    before, after = (np.frombuffer(e.window.audio[0].pcm, "<i2") for e in (AD, found))
    assert 0.45 < np.abs(after).mean() / np.abs(before).mean() < 2.2


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="no augmentation 'blur'"):
        apply(AD, ["blur"], np.random.default_rng(0))
