"""``strad-qa run cinepile --film``: described film, clips and facts to questions; and by ear."""

from __future__ import annotations

import json
import wave
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pyarrow.parquet as parquet
import pytest
from click.testing import Result
from typer.testing import CliRunner

from question_generation.cinepile.pipeline import pipeline
from question_generation.cli.main import application
from question_generation.jointav.video import VIDEOS, Video
from question_generation.step_files import all_of
from strad.cues import Cue
from strad.questions import QUESTIONS
from strad.webvtt import write_webvtt
from streaming.media import SAMPLE_RATE
from tests.question_generation.cinepile.front.films import cut, own_film
from tests.question_generation.cinepile.writers import models
from tests.question_generation.http_models import serving
from tests.streaming.heard import Floats, pcm, silence, synthesised

pytestmark = [pytest.mark.service, pytest.mark.slow]

SAID = (
    "Where have you been all night, my dear boy?",
    "I was looking for the lost key in the garden.",
    "Nobody has seen that key for twenty years.",
    "The old captain told me where to dig.",
    "You should never trust a sailor, Thomas.",
    "Then come with me, and bring the lantern.",
    "My father built this wall with his own hands.",
    "We have to be home before the rain begins.",
)
SEEN = ("She closes the window.", "He walks across the wet grass.", "A dog barks at the moon.")


def strad_qa(*said: object) -> Result:
    """In this process; an error of ours is the result's."""
    return CliRunner().invoke(application(), [str(word) for word in said])


def test_a_described_film_and_its_clips_become_questions(tmp_path: Path) -> None:
    film = own_film(Random(5))
    lines = {"film": film.lines, **{f"c{n}": cut(film, Random(n)).lines for n in range(3)}}
    for name, told in lines.items():
        cues = [Cue(one.when, one.text) for one in told]
        (tmp_path / f"{name}.vtt").write_text(write_webvtt(cues))
    videos = [
        Video(id=f"c{n}", clip=f"c{n}.mp4", subtitles=f"c{n}.vtt", film_id=f"f{n}")
        for n in range(3)
    ]
    (tmp_path / "videos.jsonl").write_text(VIDEOS.write(videos))
    facts = [{"film_id": f"f{n}", "title": f"Film {n}", "year": 1990 + 10 * n} for n in range(3)]
    (tmp_path / "facts.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in facts))
    table = "".join(f'["{role}"]\nmodel = "{role}"\n' for role in pipeline().roles)
    with serving(models(broken=10)) as (url, _):
        (tmp_path / "m.toml").write_text(f'[default]\nengine = "openai:{url}"\n{table}')
        command = ("run", "cinepile", tmp_path / "videos.jsonl", tmp_path / "run")
        given = ("--film", tmp_path / "film.vtt", "--facts", tmp_path / "facts.jsonl")
        done = strad_qa(*command, *given, "--models", tmp_path / "m.toml", "--test-share", "0.3")
    assert done.exit_code == 0, done.exception
    told = list(all_of(tmp_path / "run"))
    assert [one["step"] for one in told][:4] == ["source", "find", "facts", "split"]
    assert all(after["in"] == before["out"] for before, after in pairwise(told))
    assert strad_qa("export", tmp_path / "run", tmp_path / "out").exit_code == 0
    text = (tmp_path / "out" / "questions.jsonl").read_text()
    assert len(QUESTIONS.read(text.splitlines())[1]) == told[-1]["out"] > 6
    rows = parquet.read_table(tmp_path / "out" / "cinepile.parquet").to_pylist()
    assert {row["movie_name"] for row in rows} <= {"Film 0", "Film 1", "Film 2"}
    assert {row["year"] for row in rows} <= {1990, 2000, 2010}
    assert all("<subtitle>" in row["movie_scene"] for row in rows)
    assert all("<visual descriptions>" in row["movie_scene"] for row in rows)


def test_a_film_and_a_clip_are_heard_and_matched(tmp_path: Path) -> None:
    spoken = dict(zip((*SAID, *SEEN), synthesised(tmp_path, (*SAID, *SEEN)), strict=True))
    order = [SAID[0], SEEN[0], *SAID[1:4], SEEN[1], *SAID[4:7], SEEN[2], SAID[7]]
    film = _joined([spoken[line] for line in order])
    clip = _joined([spoken[line] for line in SAID[1:7]])
    start = _length([spoken[line] for line in order[:2]])
    _write(tmp_path / "film.wav", film)
    _write(tmp_path / "clip.wav", clip)
    done = strad_qa("locate", tmp_path / "film.wav", tmp_path / "clip.wav")
    assert done.exit_code == 0, done.exception
    found = json.loads(done.stdout)
    assert found["start"] == pytest.approx(start, abs=2), found
    # The clip has no describer: the film is longer there by one description.
    longer = _length([spoken[SEEN[1]]])
    assert found["end"] == pytest.approx(start + len(clip) / SAMPLE_RATE + longer, abs=2), found


def _joined(parts: list[Floats]) -> Floats:
    return np.concatenate([piece for part in parts for piece in (part, silence(900))])


def _length(parts: list[Floats]) -> float:
    return len(_joined(parts)) / SAMPLE_RATE


def _write(path: Path, sound: Floats) -> None:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(SAMPLE_RATE)
        out.writeframes(pcm(sound))
