"""References and predictions brought together: nothing vanishes, everything odd is counted."""

from __future__ import annotations

import pytest

from strad.errors import FormatError, InputError
from strad.manifest import Manifest, Video
from strad.predictions import Prediction
from strad.record import TimedText
from strad_eval.material import Material, Predictions, bring_together
from strad_eval.readings import STRAD, readings

pytestmark = pytest.mark.eval


def _manifest(*ads: tuple[tuple[float, float, str], ...]) -> Manifest:
    videos = tuple(
        Video(
            id=f"v{n}",
            duration=100.0,
            ad=tuple(TimedText(start=s, end=e, text=t) for s, e, t in ad),
        )
        for n, ad in enumerate(ads)
    )
    return Manifest(version=1, name="set", videos=videos)


def _given(*parts: tuple[str, float, float, str]) -> Predictions:
    items = tuple(
        (line, Prediction(video_id=v, start=s, end=e, text=t))
        for line, (v, s, e, t) in enumerate(parts, start=2)
    )
    return Predictions(None, items, "preds.jsonl")


ONE = _manifest(((1.0, 2.0, "He nods."),))


def _doubts(material: Material) -> dict[str, int]:
    return dict(material.doubts.counts)


def test_an_unknown_video_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"preds\.jsonl:3: no video 'v9' in set"):
        bring_together(ONE, _given(("v0", 1, 2, "a"), ("v9", 1, 2, "b")), STRAD)


def test_an_unknown_video_can_be_left_out_and_is_counted() -> None:
    ignore = readings("strad", ("unknown_ids=ignore",))
    found = bring_together(ONE, _given(("v9", 1, 2, "b"), ("v0", 1, 2, "a")), ignore)
    assert _doubts(found)["predictions for unknown videos"] == 1
    assert len(found.programmes[0].predictions) == 1


def test_a_video_without_predictions_stays_and_is_counted() -> None:
    found = bring_together(ONE, _given(), STRAD)
    assert _doubts(found)["videos without predictions"] == 1
    assert [p.predicted for p in found.programmes] == [False]


def test_it_can_be_dropped_where_the_reading_says_so() -> None:
    two = _manifest(((1.0, 2.0, "He nods."),), ((1.0, 2.0, "She nods."),))
    found = bring_together(two, _given(("v1", 1, 2, "a")), readings("strad", ("missing=drop",)))
    assert [p.id for p in found.programmes] == ["v1"]


def test_nothing_to_score_is_an_error_not_a_number() -> None:
    with pytest.raises(InputError, match="no reference descriptions"):
        bring_together(_manifest(()), _given(("v0", 1, 2, "a")), STRAD)
    with pytest.raises(InputError, match="no video has predictions"):
        bring_together(ONE, _given(), readings("strad", ("missing=drop",)))


def test_every_odd_thing_is_counted() -> None:
    refs = ((1.0, 5.0, "He nods."), (1.0, 5.0, "He nods."), (4.0, 4.0, " "), (100.0, 101.0, "End"))
    said = _given(
        ("v0", 1, 3, "A\u2028b\rc"), ("v0", 1, 3, "A b c"), ("v0", 2, 2, ""), ("v0", 200, 201, "z")
    )
    found = bring_together(_manifest(refs), said, STRAD)
    assert _doubts(found) == {
        "videos without transcript": 1,
        "duplicate references": 1,
        "empty references": 1,
        "overlapping references": 2,
        "references of no length": 1,
        "references past the end": 1,
        "texts with line separators": 1,
        "duplicate predictions": 1,
        "empty predictions": 1,
        "overlapping predictions": 2,
        "predictions of no length": 1,
        "predictions past the end": 1,
    }
    assert found.programmes[0].predictions[0].text == "A b c"


def test_the_most_kept_are_the_first_in_file_order() -> None:
    said = _given(("v0", 9, 10, "last"), ("v0", 1, 2, "first"), ("v0", 5, 6, "cut"))
    found = bring_together(ONE, said, readings("strad", ("most_predictions=2",)))
    assert [e.text for e in found.programmes[0].predictions] == ["first", "last"]
    assert _doubts(found)["predictions over the most kept"] == 1
