"""CMD-AD's films from described soundtracks to a scored set of questions, killed on the way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from question_generation.cinepile.front.described_films import described_films as films_in
from question_generation.cinepile.front.film_facts import AddFacts, read_facts
from question_generation.cinepile.front.finding import Find
from question_generation.cinepile.pipeline import CinePile, pipeline
from question_generation.cli.main import application
from question_generation.crew import LocalCrew
from question_generation.jointav.speech_lines import Recogniser
from question_generation.progress import Progress
from question_generation.run import Run
from question_generation.scene import SCENES, Scene
from question_generation.seats import Seats
from question_generation.step_files import Counts, all_of
from strad.questions import QUESTIONS, Question
from strad_eval.cli.main import application as judge
from strad_eval.mcq.item import LETTERS
from tests.question_generation.cinepile.cmdad import (
    CMDAD,
    CutClip,
    DescribedFilm,
    described_films,
    written,
)
from tests.question_generation.cinepile.test_pipeline import check, items
from tests.question_generation.cinepile.writers import models, seats
from tests.question_generation.plain_pipeline import Dying, Killed, files

pytestmark = [
    pytest.mark.unit,
    pytest.mark.slow,
    pytest.mark.skipif(not CMDAD.exists(), reason="CMD-AD's annotations are not beside us"),
]
FILMS, CLIPS, KILLS = 8, 18, 5
"""CLIPS: of which questions are made; all of FILMS' are looked for."""


async def made(folder: Path, out: Path, progress: Progress | None = None) -> list[Counts]:
    films = await films_in(folder / "films", out / "films", Recogniser())
    facts = AddFacts(read_facts(folder / "facts.jsonl"))
    way = pipeline(front=(Find(films, folder), facts), test_share=0.3)
    held = seats(models(broken=10))
    run = Run(out, way, folder / "videos.jsonl", held.names(), limit=CLIPS, in_a_row=10**6)
    async with LocalCrew.ready(held, out / "answers.sqlite", 8) as crew:
        return await run.work(crew, progress)


@pytest.fixture(scope="module")
def films() -> list[DescribedFilm]:
    return described_films(FILMS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, films: list[DescribedFilm]) -> Path:
    home = tmp_path_factory.mktemp("cmdad")
    written(films, home, Random(3))
    facts = [
        {"film_id": film.name, "title": film.title, "genre": ["Drama", "Crime"][: 1 + at % 2]}
        for at, film in enumerate(films)
    ]
    (home / "facts.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in facts))
    return home


@pytest.fixture(scope="module")
def ran(folder: Path) -> tuple[Path, list[Counts]]:
    return folder / "run", asyncio.run(made(folder, folder / "run"))


@pytest.fixture(scope="module")
def scenes(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scene]:
    """Every clip of the films that is found."""
    out = tmp_path_factory.mktemp("found")

    async def found() -> None:
        films = await films_in(folder / "films", out, Recogniser())
        way = CinePile((Find(films, folder),))
        async with LocalCrew.ready(Seats(), None, 2) as crew:
            await Run(out, way, folder / "videos.jsonl").work(crew)

    asyncio.run(found())
    with (out / "01-find.jsonl").open() as lines:
        return {scene.id: scene for scene in SCENES.each(lines)}


def test_clips_are_found_and_their_text_is_told_apart(
    scenes: dict[str, Scene], films: list[DescribedFilm]
) -> None:
    clips = [clip for film in films for clip in film.clips if len(clip.said) >= 6]
    compared = [_compared(clip, scenes[clip.name]) for clip in clips if clip.name in scenes]
    assert sum(near for near, _ in compared) >= 0.95 * len(clips), (len(compared), len(clips))
    right, wrong, missed = (sum(counts) for counts in zip(*(t for _, t in compared), strict=True))
    assert 2 * right / (2 * right + wrong + missed) >= 0.9, (right, wrong, missed)


def _compared(clip: CutClip, scene: Scene) -> tuple[bool, tuple[int, int, int]]:
    """Whether lines lie within two seconds of where they are; descriptions right, wrong, missed."""
    true = {one.text for one in clip.seen if one.end < scene.segment[1]}
    starts = [one.text for one in scene.visuals]
    far = [
        min(abs(one.start - other.start) for other in clip.seen if other.text == one.text)
        for one in scene.visuals
        if one.text in true
    ]
    said = {" ".join(one.text.split()[:2]) for one in clip.said}
    wrong = sum(" ".join(text.split()[:2]) in said for text in starts)
    middles = [_words(text) for text in starts]
    seen = sum(any(len(_words(text) & one) * 2 >= len(one) for one in middles) for text in true)
    return (max(far, default=9.0) <= 2, (seen, wrong, len(true) - seen))


def _words(text: str) -> set[str]:
    return set(text.lower().split())


def test_counts_add_up_at_every_step(ran: tuple[Path, list[Counts]]) -> None:
    run, counts = ran
    found = items(run)
    check(counts, found)
    assert len(found) > 60
    assert [one["in"] for one in all_of(run)] == [one.came for one in counts]


def test_killed_anywhere_it_comes_out_as_one_run(
    ran: tuple[Path, list[Counts]], folder: Path, tmp_path: Path
) -> None:
    chance = Random(4)
    for _ in range(KILLS):
        with pytest.raises((BaseExceptionGroup, Killed)):
            asyncio.run(made(folder, tmp_path / "killed", Dying(chance.randrange(5, 70))))
    asyncio.run(made(folder, tmp_path / "killed"))
    assert files(ran[0]) == files(tmp_path / "killed")


def test_the_judge_scores_the_set(ran: tuple[Path, list[Counts]], tmp_path: Path) -> None:
    out = tmp_path / "data"
    exported = CliRunner().invoke(application(), ["export", str(ran[0]), str(out)])
    assert exported.exit_code == 0, exported.exception
    questions = QUESTIONS.read((out / "questions.jsonl").read_text().splitlines())[1]
    right = [one.answer_index or 0 for one in questions]
    chance = Random(0)
    assert _scored(out, questions, right) == 1
    assert _scored(out, questions, [(at + 1) % 5 for at in right]) == 0
    guessed = _scored(out, questions, [chance.randrange(5) for _ in right])
    assert guessed == pytest.approx(0.2, abs=4 * (0.16 / len(right)) ** 0.5)


def _scored(out: Path, questions: Sequence[Question], answers: Sequence[int]) -> float:
    """The accuracy that strad-eval mcq tells of these answers."""
    lines = [
        json.dumps({"id": one.id, "output": LETTERS[at]})
        for one, at in zip(questions, answers, strict=True)
    ]
    (out / "answers.jsonl").write_text("\n".join(lines))
    said = ["mcq", out / "questions.jsonl", out / "answers.jsonl", "--benchmark", "cinepile"]
    said += ["--json", out / "scores.json", "--quiet", "--force"]
    done = CliRunner().invoke(judge(), [str(word) for word in said])
    assert done.exit_code == 0, done.exception
    found = json.loads((out / "scores.json").read_text())["systems"][0]["overall"]
    assert found["of"] == len(questions)
    return float(found["accuracy"])
