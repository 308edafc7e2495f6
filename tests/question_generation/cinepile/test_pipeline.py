"""The whole way: counts add up, a killed run comes out as one run, and the items can be scored."""

from __future__ import annotations

import asyncio
import contextlib
import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from random import Random

import pytest

from question_generation.cinepile.pipeline import pipeline
from question_generation.cinepile.split import TEST
from question_generation.crew import LocalCrew
from question_generation.item import ITEMS, Item
from question_generation.progress import Progress
from question_generation.run import Run
from question_generation.scene import FilmFacts, Scene
from question_generation.step_files import Counts
from strad.record import TimedText
from tests.question_generation.cinepile.writers import Model, models, seats
from tests.question_generation.plain_pipeline import Dying, Killed, files

pytestmark = pytest.mark.unit

CMDAD = Path(__file__).parents[4] / "shared" / "data" / "ad" / "cmdad_anno.csv"
WHO, DID, WHAT = (
    ("the nurse", "a boy", "an old man", "the twins", "a guard", "the bride"),
    ("opens", "hides", "drops", "paints", "carries", "watches"),
    ("the blue door", "a wet map", "the brass bell", "a paper crown", "the last match"),
)


async def made(
    folder: Path, source: Path, of: Mapping[str, Model], progress: Progress | None = None
) -> list[Counts]:
    held = seats(of)
    run = Run(folder, pipeline(test_share=0.2), source, held.names(), in_a_row=10**6)
    async with LocalCrew.ready(held, folder / "answers.sqlite", 8) as crew:
        return await run.work(crew, progress)


def scenes(count: int) -> Iterator[Scene]:
    """Small ones, four to a film; one in ten shows nothing, one in ten says nothing."""
    random = Random(1)
    for at in range(count):
        seen = 0 if at % 10 == 3 else 7
        yield Scene(
            id=f"s{at}",
            video_id=f"v{at}",
            film_id=f"f{at // 4}",
            segment=(0.0, 60.0),
            visuals=_timed([f"{_drawn(random)} number {n}." for n in range(seen)]),
            dialogue=_timed([] if at % 10 == 7 else ["Where were you?", "Out with the dog."]),
            facts=FilmFacts(genre=("Drama", "Crime")[: 1 + at // 4 % 2], year=1990 + at // 8),
        )


def _drawn(random: Random) -> str:
    return " ".join(random.choice(words) for words in (WHO, DID, WHAT)).capitalize()


def _timed(lines: Sequence[str]) -> tuple[TimedText, ...]:
    return tuple(TimedText(start=5.0 * n, end=5.0 * n + 2, text=one) for n, one in enumerate(lines))


def cmdad_scenes(count: int) -> Iterator[Scene]:
    """Clips of CMD-AD with what is described in them; the dialogue is made up."""
    with CMDAD.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    random = Random(2)
    clips = {clip: list(told) for clip, told in groupby(rows, key=lambda row: row["cmd_filename"])}
    for clip, told in list(clips.items())[:count]:
        start, end = (float(told[n][key]) for n, key in ((0, "scaled_start"), (-1, "scaled_end")))
        yield Scene(
            id=clip,
            video_id=clip,
            film_id=told[0]["imdbid"],
            segment=(max(0.0, start), max(start, end)),
            visuals=tuple(_line(row) for row in told),
            dialogue=_timed([f"I told {random.choice(WHO)} about {random.choice(WHAT)}."] * 2),
            facts=FilmFacts(title=told[0]["movie_title"]),
        )


def _line(row: Mapping[str, str]) -> TimedText:
    start = max(0.0, float(row["scaled_start"]))
    return TimedText(start=start, end=max(start, float(row["scaled_end"])), text=row["text"])


def written(path: Path, of: Iterator[Scene]) -> Path:
    path.write_text("".join(f"{one.line()}\n" for one in of), encoding="utf-8")
    return path


def items(folder: Path) -> list[Item]:
    (last,) = folder.glob("*-release.jsonl")
    with last.open(encoding="utf-8") as file:
        return ITEMS.read(file)[1]


def check(counts: Sequence[Counts], found: Sequence[Item]) -> None:
    for one in counts:
        assert one.came == one.went_on + one.dropped.total() + one.failed.total()
    for before, after in pairwise(counts):
        assert after.came == before.told()["out"]
    assert counts[-1].told()["out"] == len(found)
    assert len({item.id for item in found}) == len(found)
    for item in found:
        question = item.question_of()
        assert len(question.options) == 5
        assert question.rationale
        assert question.visual_reliance is not None
        assert question.hard is not None
        assert not (item.split == TEST and "degenerate" in item.flags)


def test_scenes_become_items_and_the_counts_add_up(tmp_path: Path) -> None:
    source = written(tmp_path / "scenes.jsonl", scenes(30))
    counts = asyncio.run(made(tmp_path / "run", source, models(broken=10)))
    found = items(tmp_path / "run")
    check(counts, found)
    assert len(found) > 60
    by_name = dict(zip(("source", *(s.name for s in pipeline().steps)), counts, strict=True))
    assert by_name["shortlist"].dropped["nothing is seen in the scene"] == 3
    places = Counter(item.answer_index for item in found)
    assert set(places) == set(range(5))
    assert all(len(item.provenance) >= 7 for item in found)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_killed_anywhere_comes_out_as_one_run(tmp_path: Path, seed: int) -> None:
    source = written(tmp_path / "scenes.jsonl", scenes(8))
    asyncio.run(made(tmp_path / "one", source, models(broken=10)))
    random = Random(seed)
    for _ in range(4):
        with contextlib.suppress(BaseExceptionGroup, Killed):
            dying = Dying(random.randrange(40))
            asyncio.run(made(tmp_path / "killed", source, models(broken=10), dying))
    asyncio.run(made(tmp_path / "killed", source, models(broken=10)))
    assert files(tmp_path / "one") == files(tmp_path / "killed")


@pytest.mark.slow
@pytest.mark.skipif(not CMDAD.exists(), reason="CMD-AD's annotations are not beside the project")
def test_clips_of_cmdad_become_items_whatever_the_models_do(tmp_path: Path) -> None:
    source = written(tmp_path / "scenes.jsonl", cmdad_scenes(150))
    counts = asyncio.run(made(tmp_path / "run", source, models(broken=10)))
    found = items(tmp_path / "run")
    check(counts, found)
    assert len(found) > 500
    places = Counter(item.answer_index for item in found)
    expected = len(found) / 5
    chi_squared = sum((places[n] - expected) ** 2 / expected for n in range(5))
    assert chi_squared < 18.47, places  # alpha 0.001, four degrees of freedom
