"""Which tasks a programme gets: by what is seen and heard in it, and how long it is."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from question_generation.drop import Drop
from question_generation.jointav.assign import Assign
from question_generation.jointav.clean import Clean
from question_generation.jointav.draft import Assignment
from question_generation.jointav.gather import Programmes
from question_generation.jointav.merge import Merge, by_words
from question_generation.scene import Scene
from strad_eval.mcq.tasks import TASKS
from tests.question_generation.at_hand import desk
from tests.question_generation.jointav.film import film
from tests.question_generation.jointav.parts import timed

pytestmark = pytest.mark.unit


def assigned(scenes: list[Scene], stage: Assign | None = None) -> list[Assignment] | Drop:
    (fate,) = Programmes().gather(scenes, seed=0)
    assert not isinstance(fate.became, Drop)
    with desk([]) as at:
        found = asyncio.run((stage or Assign()).work(fate.became, at))
    return found if isinstance(found, Drop) else list(found)


def test_a_whole_film_gets_every_task() -> None:
    found = assigned(film("v"))
    assert not isinstance(found, Drop)
    counts = Counter(one.task for one in found)
    wanted = {code: 7 if task.span == "single" else 1 for code, task in TASKS.items()}
    assert counts == wanted
    assert len({one.id for one in found}) == len(found)


def test_what_is_not_heard_is_not_asked_about() -> None:
    quiet = {"sounds": (), "music": (), "vocal_traits": ()}
    found = assigned([scene.model_copy(update=quiet) for scene in film("v")])
    assert not isinstance(found, Drop)
    assert {one.task for one in found} == {"STL", "VSSR", "CSA", "PTG", "PDP", "AVDM", "CRI", "MPO"}


def test_eight_lines_of_speech_are_too_few_for_several_scenes() -> None:
    scenes = [s.model_copy(update={"dialogue": s.dialogue[:1]}) for s in film("v")]
    found = assigned(scenes)
    assert not isinstance(found, Drop)
    assert not {one.task for one in found} & {"CSA", "MPO", "PTG", "PDP"}


def test_a_task_sees_only_its_own_kinds_of_lines() -> None:
    found = assigned(film("v"), Assign(codes=("SOER",)))
    assert not isinstance(found, Drop)
    kinds = {line.kind for one in found for part in one.parts for line in part.lines}
    assert kinds == {"visual", "sound"}


def test_fifty_thousand_words_are_too_long_and_say_so() -> None:
    scene = film("v", 1)[0]
    long = scene.model_copy(update={"visuals": (timed(0.5, "word " * 50_000),)})
    found = assigned([long])
    assert isinstance(found, Drop)
    assert found.reason == "too long to ask about"


@pytest.mark.parametrize(
    ("empty", "reason"), [("visuals", "nothing is seen"), ("heard", "nothing is heard")]
)
def test_a_scene_for_one_sense_is_dropped(empty: str, reason: str) -> None:
    names = ("visuals",) if empty == "visuals" else ("dialogue", "sounds", "music", "vocal_traits")
    scene = film("v", 1)[0].model_copy(update=dict.fromkeys(names, ()))
    with desk([]) as at:
        found = asyncio.run(Clean().work(scene, at))
    assert isinstance(found, Drop)
    assert reason in found.reason


def test_scenes_of_videos_that_come_mixed_are_put_together() -> None:
    mixed = [s for pair in zip(film("v"), film("w"), strict=True) for s in pair][::-1]
    fates = list(Programmes().gather(mixed, seed=0))
    assert sorted(len(fate.of) for fate in fates) == [7, 7]
    for fate in fates:
        assert not isinstance(fate.became, Drop)
        starts = [scene.segment[0] for scene in fate.became.scenes]
        assert starts == sorted(starts)


def test_no_merged_scene_is_longer_than_a_minute_and_nothing_is_lost() -> None:
    same = (timed(1, "The same plain room."),)
    scenes = [scene.model_copy(update={"visuals": same}) for scene in film("v", 12)]
    fates = list(Merge().gather(scenes, seed=0))
    assert [id for fate in fates for id in fate.of] == [scene.id for scene in scenes]
    lengths = [f.became.segment for f in fates if not isinstance(f.became, Drop)]
    assert all(end - start <= 60 for start, end in lengths)
    assert len(lengths) == 3


def test_likeness_is_that_of_words_that_say_something() -> None:
    assert by_words("The man opens the door.", "A man opens a door") == pytest.approx(1.0)
    assert by_words("The man is in the house.", "The dog is on the road.") == 0.0
    assert by_words("", "a man") == 0.0
