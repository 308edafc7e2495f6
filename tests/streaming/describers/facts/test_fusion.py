"""Several detectors become one list, and agreement counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.describers.facts.box import Box
from streaming.describers.facts.fusion import WHOLE, fused
from streaming.describers.facts.look import Detection
from tests.streaming.describers.facts.scenes import (
    EFFICIENTDET,
    FACE_NETS,
    FACES,
    LARGE,
    column,
    seen,
)

pytestmark = pytest.mark.unit

FACE_BOX = Box(0.4, 0.15, 0.5, 0.3)

edges = st.floats(0, 1, allow_nan=False)
boxes = st.builds(
    lambda x, y, width, height: Box(x, y, x + width, y + height).clipped(),
    edges, edges, edges, edges,
)  # fmt: skip
detections = st.lists(
    st.builds(
        Detection,
        st.sampled_from(["person", "cat", "cup", "face"]),
        st.floats(0.3, 1),
        boxes,
        st.sampled_from(["one", "two"]).map(lambda name: frozenset({name})),
    ),
    max_size=12,
)


def test_agreement_raises_the_score_and_is_remembered() -> None:
    other = seen("cat", 0.6, box=Box(0.22, 0.1, 0.72, 0.9), by=(EFFICIENTDET,))
    (cat,) = fused([seen("cat", 0.5), other])
    assert cat.score == pytest.approx(0.8)
    assert cat.by == {"ssd", EFFICIENTDET}


def test_a_detector_does_not_agree_with_itself() -> None:
    (cat,) = fused([seen("cat", 0.6), seen("cat", 0.5)])
    assert cat.score == 0.6


def test_two_cats_side_by_side_stay_two() -> None:
    assert len(fused([seen("cat", box=column(0, 2)), seen("cat", box=column(1, 2))])) == 2


def test_of_two_labels_for_one_thing_the_surer_stays() -> None:
    (cup,) = fused([seen("cup", 0.95), seen("bowl", 0.87)])
    assert cup.label == "cup"


def test_a_face_vouches_for_the_person_around_it() -> None:
    person, face = fused([seen("person", 0.4), seen("face", 0.9, box=FACE_BOX, by=FACE_NETS)])
    assert person.label == "person"
    assert person.score == pytest.approx(0.94)
    assert face.label == "face"


def test_one_face_vouches_for_one_person() -> None:
    face = seen("face", 0.9, box=FACE_BOX, by=FACE_NETS)
    around = seen("person", 0.6, box=Box(0.35, 0.1, 0.99, 0.99), by=(EFFICIENTDET,))
    surer, other, _ = fused([seen("person", 0.8), around, face])
    assert (len(surer.by), len(other.by)) == (3, 1)


def test_a_face_without_its_parts_does_not_vouch() -> None:
    blob = seen("face", 0.9, box=FACE_BOX, by=(FACES,))
    assert fused([seen("person", 0.4), blob])[0].by == {"ssd"}


def test_limbs_vouch_for_the_person_but_are_none() -> None:
    limbs = seen("posture", 0.6, box=FACE_BOX, by=("blazepose",))
    (person,) = fused([seen("person", 0.5), limbs])
    assert (person.score, person.by) == (pytest.approx(0.8), {"ssd", "blazepose"})
    assert fused([limbs]) == ()


def test_a_sure_face_alone_is_a_person() -> None:
    face = seen("face", 0.85, box=FACE_BOX, by=FACE_NETS)
    assert [one.label for one in fused([face])] == ["person", "face"]


def test_a_face_without_a_faces_parts_is_none() -> None:
    crater = seen("face", 0.99, box=FACE_BOX, by=(FACES,))
    assert [one.label for one in fused([crater])] == ["face"]


def test_the_kind_of_the_whole_picture_bears_a_thing_out_but_is_none_itself() -> None:
    kind = seen("cat", 0.8, box=WHOLE, by=("efficientnet",))
    (cat,) = fused([seen("cat", 0.5), kind])
    assert (cat.box, cat.by) == (LARGE, {"ssd", "efficientnet"})
    assert fused([kind]) == ()


@pytest.mark.parametrize(("score", "animal"), [(0.75, None), (0.95, seen("cat", 0.4, box=LARGE))])
def test_a_faint_face_or_an_animals_is_no_person(score: float, animal: Detection | None) -> None:
    face = seen("face", score, box=FACE_BOX, by=FACE_NETS)
    assert "person" not in [one.label for one in fused([face, *([animal] if animal else [])])]


@given(detections)
def test_nothing_is_made_up(given_ones: list[Detection]) -> None:
    found = fused(given_ones)
    labels = {one.label for one in given_ones}
    assert {one.label for one in found} <= labels | ({"person"} if "face" in labels else set())
    assert all(0 < one.score <= 1 for one in found)
    assert len([o for o in found if o.label != "face"]) <= len(given_ones)
