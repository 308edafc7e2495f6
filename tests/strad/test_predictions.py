"""Predictions: written, read back the same, refused by line when broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.cues import Cue
from strad.errors import FormatError
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.timeline import Interval

pytestmark = pytest.mark.unit

HEADER = PredictionsHeader(strad="predictions", version=1, describer="facts", draft=True)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
spans = st.builds(
    lambda start, length: Interval(start, start + length),
    st.integers(0, 10**9),
    st.integers(0, 10**6),
)
cues = st.builds(Cue, spans, texts)


@given(st.lists(cues, max_size=5), st.sampled_from([None, HEADER]))
def test_cues_survive_to_the_millisecond(
    written: list[Cue], header: PredictionsHeader | None
) -> None:
    predictions = [Prediction.of("v1", cue) for cue in written]
    text = PREDICTIONS.write(predictions, header)
    for lines in (text.split("\n"), text.encode().splitlines(keepends=True)):
        read_header, read = PREDICTIONS.read(lines)
        assert (read_header, read) == (header, predictions)
        assert [prediction.cue() for prediction in read] == written


def test_the_format_is_the_documented_one() -> None:
    text = PREDICTIONS.write([Prediction.of("v", Cue(Interval(1_200, 3_400), "A dog."))], HEADER)
    assert text == (
        '{"strad":"predictions","version":1,"describer":"facts","draft":true}\n'
        '{"video_id":"v","start":1.2,"end":3.4,"text":"A dog."}\n'
    )


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"video_id": "v", "start": 2, "end": 1, "text": "x"}', "it ends before it starts"),
        (
            '{"video_id": "v", "start": -1, "end": 1, "text": "x"}',
            "start: .* greater than or equal",
        ),
        ('{"video_id": "v", "start": 0, "end": NaN, "text": "x"}', "not a finite number: NaN"),
        ('{"video_id": "v", "start": 0, "end": 1e10, "text": "x"}', "end: .* less than or equal"),
        ('{"video_id": "v", "start": "0", "end": 1, "text": "x"}', "start: .* valid number"),
        ('{"video_id": "v", "start": null, "end": 1, "text": "x"}', "start: .* valid number"),
        ('{"video_id": "", "start": 0, "end": 1, "text": "x"}', "video_id: .* at least 1"),
        ('{"start": 0, "end": 1, "text": "x"}', "video_id: Field required"),
        ('{"video_id": "v", "start": 0, "end": 1}', "text: Field required"),
        ('{"strad": "predictions", "version": 1}', "a header may only be the first line"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(line: str, what: str) -> None:
    text = f"{HEADER.line()}\n{line}\n"
    with pytest.raises(FormatError, match=what) as refusal:
        PREDICTIONS.read(text.split("\n"), file="p.jsonl")
    assert str(refusal.value).startswith("p.jsonl:2: ")
