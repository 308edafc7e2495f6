"""Which prediction belongs to which reference, and what is done about the rest."""

from __future__ import annotations

import pytest

from strad.errors import FormatError, InputError
from strad.manifest import Manifest, Video
from strad.predictions import Prediction
from strad.record import TimedText
from strad_eval.material import Predictions
from strad_eval.segments.pairing import pair_rows
from strad_eval.segments.readings import PRESETS, SegmentReadings, segment_readings
from strad_eval.segments.row import Rows

pytestmark = pytest.mark.eval

Said = tuple[float, float, str]


def _manifest(videos: dict[str, list[Said]], films: dict[str, str] | None = None) -> Manifest:
    listed = [
        Video.model_validate(
            {
                "id": name,
                "duration": 99.0,
                "ad": tuple(TimedText(start=s, end=e, text=t) for s, e, t in said),
                **({"imdbid": films[name]} if films else {}),
            }
        )
        for name, said in videos.items()
    ]
    return Manifest(version=1, name="toy", videos=tuple(listed))


def _given(videos: dict[str, list[Said]]) -> Predictions:
    listed = [
        Prediction(video_id=name, start=s, end=e, text=t)
        for name, said in videos.items()
        for s, e, t in said
    ]
    return Predictions(None, tuple(enumerate(listed, start=1)), "preds.jsonl")


def _paired(
    references: dict[str, list[Said]],
    predictions: dict[str, list[Said]],
    *changes: str,
    **more: bool,
) -> Rows:
    readings = segment_readings("strad", changes)
    return pair_rows(_manifest(references), _given(predictions), readings, **more)  # type: ignore[arg-type]


REFS = {"a": [(1.0, 2.0, "One."), (3.0, 4.0, "Two."), (3.0, 4.0, "Three.")]}


def test_equal_times_pair_and_of_equal_times_the_files_order() -> None:
    found = _paired(REFS, {"a": [(3.0, 4.0, "x"), (1.0001, 2.0, "y"), (3.0, 4.0, "z")]})
    assert [row.description for row in found.rows] == ["y", "x", "z"]
    assert (found.predicted, found.paired) == (3, 3)


def test_a_missing_prediction_is_an_empty_row_counted() -> None:
    found = _paired(REFS, {"a": [(1.0, 2.0, "x")]})
    assert [row.description for row in found.rows] == ["x", "", ""]
    assert found.odd["references without a prediction"] == 2
    assert any("scored 0" in what and times == 2 for what, times in found.odd.items())
    assert len(_paired(REFS, {"a": [(1.0, 2.0, "x")]}, "missing=drop").rows) == 1


@pytest.mark.parametrize(
    ("predictions", "complaint"),
    [
        ({"a": [(1.0, 2.0, "x"), (5.0, 6.0, "y")]}, r"preds\.jsonl:2: no reference of 'a' left"),
        ({"b": [(1.0, 2.0, "x")]}, r"preds\.jsonl:1: no video 'b'"),
    ],
)
def test_what_belongs_to_nothing_is_refused_with_its_line(
    predictions: dict[str, list[Said]], complaint: str
) -> None:
    with pytest.raises(FormatError, match=complaint):
        _paired(REFS, predictions)
    found = _paired(REFS, predictions, "unknown=ignore")
    assert found.odd["predictions that belong to no reference (left out)"] == 1


def test_pairs_by_order_want_as_many() -> None:
    times = [(50.0, 51.0, "c"), (10.0, 11.0, "a"), (20.0, 21.0, "b")]
    found = _paired(REFS, {"a": times}, "pair=order")
    assert [row.description for row in found.rows] == ["a", "b", "c"]
    with pytest.raises(FormatError, match="2 predictions for 3 references"):
        _paired(REFS, {"a": times[:2]}, "pair=order")


def test_documents_pair_by_overlap_in_order_one_to_one() -> None:
    references = {"a": [(0.0, 4.0, "One."), (5.0, 9.0, "Two."), (20.0, 22.0, "Three.")]}
    predictions = {"a": [(6.0, 9.0, "two"), (1.0, 4.0, "one"), (3.0, 5.5, "astride")]}
    found = _paired(references, predictions, in_time=True)
    assert [row.description for row in found.rows] == ["one", "two", ""]
    assert (found.predicted, found.paired) == (3, 2)
    strict = _paired(references, predictions, "least_iou=0.75", in_time=True)
    # 3 of 4 s is 0.75 less the epsilon: not above.
    assert strict.paired == 0


def test_rows_stand_by_film_then_youtube_id_then_start() -> None:
    videos = {
        "2014/zz": [(1.0, 2.0, "c")],
        "2011/bb": [(3.0, 4.0, "b"), (1.0, 2.0, "a")],
        "2012/aa": [(1.0, 2.0, "d")],
    }
    films = {"2014/zz": "tt1", "2011/bb": "tt1", "2012/aa": "tt2"}
    found = pair_rows(_manifest(videos, films), _given({}), SegmentReadings())
    assert [row.reference.text for row in found.in_film_order()] == ["a", "b", "c", "d"]
    mapped = pair_rows(_manifest(videos), _given({}), SegmentReadings(), films)
    assert mapped.in_film_order()[0].film == "tt1"
    assert (
        pair_rows(_manifest(videos), _given({}), SegmentReadings()).odd[
            "videos without an IMDb id (their own id stands for it)"
        ]
        == 3
    )


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(InputError, match="no row to score"):
        _paired({"a": []}, {})
    with pytest.raises(InputError, match="no row to score"):
        _paired(REFS, {}, "missing=drop")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("colour=red", "NAME from pair"),
        ("recall_k=9", "between 1 and recall_n"),
        ("recall_n=x", "invalid literal"),
        ("least_iou=1", "below 1"),
        ("least_iou=-0.5", "out of range"),
        ("recall_ties=toss", "choose from index, hit, miss"),
    ],
)
def test_readings_are_checked(change: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        segment_readings("strad", (change,))


def test_presets_are_the_papers() -> None:
    assert (PRESETS["strad"].recall_k, PRESETS["strad"].recall_n) == ((1,), 5)
    assert (PRESETS["madeval"].recall_k, PRESETS["madeval"].recall_n) == ((5,), 16)
    with pytest.raises(InputError, match="--compat x"):
        segment_readings("x")
