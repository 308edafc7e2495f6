"""The manifest: written, read back the same, and every fault named by the line it stands on."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.errors import FormatError
from strad.manifest import (
    Manifest,
    Source,
    TranscriptLine,
    TranscriptWord,
    Video,
    read_manifest,
    write_manifest,
)
from strad.record import TimedText
from strad.speech import Word
from strad.timeline import Interval

pytestmark = pytest.mark.unit

SMALL = """{
  "version": 1,
  "name": "small",
  "videos": [
    {
      "id": "a",
      "source": {"path": "a.mp4"},
      "duration": 60.5,
      "ad": [
        {"start": 1, "end": 2.5, "text": "A boy plays piano."},
        {"start": 5, "end": 6, "text": "He stops.", "certain": true}
      ],
      "transcript": [
        {"start": 8, "end": 9, "text": "Bravo!", "speaker": "Mum"},
        {"start": 3, "end": 4, "text": "Hear that",
         "words": [
           {"start": 3, "end": 3.4, "text": "Hear"},
           {"start": 3.5, "end": 4, "text": "that", "probability": 0.5}
         ]}
      ],
      "alignment": {"offset": 0.25}
    },
    {"id": "b", "duration": 10, "ad": []}
  ],
  "licence": "CC0"
}
"""

spans = st.tuples(st.floats(0, 1e3), st.floats(0, 1e3)).map(sorted)
timed = spans.map(lambda span: TimedText(start=span[0], end=span[1], text="x"))
words = spans.map(lambda span: TranscriptWord(start=span[0], end=span[1], text="x"))
lines = st.builds(
    lambda span, words: TranscriptLine(start=span[0], end=span[1], text="y", words=words),
    spans,
    st.none() | st.lists(words, max_size=3).map(tuple),
)
sources = st.sampled_from([Source(path="a.mp4"), Source(url="https://x"), Source(youtube_id="y")])
videos = st.builds(
    Video,
    id=st.uuids().map(str),
    source=st.none() | sources,
    duration=st.floats(0.1, 1e5),
    ad=st.lists(timed, max_size=3).map(tuple),
    transcript=st.none() | st.lists(lines, max_size=3).map(tuple),
)
manifests = st.builds(
    Manifest,
    version=st.just(1),
    name=st.just("n"),
    videos=st.lists(videos, max_size=3, unique_by=lambda video: video.id).map(tuple),
)


@given(manifests)
def test_manifests_round_trip(manifest: Manifest) -> None:
    text = write_manifest(manifest)
    assert read_manifest(text) == manifest
    assert read_manifest("\ufeff" + text.replace("\n", "\r\n")) == manifest


def test_what_it_says_is_read() -> None:
    manifest = read_manifest(SMALL)
    first, second = manifest.videos
    assert first.duration_ms == 60_500
    assert [text.cue().when for text in first.ad] == [
        Interval(1_000, 2_500),
        Interval(5_000, 6_000),
    ]
    assert first.words() == (
        Word(Interval(3_000, 3_400), "Hear"),
        Word(Interval(3_500, 4_000), "that", 0.5),
        Word(Interval(8_000, 9_000), "Bravo!"),
    )
    assert (second.transcript, second.words(), second.source) == (None, (), None)


def test_unknown_fields_survive() -> None:
    assert json.loads(write_manifest(read_manifest(SMALL))) == json.loads(SMALL)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ('"version": 1', '"version": 2', 2, "version: Input should be 1"),
        ('"version": 1,', "", 1, "version: Field required"),
        ('"name": "small"', '"name": 5', 3, "name: Input should be a valid string"),
        ('"duration": 60.5', '"duration": 0', 8, "videos.0.duration: .* greater than 0"),
        ('"duration": 60.5', '"duration": NaN', 8, "not a finite number"),
        ('"duration": 60.5', '"duration": 1, "duration": 2', 8, "'duration' stands twice"),
        ('"start": 1,', '"start": 4,', 10, "videos.0.ad.0: it ends before it starts"),
        ('"start": 5', '"start": "5"', 11, "videos.0.ad.1.start"),
        (', "text": "He stops."', "", 11, "videos.0.ad.1.text: Field required"),
        ('"start": 3.5', '"start": -1', 18, "videos.0.transcript.1.words.1.start"),
        ('"probability": 0.5', '"probability": 1.5', 18, "probability"),
        ('"path": "a.mp4"', "", 7, "videos.0.source: want exactly one"),
        ('"path": "a.mp4"', '"path": "a", "url": "b"', 7, "videos.0.source: want exactly one"),
        ('"id": "b"', '"id": "a"', 23, "two videos have the id 'a'"),
        ('"id": "b", ', "", 23, "videos.1.id: Field required"),
        ('"ad": []', '"ad": [', 23, "not JSON"),
        ('"licence"', '"\\ud800"', 25, "Invalid JSON: .* end of hex escape"),
    ],
)
def test_a_fault_is_refused_by_its_line(old: str, new: str, line: int, what: str) -> None:
    assert SMALL.count(old) == 1
    with pytest.raises(FormatError, match=what) as refusal:
        read_manifest(SMALL.replace(old, new), file="m.json")
    assert (refusal.value.file, refusal.value.line) == ("m.json", line)
    assert "\n" not in str(refusal.value)
