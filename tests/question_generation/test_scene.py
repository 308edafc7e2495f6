"""A scene reads as one text by time, whatever it lacks."""

from __future__ import annotations

import pytest

from question_generation.scene import SCENES, Scene
from strad.timeline import Interval

pytestmark = pytest.mark.unit

LINE = (
    '{"id": "s1", "video_id": "clip", "film_id": "film", "segment": [10, 20.5],'
    ' "visuals": [{"start": 12, "end": 13, "text": "She runs."}],'
    ' "dialogue": [{"start": 12, "end": 12.5, "text": "Stop!"},'
    ' {"start": 11, "end": 12, "text": " "}],'
    ' "facts": {"genre": ["Drama"], "year": 1999}, "mine": 1}'
)


def test_lines_come_by_time_and_blank_ones_not_at_all() -> None:
    (scene,) = SCENES.read([LINE])[1]
    assert [(line.kind, line.said.text) for line in scene.lines()] == [
        ("dialogue", "Stop!"),
        ("visual", "She runs."),
    ]
    assert [line.kind for line in scene.lines("visual")] == ["visual"]
    assert scene.when == Interval(10_000, 20_500)
    assert scene.film == "film"
    assert SCENES.read([scene.line()])[1] == [scene]


def test_a_bare_scene_is_a_scene() -> None:
    bare = Scene(id="s", video_id="v", segment=(0.0, 0.0))
    assert bare.lines() == []
    assert bare.film == "v"
