"""The segment score with injected instruments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.manifest import Manifest, Video
from strad.predictions import Prediction
from strad.record import TimedText
from strad_eval.material import Predictions
from strad_eval.meteor.jar import MeteorJar
from strad_eval.metrics.recall_within import Matrix
from strad_eval.segments.instruments import Casts, Instruments, Judged
from strad_eval.segments.pairing import pair_rows
from strad_eval.segments.readings import segment_readings
from strad_eval.segments.report import Made, segment_document, segment_sheet
from strad_eval.segments.row import Rows
from strad_eval.segments.score import score_segments
from tests.strad_eval.toy import needs_java

pytestmark = pytest.mark.eval


class SameText:
    """A likeness that knows only whether two texts are equal."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def matrix(self, descriptions: Sequence[str], references: Sequence[str]) -> Matrix:
        self.asked.append(tuple(references))
        return np.array([[float(d == r) for r in references] for d in descriptions])


def _rows(*clips: tuple[str, str, list[tuple[str, str]]], changes: tuple[str, ...] = ()) -> Rows:
    """Each clip: its film, its id, and references with their predictions, a second apart."""
    videos, items = [], []
    for film, clip, pairs in clips:
        ad = [TimedText(start=float(i), end=i + 0.5, text=r) for i, (r, _) in enumerate(pairs)]
        fields = {"id": clip, "duration": 99.0, "ad": tuple(ad), "imdbid": film}
        videos.append(Video.model_validate(fields))
        items += [
            Prediction(video_id=clip, start=float(i), end=i + 0.5, text=p)
            for i, (_, p) in enumerate(pairs)
        ]
    manifest = Manifest(version=1, name="toy", videos=tuple(videos))
    given = Predictions(None, tuple(enumerate(items, 1)), "p")
    return pair_rows(manifest, given, segment_readings("strad", changes))


def _same(*texts: str) -> list[tuple[str, str]]:
    return [(text, text) for text in texts]


def test_perfect_descriptions_score_most_and_cider_counts_the_whole_set() -> None:
    rows = _rows(
        ("tt1", "a", _same("A man runs away.", "She sits down there.")),
        ("tt2", "b", _same("He smiles.")),
    )
    figures = score_segments(rows, segment_readings(), Instruments()).figures
    # Two words top out at 5 of 10, four at 10; one corpus of three rows.
    assert figures["cider"].value == pytest.approx((10 + 10 + 5) / 3)
    assert figures["rouge_l"].value == 1.0
    assert figures["cider"].by_film == {"tt1": pytest.approx(10.0), "tt2": pytest.approx(5.0)}


def test_an_empty_prediction_scores_zero_in_everything() -> None:
    rows = _rows(("tt1", "a", [("A man runs.", ""), ("A dog sits.", "A dog sits.")]))
    result = score_segments(rows, segment_readings(), Instruments())
    assert result.per_row["cider"][0] == 0.0
    assert result.figures["rouge_l"].value == 0.5


