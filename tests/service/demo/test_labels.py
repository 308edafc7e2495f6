"""Labels: what a camera's view of a photograph shows, and where in the frame."""

from __future__ import annotations

import pytest

from service.demo.labels import Box, Labelled, Look, seen
from service.demo.script import Thing

pytestmark = pytest.mark.unit

FULL = Box(0, 0, 160, 90)


def label(box: tuple[float, float, float, float], *names: str) -> Labelled:
    return Labelled(Box(*box), Thing(names=names))


def traits(box: tuple[float, float, float, float], *names: str, look: Look) -> tuple[str, ...]:
    (thing,) = seen([label(box, *names)], [look])
    return thing.traits


def test_what_lies_outside_every_view_is_not_seen() -> None:
    lamp = label((100, 0, 120, 20), "lamp")
    left = Look(Box(0, 0, 80, 45))
    assert seen([lamp], [left]) == ()
    assert len(seen([lamp], [left, Look(FULL)])) == 1


@pytest.mark.parametrize(("left", "side"), [(0, "left"), (70, "middle"), (130, "right")])
def test_a_thing_has_a_side(left: float, side: str) -> None:
    assert side in traits((left, 0, left + 20, 20), "lamp", look=Look(FULL))


def test_in_a_split_screen_the_side_is_that_of_its_half() -> None:
    assert "right" in traits((30, 0, 50, 20), "lamp", look=Look(FULL, 0.5, 0.5))
    assert "left" in traits((110, 0, 130, 20), "lamp", look=Look(FULL, 0.0, 0.5))


def test_close_is_less_for_a_face_than_for_a_lamp() -> None:
    assert "close" in traits((0, 0, 30, 30), "face", look=Look(FULL))
    assert "close" not in traits((0, 0, 30, 30), "lamp", look=Look(FULL))
    assert "close" in traits((0, 0, 80, 80), "lamp", look=Look(FULL))


def test_a_moving_camera_makes_both_sides_true() -> None:
    looks = [Look(Box(0, 0, 160, 90)), Look(Box(-100, 0, 60, 90))]
    (thing,) = seen([label((20, 0, 40, 20), "lamp")], looks)
    assert {"left", "right"} <= set(thing.traits)
