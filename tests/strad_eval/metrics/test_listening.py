"""The small metrics, each with its arithmetic."""

from __future__ import annotations

import math

import pytest

from strad.efficiency import Outcome, WindowLog
from strad_eval.gaps import gaps_in, silence_after
from strad_eval.matching.iou import overlaps
from strad_eval.metrics.density import density
from strad_eval.metrics.failed import failed
from strad_eval.metrics.gap_use import gap_use
from strad_eval.metrics.lag import lag
from strad_eval.metrics.late import late
from strad_eval.metrics.near_repeats import near_repeats
from strad_eval.metrics.overlap import overlap
from strad_eval.metrics.repetition import repetition
from strad_eval.metrics.rtf import rtf
from strad_eval.metrics.share import Share, total
from strad_eval.metrics.speech_rate import speech_rate
from strad_eval.metrics.spill import spill
from strad_eval.metrics.style import style
from strad_eval.unit import Span, Unit, spans_of
from tests.strad_eval.toy import events

pytestmark = pytest.mark.eval


def _unit(
    *said: tuple[float, float, str],
    gold: tuple[tuple[float, float, str], ...] = (),
    speech: tuple[Span, ...] | None = None,
) -> Unit:
    return Unit("v", 0, (0.0, 60.0), events(*gold), events(*said), speech, words="", duration=60.0)


def test_rep_is_decided_after_lower_casing_and_without_punctuation() -> None:
    # Pairs: (He smiles., he smiles!) repeat; (he smiles!, She) no; (She, "") no; ("", "") no.
    unit = _unit((0, 1, "He smiles."), (2, 3, "he smiles!"), (4, 5, "She"), (6, 7, ""), (8, 9, ""))
    assert repetition(unit) == Share(1, 4)
    assert math.isnan(repetition(_unit((0, 1, "He smiles."))).value)


def test_ol_is_time_over_speech_of_all_time_predicted() -> None:
    # Speech 2-5 and 8-9. [1,4]: 2 s of 3; [4,10]: 1 + 1 s of 6. (2 + 2) / (3 + 6) = 4/9.
    unit = _unit((1, 4, "a"), (4, 10, "b"), speech=((2.0, 5.0), (8.0, 9.0)))
    assert overlap(unit).value == pytest.approx(4 / 9)
    # A guard of 0.5 s makes speech 1.5-5.5 and 7.5-9.5: 2.5 + 1.5 + 2 = 6 of 9.
    assert overlap(unit, 0.5).value == pytest.approx(6 / 9)


def test_ol_counts_descriptions_over_each_other_twice_and_needs_a_transcript() -> None:
    assert overlap(_unit((0, 2, "a"), (0, 2, "b"), speech=((1.0, 2.0),))) == Share(2.0, 4.0)
    assert math.isnan(overlap(_unit((0, 2, "a"))).value)
    assert math.isnan(overlap(_unit(speech=((1.0, 2.0),))).value)


def test_spill_is_spoken_length_past_the_next_speech() -> None:
    # 5 words at 150 a minute take 2 s. From 1 there is room until 2: 1 s over. From 10 there is
    # room until 20: none. From 20.5 somebody speaks: all 2 s. (1 + 0 + 2) of 6 s; 2 of 3 events.
    text = "one two three four five"
    unit = _unit((1, 9, text), (10, 11, text), (20.5, 21, text), speech=((2.0, 5.0), (20.0, 30.0)))
    found = spill(unit, 150.0)
    assert found.events == Share(2, 3)
    assert found.seconds.value == pytest.approx(3 / 6)


def test_spill_past_the_end_of_the_video_counts() -> None:
    # 2 s to say, 1 s of video left.
    found = spill(_unit((59, 60, "one two three four five"), speech=()), 150.0)
    assert found.seconds.value == pytest.approx(0.5)


def test_late_is_judged_against_the_matched_reference() -> None:
    # Starts +0.5, +3 and nothing: 1 of 2 late, mean error 1.75 s.
    unit = _unit(
        (1.5, 4, "a"),
        (13, 16, "b"),
        (40, 41, "c"),
        gold=((1, 4, "a"), (10, 15, "b"), (50, 51, "c")),
    )
    pairs = overlaps(spans_of(unit.references), spans_of(unit.predictions))
    found = late(unit, pairs, 2.0)
    assert found.events == Share(1, 2)
    assert found.start_error.value == pytest.approx(1.75)


def test_speech_rate_is_words_over_predicted_minutes() -> None:
    # 5 words in 2 s and 1 word in 1 s: 6 words in 3 s = 120 a minute; 5 in 2 s = 150 is not over
    # 149.9. Nothing in no time is fast by definition if it says a word.
    unit = _unit((0, 2, "one two three four five"), (3, 4, "one"), (5, 5, "two"))
    found = speech_rate(unit, 149.9)
    assert found.words_a_minute.value == pytest.approx(7 / (3 / 60))
    assert found.too_fast == Share(2, 3)


