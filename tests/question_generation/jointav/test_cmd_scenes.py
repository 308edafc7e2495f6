"""CMD-AD's descriptions as what is seen, with sound from a seed: whole runs, good and broken."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from question_generation.scene import Scene
from strad_eval.mcq.tasks import TASKS
from tests.question_generation.jointav.broken import BreakingEngine
from tests.question_generation.jointav.film import dubbed
from tests.question_generation.jointav.ran import adds_up, ran
from tests.question_generation.jointav.writer import FilmEngine

pytestmark = [pytest.mark.unit, pytest.mark.slow]
TABLE = Path(__file__).parents[4] / "shared" / "data" / "ad" / "cmdad_anno.csv"
CLIPS, SCENE, LEAST = 10, 4, 24
"""Clips; descriptions of a scene; descriptions that a clip has."""


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    if not TABLE.exists():
        pytest.skip(f"no {TABLE}")
    clips: dict[str, list[tuple[float, str]]] = defaultdict(list)
    with TABLE.open(encoding="utf-8", newline="") as file:
        for one in csv.DictReader(file):
            text = " ".join(one["text"].replace("'", "").split())
            clips[one["cmd_filename"]].append((1 + float(one["scaled_start"]), text))
    found: list[Scene] = []
    for name in sorted(clips, key=lambda each: (-len(clips[each]), each))[:CLIPS]:
        rows = sorted(clips[name])
        if len(rows) >= LEAST:
            shown = [rows[at : at + SCENE] for at in range(0, len(rows) - SCENE + 1, SCENE)]
            found += dubbed(name, shown)
    return found


def test_all_tasks_come_out_of_real_descriptions(tmp_path: Path, scenes: list[Scene]) -> None:
    found = ran(tmp_path, FilmEngine(leaks=10), scenes)
    assert not list(adds_up(found.counts)), found.counts
    made = Counter(item.task for item in found.items)
    assert set(made) == set(TASKS), made
    assert any("refined" in item.flags for item in found.items)


def test_a_tenth_of_broken_answers_costs_items_not_the_run(
    tmp_path: Path, scenes: list[Scene]
) -> None:
    engine = BreakingEngine(FilmEngine(leaks=10), 10)
    found = ran(tmp_path, engine, scenes[: len(scenes) // 2])
    assert not list(adds_up(found.counts)), found.counts
    assert engine.broken > 500
    assert {item.task for item in found.items} == set(TASKS)
