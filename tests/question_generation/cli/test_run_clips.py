"""``strad-qa run jointav --clips`` as it is typed: from a rendered film's pictures to questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from question_generation.cli.main import application
from question_generation.item import Item
from question_generation.jointav.video import Video as VideoRecord
from question_generation.run_folder import RunFolder, items_of
from question_generation.step_files import all_of
from strad.questions import QUESTIONS
from strad_engines.messages import Generated, Image, Message, Sampling
from tests.question_generation.at_hand import answer
from tests.question_generation.http_models import serving
from tests.question_generation.jointav.rendered import LINES, colour_of, rendered
from tests.question_generation.jointav.writer import FilmEngine

pytestmark = [pytest.mark.media, pytest.mark.slow]

ROOMS = {"red": "A furnace glows", "green": "Leaves fill gardens", "blue": "Waves break ashore"}
ROOMS |= {"grey": "Fog hides everything"}
HOW = ("at dawn", "by noon", "twice", "near a wall", "once more", "in silence")


class Eyes:
    """Tells of each picture what it shows: another line each second."""

    name = "eyes"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        pictures = [part for part in messages[-1].parts if isinstance(part, Image)]
        told = [
            {"start": at, "end": at + 1, "text": f"{ROOMS[colour_of(frame.data)]} {HOW[at % 6]}."}
            for at, frame in enumerate(pictures)
        ]
        return answer(lines=told)


def strad_qa(*said: object) -> Result:
    return CliRunner().invoke(application(), [str(word) for word in said])


def test_a_films_pictures_and_sound_become_questions_of_both(tmp_path: Path) -> None:
    clips = rendered(tmp_path).parent
    (clips / "empty.mkv").touch()
    videos = [
        VideoRecord(id="film", clip="film.mkv", subtitles="film.vtt", split="test"),
        VideoRecord(id="empty", clip="empty.mkv"),
    ]
    source, run = tmp_path / "videos.jsonl", tmp_path / "run"
    source.write_text("".join(f"{video.line()}\n" for video in videos))
    table = tmp_path / "models.toml"
    with serving({"film": FilmEngine(), "eyes": Eyes()}) as (url, server):
        table.write_text(
            f'[default]\nengine = "openai:{url}"\nmodel = "film"\n[viewer]\nmodel = "eyes"\n'
        )
        command = ("run", "jointav", source, run, "--clips", clips, "--by-rule")
        command += ("--models", table, "--price", "*=1,2")
        done = strad_qa(*command)
        assert done.exit_code == 0, done.exception
        asked = server.asked
        again = strad_qa(*command)
        assert (again.exit_code, again.stdout, server.asked) == (0, done.stdout, asked)
    told = {one["step"]: one for one in all_of(run)}
    assert list(told)[1:5] == ["scenes", "look", "merge", "listen"]
    assert told["scenes"]["dropped"] == {"the video can't be decoded": 1}
    assert (told["merge"]["out"], told["look"]["spent"]["eyes"]["requests"]) == (4, 4)
    steps = list(told.values())
    for before, after in pairwise(steps):
        assert after["in"] == before["out"]
        assert after["in"] == after["went_on"] + sum(after["dropped"].values())
    items = list(items_of(RunFolder(run).items_file))
    are_of_both(items)
    assert strad_qa("report", run).exit_code == 0
    assert strad_qa("export", run, tmp_path / "out").exit_code == 0
    written = (tmp_path / "out" / "questions.jsonl").read_text().splitlines()
    assert len(QUESTIONS.read(written)[1]) == len(items)


def are_of_both(items: Sequence[Item]) -> None:
    """Measured, and, where they are about what is said, of those words and what is seen then."""
    assert {item.task for item in items} >= {"STL"}
    said = {line for _, line in LINES}
    for item in items:
        assert set(item.rates) == {"text-only", "vision-only", "audio-only", "both"}
        assert (item.video_id, item.split) == ("film", "test")
    spoken = [item for item in items if item.task == "STL"]
    assert all(any(line in item.question for line in said) for item in spoken)
    assert all(item.answer.startswith(tuple(ROOMS.values())) for item in spoken)
