"""WebVTT: what we write is valid by the spec's grammar, and means the same when read back."""

from __future__ import annotations

import contextlib
import io
import itertools
import re
from pathlib import Path

import pytest
import webvtt as independent
from hypothesis import given
from hypothesis import strategies as st

from strad.cue_text import one_line
from strad.cues import Cue
from strad.errors import FormatError
from strad.timeline import Interval
from strad.webvtt import (
    MPEGTS_WRAP,
    draft_note,
    read_webvtt,
    webvtt_cue,
    webvtt_header,
    write_webvtt,
)

pytestmark = pytest.mark.unit

SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "vtt"

texts = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["AT&T", "<3", "-->", "\n\n", "<i>", "</i>", "&amp;", "&#10;", "NOTE", "<"]
        ),
        max_size=6,
    ).map(" ".join),
)
spans = st.builds(
    lambda start, length: Interval(start, start + length),
    st.integers(0, 10**9),
    st.integers(1, 10**6),
)
cues = st.builds(Cue, spans, texts, st.sampled_from(["en", "fr", "pt-BR"]))

TIME = r"(?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3}"
BLOCK = re.compile(
    rf"(?:NOTE(?:[ \t](?:(?!-->)[^\n])*)?|(?P<start>{TIME})[ \t]+-->[ \t]+(?P<end>{TIME})"
    r"\n(?P<text>(?:<lang [A-Za-z0-9-]+>)?(?:[^&<>\n]|&(?:amp|lt|gt);)*(?:</lang>)?))\n\n+"
)


def assert_valid(text: str) -> None:
    """Every part matches the grammar of the spec's section 4 (written down apart from ours)."""
    assert not re.search("[\x00\r]", text)
    text.encode()
    at, starts = len("WEBVTT\n\n"), []
    assert text[:at] == "WEBVTT\n\n"
    while at < len(text):
        found = BLOCK.match(text, at)
        assert found, text[at:]
        at = found.end()
        if found["start"]:
            assert found["start"].zfill(20) < found["end"].zfill(20)
            starts.append(found["start"].zfill(20))
    assert starts == sorted(starts)


@given(st.lists(cues, max_size=6), texts)
def test_written_files_are_valid_and_round_trip(written: list[Cue], note: str) -> None:
    text = write_webvtt(written, notes=[note])
    assert_valid(text)
    in_order = sorted(written, key=lambda cue: cue.when.start)
    assert read_webvtt(text) == [Cue(c.when, one_line(c.text), c.language) for c in in_order]


@given(st.lists(cues, max_size=6))
def test_reading_is_indifferent_to_line_ends_and_bom(written: list[Cue]) -> None:
    text = write_webvtt(written)
    for other in (text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text):
        assert read_webvtt(other) == read_webvtt(text)


@given(st.text(alphabet="WEBVT\n:0123456789.->< \tNOTE&;", max_size=120))
def test_reading_anything_gives_cues_or_a_format_error(tail: str) -> None:
    with contextlib.suppress(FormatError):
        assert all(cue.text == one_line(cue.text) for cue in read_webvtt("WEBVTT\n\n" + tail))


def test_an_independent_reader_finds_the_same_cues() -> None:
    written = [
        Cue(Interval(3_941, 7_359), "A boy plays piano."),
        Cue(Interval(3_600_000, 3_601_500), 'Words appear: "Search".'),
    ]
    text = write_webvtt(written, notes=[draft_note("facts")])
    captions = independent.from_buffer(io.StringIO(text)).captions
    assert [(c.start, c.end, c.text) for c in captions] == [
        ("00:00:03.941", "00:00:07.359", "A boy plays piano."),
        ("01:00:00.000", "01:00:01.500", 'Words appear: "Search".'),
    ]


def test_awkward_text_survives() -> None:
    cue = Cue(Interval(0, 1_000), "AT&T <3 -->\n\nnext")
    text = write_webvtt([cue])
    assert "AT&amp;T &lt;3 --&gt; next" in text
    assert read_webvtt(text) == [Cue(Interval(0, 1_000), "AT&T <3 --> next")]


def test_the_draft_label_stands_at_the_top() -> None:
    text = write_webvtt([Cue(Interval(0, 5), "x")], notes=[draft_note("facts"), "a --> b"])
    assert text.startswith(
        "WEBVTT\n\nNOTE Draft audio description, made automatically by facts;"
        " no person has checked it.\n\nNOTE a to b\n\n00:00:00.000 --> 00:00:00.005\nx\n\n"
    )
    assert_valid(text)


