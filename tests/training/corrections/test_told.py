"""What a stream told, from every file that the product writes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from strad.cues import Cue
from strad.errors import FormatError, InputError
from strad.timeline import Interval
from training.corrections.told import edited_in, flagged_in, flags_of, told_in

pytestmark = pytest.mark.unit

AD = (
    '{"type": "ad", "seq": %d, "id": "%s", "number": 1, "start": %s, "end": %s, "text": "%s",'
    ' "language": "en", "kind": "scene", "forms": [], "rate": 1.0, "provisional": true,'
    ' "window_end": 18.0, "lag_cursor": 2.0, "lag_emit": 3.0, "late": false, "draft": true,'
    ' "describer": "facts"}'
)
BIRD = Cue(Interval(16_000, 18_400), "A bird is in view.")
DOG = Cue(Interval(30_000, 31_000), "A dog runs.")
VTT = (
    "WEBVTT\n\n00:16.000 --> 00:18.400\nA bird is in view.\n\n"
    "00:30.000 --> 00:31.000\nA dog runs.\n"
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "log"
    path.write_text(text)
    return path


def test_of_an_event_log_what_was_withdrawn_was_not_told(tmp_path: Path) -> None:
    log = [
        '{"type": "state", "seq": 1, "state": "live"}',
        AD % (2, "ad-1", 16.0, 18.4, BIRD.text),
        AD % (3, "ad-2", 20.0, 21.0, "Nothing."),
        '{"type": "words", "words": [{"start": 1, "end": 2, "text": "a"}], "until": 3}',
        '{"type": "withdraw", "seq": 4, "id": "ad-2", "at": 20.0, "reason": "speech"}',
        '{"type": "end", "seq": 5}',
    ]
    assert told_in(written(tmp_path, "\n".join(log))) == [BIRD]


def test_tracks_and_predictions_are_read_too(tmp_path: Path) -> None:
    assert told_in(written(tmp_path, VTT)) == [BIRD, DOG]
    lines = (
        '{"strad": "predictions", "version": 1}\n'
        '{"video_id": "b", "start": 30, "end": 31, "text": "A dog runs."}\n'
        '{"video_id": "a", "start": 16, "end": 18.4, "text": "A bird is in view."}\n'
    )
    path = written(tmp_path, lines)
    assert told_in(path, "a") == [BIRD]
    with pytest.raises(InputError, match=r"holds 2 videos \(a, b\): give --video-id"):
        told_in(path)


def test_an_editors_empty_text_is_a_deletion(tmp_path: Path) -> None:
    assert edited_in(written(tmp_path, VTT.replace("A dog runs.", "&nbsp;"))) == [BIRD]


def test_flags_are_of_the_description_they_name(tmp_path: Path) -> None:
    lines = (
        '{"strad": "flags", "version": 1, "stream": "news", "log": "9f"}\n'
        '{"start": 16.0, "end": 18.4, "id": "ad-1", "text": "A bird is in view.", '
        '"language": "en", "kind": "scene", "describer": "facts", "draft": true, '
        '"window_end": 18.0, "lag_emit": 3.0, "late": false, '
        '"flags": [{"kind": "wrong", "note": "It is a dog.", "by": "5f"}]}\n'
    )
    path = written(tmp_path, lines)
    flagged = flagged_in(path)
    assert flags_of(BIRD, flagged) == tuple(flagged)
    assert flags_of(DOG, flagged) == ()
    with pytest.raises(InputError, match="give it as --flags"):
        told_in(path)


def test_a_broken_log_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"log:2: ad"):
        told_in(written(tmp_path, '{"type": "end", "seq": 5}\n{"type": "ad", "start": "x"}\n'))
