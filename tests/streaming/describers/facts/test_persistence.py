"""Things are claimed only when they last, and better when detectors agree."""

from __future__ import annotations

import pytest

from streaming.describers.facts.box import Box
from streaming.describers.facts.persistence import things
from tests.streaming.describers.facts.scenes import agreed, column, looks, seen

pytestmark = pytest.mark.unit


def test_three_looks_make_a_person() -> None:
    (person,) = things(
        looks([seen("person", 0.6)], [seen("person", 0.5)], [seen("person", 0.7)]), 0
    )
    assert person.subject == "person"
    assert person.seen == (0, 1000, 2000)
    assert person.score == pytest.approx(0.6)


def test_two_looks_do_not_unless_detectors_agree_and_are_sure() -> None:
    assert things(looks([seen("person", 0.9)], [seen("person", 0.9)]), 0) == []
    assert things(looks([agreed("person", 0.8)], [agreed("person", 0.8)]), 0) == []
    assert things(looks([agreed("person", 0.9)], [agreed("person", 0.9)]), 0) != []
    assert things(looks([agreed("cat", 0.9)], [agreed("cat", 0.9)]), 0) == []


def test_a_thing_needs_agreement_or_a_high_score() -> None:
    assert things(looks(*[[seen("elephant", 0.75)]] * 4), 0) == []
    assert things(looks(*[[seen("elephant", 0.85)]] * 3), 0) != []
    mixed = [[agreed("cat", 0.7)], [seen("cat", 0.6)], [agreed("cat", 0.7)]]
    assert things(looks(*mixed), 0) != []


@pytest.mark.parametrize("label", ["cell phone", "umbrella", "skis", "face", ""])
def test_what_is_not_in_the_vocabulary_is_never_claimed(label: str) -> None:
    assert things(looks(*[[agreed(label, 0.99)]] * 5), 0) == []


def test_what_is_taken_for_something_else_in_another_look_is_not_claimed() -> None:
    cat, bird = [agreed("cat")], [agreed("bird", 0.7)]
    assert things(looks(bird, cat, cat, cat), 0) == []
    beside = [agreed("bird", 0.7, box=column(3, 4))]
    assert things(looks(beside, cat, cat, cat), 0) != []
    assert things(looks(bird, cat, cat, cat, cuts=[1]), 0) != []


def test_scenery_needs_three_looks_and_is_disputed_by_nothing() -> None:
    building, boat = seen("building", 0.7), agreed("boat")
    assert things(looks([building], [building]), 0) == []
    shown = things(looks([building], [building, boat], [building, boat], [boat]), 0)
    assert {claim.subject for claim in shown} == {"building", "boat"}
    assert things(looks(*[[seen("building", 0.55)]] * 5), 0) == []


def test_specks_are_not_claimed() -> None:
    speck = Box(0.5, 0.5, 0.55, 0.6)
    assert things(looks(*[[agreed("car", box=speck)]] * 5), 0) == []


def test_what_has_gone_is_not_claimed() -> None:
    shown = looks(*[[seen("person")]] * 3, [], [])
    assert things(shown, since=3000) == []
    assert things(shown, since=2000) != []


@pytest.mark.parametrize(("number", "count"), [(1, 1), (2, 2), (3, 3), (6, 3)])
def test_counts_stop_at_three(number: int, count: int) -> None:
    crowd = [seen("person", box=column(place, number)) for place in range(number)]
    (people,) = things(looks(*[crowd] * 3), 0)
    assert (people.count, people.exact) == (count, number <= 3)


def test_a_suspected_third_makes_two_inexact() -> None:
    two = [seen("person", box=column(place, 3)) for place in range(2)]
    (people,) = things(looks(*[[*two, seen("person", 0.35, box=column(2, 3))]] * 3), 0)
    assert (people.count, people.exact) == (2, False)


def test_only_the_newest_shot_is_counted() -> None:
    two = [seen("person", box=column(place, 2)) for place in range(2)]
    shown = looks(two, two, two, [seen("person")], [seen("person")], cuts=[3])
    (people,) = things(shown, 0)
    assert people.count == 1


def test_a_cut_is_noticed_where_the_thing_came_with_it() -> None:
    bird = [agreed("bird")]
    (came,) = things(looks([], bird, bird, bird, cuts=[1]), 0)
    (walked_in,) = things(looks([], [], bird, bird, bird, cuts=[1]), 0)
    assert (came.cut, walked_in.cut) == (True, False)


def test_a_ghost_before_the_cut_does_not_move_the_thing_there() -> None:
    person = [seen("person", 0.6)]
    (claim,) = things(looks(person, [], [], person, person, person, cuts=[3]), 0)
    assert (claim.seen[0], claim.since, claim.cut) == (0, 3000, True)


def test_a_large_face_is_told_of_only_while_it_lasts() -> None:
    face = seen("face", box=Box(0.3, 0.2, 0.5, 0.6))
    near, far = [seen("person"), face], [seen("person")]
    (close,) = things(looks(far, near, near), 0)
    (passing,) = things(looks(near, near, far), 0)
    assert (close.face, passing.face) == (True, False)