def test_a_file_can_be_written_piece_by_piece() -> None:
    written = [Cue(Interval(0, 5), "x"), Cue(Interval(5, 9), "y", "fr")]
    pieces = [webvtt_header(notes=["n"]), *map(webvtt_cue, written)]
    assert "".join(pieces) == write_webvtt(written, notes=["n"])
    for end in range(len(pieces)):
        assert len(read_webvtt("".join(pieces[: end + 1]))) == end


def test_a_live_segment_maps_its_zero_to_the_media_clock() -> None:
    cue = Cue(Interval(0, 5), "x")
    text = write_webvtt([cue], mpegts=MPEGTS_WRAP + 900_000)
    assert text.splitlines()[1] == "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000"
    assert read_webvtt(text) == [cue]


def test_an_empty_interval_is_written_one_millisecond_long() -> None:
    text = write_webvtt([Cue(Interval(7, 7), "x")])
    assert read_webvtt(text)[0].when == Interval(7, 8)
    assert read_webvtt("WEBVTT\n\n00:07.000 --> 00:07.000\nx")[0].when == Interval(7_000, 7_000)


def test_all_that_the_spec_lets_a_file_hold_is_read() -> None:
    text = """WEBVTT - a title
X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000
Language: fr

STYLE
::cue { color: red }

REGION
id:fred

NOTE
a comment
of two lines

NOTE one --> arrow

intro
00:01.000 --> 00:02.000 align:start position:10%
<v.loud Mary Ann>Bon<i.x>jour</i></v> <00:01.500><c>toi</c> &lt;3&nbsp;&eacute;
- deux

00:00:03.000-->00:00:04.000
<lang en>Hi</lang> <unclosed
00:05.000 --> 00:06.000

NOTE
00:07.000 --> 00:08.000
a cue whose identifier is NOTE
"""
    assert read_webvtt(text, file="a.vtt") == [
        Cue(Interval(1_000, 2_000), "Bonjour toi <3 \u00e9 - deux", "fr"),
        Cue(Interval(3_000, 4_000), "Hi <unclosed", "en"),
        Cue(Interval(5_000, 6_000), "", "fr"),
        Cue(Interval(7_000, 8_000), "a cue whose identifier is NOTE", "fr"),
    ]


def test_cues_may_follow_the_header_at_once() -> None:
    text = "WEBVTT\n00:01.000 --> 00:02.000\nx"
    assert read_webvtt(text, language="de") == [Cue(Interval(1_000, 2_000), "x", "de")]
    assert read_webvtt("WEBVTT") == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "starts with the line WEBVTT"),
        ("WEBVTTX\n", 1, "starts with the line WEBVTT"),
        ("WEBVTT\n\n00:01.000 --> 00:62.000\nx\n", 3, "not a timing line"),
        ("WEBVTT\n\n1\n00:01.00 --> 00:02.000\nx\n", 4, "not a timing line"),
        ("WEBVTT\n\n00:03.000 --> 00:02.000\nx\n", 3, "ends before it starts"),
        ("WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nx\r\n\r\ny\r\nz\r\n", 6, "outside any cue"),
        ("WEBVTT\n\nlonely\n", 3, "outside any cue"),
    ],
)
def test_broken_files_are_refused_by_line(text: str, line: int, what: str) -> None:
    with pytest.raises(FormatError, match=what) as refusal:
        read_webvtt(text, file="a.vtt")
    assert (refusal.value.file, refusal.value.line) == ("a.vtt", line)
    assert str(refusal.value).startswith(f"a.vtt:{line}: ")


def test_what_the_format_cannot_hold_is_refused() -> None:
    with pytest.raises(FormatError, match="before 0"):
        webvtt_cue(Cue(Interval(-1, 5), "x"))
    with pytest.raises(FormatError, match="language tag"):
        webvtt_cue(Cue(Interval(0, 5), "x", "en>"))


@pytest.mark.slow
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the shared sample files are not here")
def test_real_files_are_read_whole() -> None:
    for sample in SAMPLES.glob("*.vtt"):
        text = sample.read_text(encoding="utf-8")
        found = read_webvtt(text, file=sample.name)
        assert len(found) == text.count(" --> "), sample.name
        assert all(a.when.start <= b.when.start for a, b in itertools.pairwise(found))
