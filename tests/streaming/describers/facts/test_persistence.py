"""Things are claimed only when they last, and better when detectors agree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from streaming.describers.facts.box import Box
from streaming.describers.facts.persistence import things
from tests.streaming.describers.facts.scenes import FACE_NETS, agreed, column, looks, seen

pytestmark = pytest.mark.unit


def test_three_looks_make_a_person_where_detectors_agree_in_two() -> None:
    (person,) = things(
        looks([agreed("person", 0.6)], [seen("person", 0.5)], [agreed("person", 0.7)]), 0
    )
    assert person.subject == "person"
    assert person.seen == (0, 1000, 2000)
    assert person.score == pytest.approx(0.6)


def test_two_looks_do_not_unless_detectors_are_sure() -> None:
    assert things(looks([agreed("person", 0.8)], [agreed("person", 0.8)]), 0) == []
    assert things(looks([agreed("person", 0.9)], [agreed("person", 0.9)]), 0) != []
    assert things(looks([agreed("cat", 0.9)], [agreed("cat", 0.9)]), 0) == []


@pytest.mark.parametrize("label", ["person", "giraffe"])
def test_one_detector_alone_is_not_believed(label: str) -> None:
    assert things(looks(*[[seen(label, 0.99)]] * 5), 0) == []
    assert things(looks(*[[seen(label, 0.9)]] * 4, [agreed(label)]), 0) == []
    mixed = [[agreed(label, 0.9)], [seen(label, 0.6)], [agreed(label, 0.9)]]
    assert things(looks(*mixed), 0) != []


def test_a_thing_is_named_only_where_detectors_agree_for_sure() -> None:
    faint = looks(*[[agreed("cup", 0.8)]] * 4)
    assert things(faint, 0) == []
    assert things(looks(*[[agreed("person", 0.6)]] * 4), 0) != []


def test_a_face_alone_must_last() -> None:
    face = seen("person", 0.95, by=FACE_NETS)
    assert things(looks([face], [face]), 0) == []
    assert things(looks([face], [face], [face]), 0) != []


def test_what_fills_the_picture_needs_a_third_witness() -> None:
    whole = Box(0.01, 0.01, 0.99, 0.99)
    assert things(looks(*[[agreed("laptop", box=whole)]] * 5), 0) == []
    witnessed = seen("cat", box=whole, by=("ssd", "efficientdet", "efficientnet"))
    assert things(looks(*[[witnessed]] * 3), 0) != []


@pytest.mark.parametrize("label", ["cell phone", "umbrella", "clock", "face", ""])
def test_what_is_not_in_the_vocabulary_is_never_claimed(label: str) -> None:
    assert things(looks(*[[agreed(label, 0.99)]] * 5), 0) == []


def test_what_is_taken_for_something_else_in_another_look_is_not_claimed() -> None:
    cat, bird = [agreed("cat")], [agreed("bird", 0.7)]
    assert things(looks(bird, cat, cat, cat), 0) == []
    beside = [agreed("bird", 0.7, box=column(3, 4))]
    assert things(looks(beside, cat, cat, cat), 0) != []
    assert things(looks(bird, cat, cat, cat, cuts=[1]), 0) != []


def test_scenery_needs_three_looks_and_is_disputed_by_nothing() -> None:
    building, bus = seen("building", 0.7), agreed("bus")
    assert things(looks([building], [building]), 0) == []
    shown = things(looks([building], [building, bus], [building, bus], [bus]), 0)
    assert {claim.subject for claim in shown} == {"building", "bus"}
    assert things(looks(*[[seen("building", 0.55)]] * 5), 0) == []


def test_specks_are_not_claimed() -> None:
    speck = Box(0.5, 0.5, 0.55, 0.6)
    assert things(looks(*[[agreed("car", box=speck)]] * 5), 0) == []


def test_what_has_gone_is_not_claimed() -> None:
    shown = looks(*[[agreed("person")]] * 3, [], [])
    assert things(shown, since=3000) == []
    assert things(shown, since=2000) != []


@pytest.mark.parametrize(("number", "count"), [(1, 1), (2, 2), (3, 3), (6, 3)])
def test_counts_stop_at_three(number: int, count: int) -> None:
    crowd = [agreed("person", box=column(place, number)) for place in range(number)]
    (people,) = things(looks(*[crowd] * 3), 0)
    assert (people.count, people.exact) == (count, number <= 3)


def test_a_suspected_third_makes_two_inexact() -> None:
    two = [agreed("person", box=column(place, 3)) for place in range(2)]
    (people,) = things(looks(*[[*two, seen("person", 0.35, box=column(2, 3))]] * 3), 0)
    assert (people.count, people.exact) == (2, False)


def test_one_look_at_a_shot_or_one_detector_does_not_make_two() -> None:
    one, two = [agreed("person")], [agreed("person", box=column(at, 2)) for at in range(2)]
    (person,) = things(looks(one, one, one, two, cuts=[3]), 0)
    assert person.count == 1
    doubtful = [two[0], seen("person", box=column(1, 2))]
    (person,) = things(looks(*[doubtful] * 3), 0)
    assert (person.count, person.exact) == (1, False)


def test_only_the_newest_shot_is_counted() -> None:
    two = [agreed("person", box=column(place, 2)) for place in range(2)]
    shown = looks(two, two, two, [agreed("person")], [agreed("person")], cuts=[3])
    (people,) = things(shown, 0)
    assert people.count == 1


def test_a_ghost_before_the_cut_does_not_move_the_thing_there() -> None:
    person = [agreed("person", 0.6)]
    (claim,) = things(looks(person, [], [], person, person, person, cuts=[3]), 0)
    assert (claim.seen[0], claim.since) == (0, 3000)


def test_what_was_long_out_of_view_came_anew() -> None:
    person = [agreed("person", 0.6)]
    (claim,) = things(looks(person, [], [], person, [], person, person), 0)
    assert (claim.seen[0], claim.since) == (0, 3000)


@pytest.mark.parametrize(
    ("places", "words"),
    [((0, 0, 0), "on the left"), ((3, 3, 3), "on the right"), ((0, 1, 2), ""), ((0, 3, 3), "")],
)
def test_its_side_is_known_only_where_it_stays(places: tuple[int, ...], words: str) -> None:
    (one,) = things(looks(*[[agreed("person", box=column(at, 4))] for at in places]), 0)
    assert one.place == words


def test_a_large_face_is_told_of_only_while_it_lasts() -> None:
    face = seen("face", box=Box(0.3, 0.2, 0.5, 0.6), by=FACE_NETS)
    near, far = [agreed("person"), face], [agreed("person")]
    (close,) = things(looks(far, near, near), 0)
    (passing,) = things(looks(near, near, far), 0)
    assert (close.face, passing.face) == (True, False)
    doubtful = [agreed("person"), replace(face, by=frozenset({"blazeface"}))]
    (plain,) = things(looks(*[doubtful] * 3), 0)
    assert not plain.face