def test_density_is_predicted_over_reference() -> None:
    unit = _unit((0, 3, "a b c"), gold=((0, 1, "a b"), (2, 3, "c d")))
    found = density(unit)
    assert [share.value for share in found] == [0.5, 1.5, 0.75]
    assert math.isnan(density(_unit((0, 3, "a"))).events.value)


def test_near_repeats_look_back_some_descriptions() -> None:
    # "he walks to the door" against "he walks to a door": LCS 4 of 5 and 5: F = 0.8.
    unit = _unit(
        (0, 1, "He walks to the door."), (2, 3, "A dog."), (4, 5, "He walks to a door."), (6, 7, "")
    )
    assert near_repeats(unit, 0.8, back=2) == Share(1, 3)
    assert near_repeats(unit, 0.8, back=1) == Share(0, 3)
    assert near_repeats(unit, 0.81, back=2) == Share(0, 3)


def test_gap_use_is_time_described_of_usable_gaps() -> None:
    # Speech 10-20 and 21-50: gaps 0-10 and 50-60 (20-21 is too short). Predicted 5-12 gives 5 s,
    # 55-58 and 56-59 give 4 s together: 9 of 20. The reference 0-2: 2 of 20.
    unit = _unit(
        (5, 12, "a"),
        (55, 58, "b"),
        (56, 59, "c"),
        gold=((0, 2, "d"),),
        speech=((10.0, 20.0), (21.0, 50.0)),
    )
    found = gap_use(unit, 2.0)
    assert found.predicted == Share(9.0, 20.0)
    assert found.reference == Share(2.0, 20.0)


def test_gaps_end_with_the_chunk_even_where_the_next_speech_is_known() -> None:
    assert gaps_in((0.0, 60.0), ((70.0, 80.0),), 2.0) == [(0.0, 60.0)]
    assert gaps_in((0.0, 60.0), ((55.0, 80.0),), 2.0) == [(0.0, 55.0)]
    assert gaps_in((10.0, 60.0), ((5.0, 12.0), (59.0, 60.0)), 2.0) == [(12.0, 59.0)]


def test_silence_lasts_until_the_next_speech_or_the_end() -> None:
    speech = ((10.0, 20.0), (30.0, 40.0))
    assert silence_after(5.0, speech, 60.0) == 5.0
    assert silence_after(10.0, speech, 60.0) == 0.0
    assert silence_after(20.0, speech, 60.0) == 10.0
    assert silence_after(45.0, speech, 60.0) == 15.0
    assert silence_after(70.0, speech, 60.0) == 0.0


def _window(decision: Outcome, **more: float) -> WindowLog:
    base = {"video_id": "v", "cursor": 10.0, "advance": 2.0, "wall": 1.0}
    return WindowLog.model_validate({**base, "decision": decision, **more})


def test_rtf_and_lag_are_means_over_windows_that_gave_a_description() -> None:
    # RTF: 1/2 and 1/4: 0.375. LAG: 10 - 7 = 3 and 20 - 19 = 1: 2. Waits and failures do not count.
    windows = [
        _window(Outcome.AD, ad_start=7.0, emitted_at=12.0),
        _window(Outcome.AD, ad_start=19.0, cursor=20.0, advance=4.0),
        _window(Outcome.WAIT, wall=100.0),
        _window(Outcome.FAILED, wall=100.0),
    ]
    assert rtf(windows).value == pytest.approx(0.375)
    assert rtf(windows, stride_s=2.0).value == pytest.approx(0.5)
    assert lag(windows).value == pytest.approx(2.0)
    assert lag(windows, emitted=True).value == pytest.approx(5.0)
    assert failed(windows) == Share(1, 4)
    assert math.isnan(rtf([]).value)
    assert math.isnan(lag(windows[2:]).value)


def test_shares_of_parts_add_up_to_the_wholes() -> None:
    assert total([Share(1, 2), Share(2, 2)]) == Share(3, 4)
    assert math.isnan(total([]).value)


def test_style_shares_are_over_all_descriptions() -> None:
    unit = Unit(
        "v",
        0,
        (0.0, 60.0),
        (),
        events((0, 1, "The camera pans to Anna."), (2, 3, "He said so they had won the war.")),
        (),
        words="and so they had won the war",
    )
    found = style(unit, {"anna": 30.0})
    assert found["camera-talk"] == Share(1, 2)
    assert found["past-tense"] == Share(1, 2)
    assert found["names-too-early"] == Share(1, 2)
    assert found["echoes-speech"] == Share(1, 2)
    assert math.isnan(style(unit, None)["echoes-speech"].value)
