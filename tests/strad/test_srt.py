"""SRT: written plainly, read as the files in the wild are."""

from __future__ import annotations

import io

import pytest
import webvtt as independent
from hypothesis import given
from hypothesis import strategies as st

from strad.cue_text import srt_plain
from strad.cues import Cue
from strad.errors import FormatError
from strad.srt import read_srt, srt_cue, write_srt
from strad.timeline import Interval

pytestmark = pytest.mark.unit

texts = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            [
                "AT&T",
                "<3",
                "--",
                ">",
                "\n\n",
                "<i>",
                "<<i>b>",
                "{\\an8}",
                "7",
                "\n8\n",
                "00:00:01,000",
            ]
        ),
        max_size=6,
    ).map("".join),
)
spans = st.builds(
    lambda start, length: Interval(start, start + length),
    st.integers(0, 10**9),
    st.integers(1, 10**6),
)
cues = st.builds(Cue, spans, texts)


@given(st.lists(cues, max_size=6))
def test_written_files_round_trip(written: list[Cue]) -> None:
    in_order = sorted(written, key=lambda cue: cue.when.start)
    plain = [Cue(cue.when, srt_plain(cue.text)) for cue in in_order]
    text = write_srt(written)
    for variant in (text, "\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "\r")):
        assert read_srt(variant) == plain


@given(st.text(max_size=60))
def test_plain_text_is_left_alone(text: str) -> None:
    plain = srt_plain(text)
    assert srt_plain(plain) == plain
    assert "-->" not in plain


def test_an_independent_reader_finds_the_same_cues() -> None:
    text = write_srt([Cue(Interval(1_500, 2_000), "AT&T <3"), Cue(Interval(0, 1_000), "First.")])
    captions = independent.from_buffer(io.StringIO(text), format="srt").captions
    assert [(c.start, c.end, c.text) for c in captions] == [
        ("00:00:00.000", "00:00:01.000", "First."),
        ("00:00:01.500", "00:00:02.000", "AT&T <3"),
    ]


def test_markup_and_arrows_are_left_out() -> None:
    assert srt_cue(Cue(Interval(0, 0), "{\\an8}<i>a</i> -->\n\nb"), 3) == (
        "3\n00:00:00,000 --> 00:00:00,001\na -> b\n\n"
    )


def test_hostile_text_takes_no_long_time() -> None:
    assert srt_plain("<" * 50_000 + "i>" * 50_000) == "i" * 49_996
    assert srt_plain("-" * 200_000) == "-" * 200_000
    assert srt_plain("<i" * 100_000) == "<i" * 100_000


def test_files_in_the_wild_are_read() -> None:
    text = """

1
00:00:01,000 --> 00:00:02,000 X1:40 X2:600
<font color="red">A</font>
b

still the first

00:00:03.000 --> 00:00:04.000
{\\an8}2
9
00:05,000-->00:06,000

12
00:00:07,000 --> 00:00:08,000
13"""
    assert read_srt(text, language="fr") == [
        Cue(Interval(1_000, 2_000), "A b still the first", "fr"),
        Cue(Interval(3_000, 4_000), "2", "fr"),
        Cue(Interval(5_000, 6_000), "", "fr"),
        Cue(Interval(7_000, 8_000), "13", "fr"),
    ]
    assert read_srt("") == read_srt("\ufeff\r\n") == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("hello\n", 1, "before the first timing line"),
        ("1\n", 1, "before the first timing line"),
        ("\nWEBVTT\n\n1\n00:00:01,000 --> 00:00:02,000\nx\n", 2, "before the first timing line"),
        ("1\n00:00:01,000 --> 00:00:02\nx\n", 2, "not a timing line"),
        ("1\r\n00:00:01,000 --> 00:00:02,000\r\nx\r\n\r\n2\r\n00:99:01,000 --> 1\r\n", 6, "timing"),
        ("1\n00:00:03,000 --> 00:00:02,000\nx\n", 2, "ends before it starts"),
    ],
)
def test_broken_files_are_refused_by_line(text: str, line: int, what: str) -> None:
    with pytest.raises(FormatError, match=what) as refusal:
        read_srt(text, file="a.srt")
    assert (refusal.value.file, refusal.value.line) == ("a.srt", line)