def test_recall_runs_over_one_sequence_of_all_clips_without_the_short_ones() -> None:
    likeness = SameText()
    rows = _rows(
        ("tt2", "z", _same("e", "f")),
        ("tt1", "b", _same("c", "d")),
        ("tt1", "a", [("a", "a"), ("b", "x")]),
        ("tt1", "c", _same("lonely")),
        changes=("recall_n=2",),
    )
    given = Instruments(likeness=likeness)
    result = score_segments(rows, segment_readings("strad", ("recall_n=2",)), given)
    # a b c d e f, windows of two from each row on: only "b" (said "x") misses: all its likenesses
    # are 0, and by index it comes first in (b, c), second in (a, b).
    assert likeness.asked == [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f")]
    assert result.figures["recall_1_2"].value == pytest.approx(9 / 10)
    assert result.rows.odd["clips with fewer than 2 references (left out of recall)"] == 1


def test_critic_is_pooled_over_films_with_a_cast() -> None:
    rows = _rows(
        ("tt1", "a", [("Ann sits.", "Ann sits."), ("Bob runs.", "It rains.")]),
        ("tt2", "b", _same("Cy waves.")),
    )

    def names(text: str) -> list[list[tuple[int, int]]]:
        found = []
        for name in ("Ann", "Bob"):
            at = [i for i in range(len(text)) if text.startswith(name, i)]
            found.append([(i, i + 3) for i in at])
        return found

    casts = Casts(names, {"tt1": ("Ann", "Bob")})
    result = score_segments(rows, segment_readings(), Instruments(casts=casts))
    assert (result.figures["critic"].value, result.figures["critic"].rows) == (0.5, 2)
    assert result.rows.odd["films without a cast list (left out of CRITIC)"] == 1


def test_judges_answers_are_counted_and_what_could_not_be_read_is_said() -> None:
    rows = _rows(("tt1", "a", [("a", "a"), ("b", ""), ("c", "c")]))
    judged = Judged("tiny", "0-5", ["{'score': 5}", None, "well"])
    result = score_segments(rows, segment_readings(), Instruments(judged=[judged]))
    assert result.figures["llm_ad_eval:0-5:tiny"].value == pytest.approx(5 / 3)
    assert result.per_row["llm_ad_eval:0-5:tiny"] == [5.0, 0.0, None]
    assert any("without a rating (scored 0)" in what for what in result.rows.odd)


CLIPS = [
    ("tt2", "z", [("A man runs away now.", "A man walks."), ("She sits.", "She sits down.")]),
    ("tt1", "b", [("It rains on them all.", "It rains."), ("He reads a letter.", "")]),
    ("tt1", "a", [("A dog barks at a cat.", "A cat."), ("Night falls here.", "Night falls.")]),
]


@given(st.permutations(CLIPS))
def test_the_order_of_the_files_changes_nothing(clips: list[Any]) -> None:
    readings = segment_readings("strad", ("recall_n=2",))
    first, other = (
        score_segments(_rows(*one), readings, Instruments(likeness=SameText())).figures
        for one in (CLIPS, clips)
    )
    for name, figure in first.items():
        assert other[name].value == pytest.approx(figure.value)


def test_the_report_names_what_it_was_made_with() -> None:
    rows = _rows(("tt1", "a", _same("A man runs.")), ("tt2", "b", _same("A dog sits down.")))
    judged = Judged("tiny", "1-5", ["{'score': 5}", "4"])
    given = Instruments(judged=[judged], absent=["METEOR is not scored: no java"])
    result = score_segments(rows, segment_readings(), given)
    made = Made("segment", "strad", {}, {"strad": "0"}, {"judge tiny": "at x"})
    document = segment_document(result, made)
    assert set(document["prompts"]) == {"llm_ad_eval_1_5_v1"}
    assert document["rows"][1]["llm_ad_eval:1-5:tiny"] == 4.0
    sheet = segment_sheet(document)
    assert sheet.odd[0] == "METEOR is not scored: no java"
    assert [row[0] for row in sheet.grids[1].rows] == ["tt1", "tt2"]
    assert "recall_n=5" in sheet.small[0]


@pytest.mark.slow
@needs_java
def test_meteor_is_pooled_unless_the_reading_says_mean(jar: MeteorJar) -> None:
    rows = _rows(
        ("tt1", "a", [("A man runs.", "The man is running."), ("A dog sits.", "A dog sits.")])
    )
    given = Instruments(meteor=jar)
    pooled = score_segments(rows, segment_readings(), given).figures["meteor"].value
    mean = score_segments(rows, segment_readings("strad", ("meteor=mean",)), given)
    # ("a man runs", "the man is running") is 0.285333 (reference page), a perfect one 1.
    assert mean.figures["meteor"].value == pytest.approx((0.285333 + 1) / 2, abs=1e-6)
    assert not math.isclose(pooled, mean.figures["meteor"].value)
