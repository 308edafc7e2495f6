"""``strad-qa run`` as a person types it: from scenes to items, what it says, how it refuses."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from typer.testing import CliRunner

from question_generation import exported, ray_crew
from question_generation.cinepile.pipeline import pipeline
from question_generation.cli.main import application
from question_generation.cli.ways import WAYS, way
from question_generation.step_files import all_of
from strad.errors import InputError, MissingModelError, WorkError
from strad.questions import QUESTIONS
from strad.record import TimedText
from tests.question_generation.cinepile.writers import models
from tests.question_generation.http_models import ModelServer, serving
from tests.question_generation.plain_pipeline import (
    FromText,
    files,
    made,
    scenes,
    write_scenes,
)

pytestmark = pytest.mark.service

STRAD_QA = [sys.executable, "-c", "from question_generation.cli.main import main; main()"]


def strad_qa(*said: object) -> Result:
    """In this process; an error of ours is the result's."""
    return CliRunner().invoke(application(), [str(word) for word in said])


def written(path: Path, count: int) -> Path:
    """Scenes with enough in them for questions."""
    lines = [
        scene.model_copy(
            update={
                "visuals": tuple(
                    TimedText(
                        start=5.0 * n, end=5.0 * n + 2, text=f"The {who} drops a {what} {at}."
                    )
                    for n, (who, what) in enumerate(
                        zip(
                            ("nurse", "boy", "guard", "bride", "cook"),
                            ("map", "bell", "key", "hat", "cup"),
                            strict=True,
                        )
                    )
                ),
                "dialogue": (TimedText(start=1.0, end=2.0, text="Where were you?"),),
            }
        ).line()
        for at, scene in enumerate(scenes(count))
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def table(path: Path, url: str) -> Path:
    """A model of its own for each role."""
    roles = pipeline().roles
    text = f'[default]\nengine = "openai:{url}"\n'
    text += "".join(f'["{role}"]\nmodel = "{role}"\n' for role in roles)
    path.write_text(text)
    return path


@pytest.mark.slow
def test_scenes_become_items_with_a_report_and_questions(tmp_path: Path) -> None:
    source, run = written(tmp_path / "scenes.jsonl", 2), tmp_path / "run"
    with serving(models(broken=10)) as (url, server):
        command = ("run", "cinepile", source, run, "--models", table(tmp_path / "m.toml", url))
        done = strad_qa(*command, "--price", "*=1,2", "--test-share", "0.5")
        assert done.exit_code == 0, done.exception
        asked = server.asked
        assert asked > 50
        again = strad_qa(*command, "--price", "*=1,2", "--test-share", "0.5")
        assert (again.exit_code, server.asked) == (0, asked)
        assert again.stdout == done.stdout
    told = {one["step"]: one for one in all_of(run)}
    assert sum(used["requests"] for one in told.values() for used in one["spent"].values()) >= asked
    assert all(used["cost"] > 0 for used in told["write"]["spent"].values())
    assert strad_qa("report", run).exit_code == 0
    assert strad_qa("export", run, tmp_path / "out").exit_code == 0
    questions = QUESTIONS.read((tmp_path / "out" / "questions.jsonl").read_text().splitlines())[1]
    assert len(questions) == told["release"]["out"] > 0
    dry = strad_qa(*command[:4], "--dry-run", "--price", "*=1,2")
    assert "by what FOLDER's run took: about" in dry.stdout


def killed_after(command: list[str], server: ModelServer, answers: int) -> None:
    """Begin it, and kill it when so many more answers have gone out."""
    most = server.asked + answers
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(4000):
        if server.asked >= most:
            break
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
            raise AssertionError(f"it ended by itself: {process.returncode}")
    process.send_signal(signal.SIGKILL)
    process.wait(60)


@pytest.mark.slow
def test_killed_for_good_at_random_and_begun_again_it_gives_what_one_run_gives(
    tmp_path: Path,
) -> None:
    source, chance, kills = written(tmp_path / "scenes.jsonl", 8), Random(5), 0
    with serving(models(broken=10)) as (url, server):
        way = ("--models", str(table(tmp_path / "m.toml", url)), "--at-once", "4")
        done = strad_qa("run", "cinepile", source, tmp_path / "one", *way)
        assert done.exit_code == 0, done.exception
        once = server.asked
        command = [*STRAD_QA, "run", "cinepile", str(source), str(tmp_path / "killed"), *way]
        for _ in range(4):
            killed_after(command, server, chance.randrange(20, once // 4))
            kills += 1
        assert subprocess.run(command, capture_output=True, timeout=240).returncode == 0
        assert server.asked <= 2 * once + 4 * kills
    one, killed = files(tmp_path / "one"), files(tmp_path / "killed")
    assert one == killed
    assert len(one) > 20


@pytest.mark.parametrize("name", WAYS)
def test_every_step_can_be_sent_to_another_process(name: str) -> None:
    for step in way(name).steps:
        assert pickle.loads(pickle.dumps(step)) == step


def test_what_is_missing_or_wrong_is_said_in_one_line(tmp_path: Path) -> None:
    source = written(tmp_path / "scenes.jsonl", 2)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[poet]\nmodel = "m"\n')
    for said, says in (
        (("run", "cinepile", source, tmp_path / "r"), "no model for the role"),
        (("run", "novel", source, tmp_path / "r"), "choose cinepile or jointav"),
        (("run", "jointav", source, tmp_path / "r", "--task", "XYZ"), "XYZ"),
        (("run", "jointav", source, tmp_path / "r", "--by-rule"), "only with --clips"),
        (("run", "jointav", source, tmp_path / "r", "--filmed"), "folder of clips"),
        (("run", "cinepile", source, tmp_path / "r", "--filmed"), "of jointav"),
        (("run", "cinepile", source, tmp_path / "r", "--models", wrong), "no role 'poet'"),
        (("run", "cinepile", source, tmp_path / "r", "--price", "m"), "--price"),
        (("run", "cinepile", source, tmp_path / "r", "--engine", "none:"), "no engine"),
        (("review", tmp_path / "none"), "no run in it"),
        (("locate", source, tmp_path / "c.mp4"), "c.mp4: can't be read: no such file"),
        (("export", tmp_path, tmp_path / "out", "--form", "csv"), "no run in it"),
    ):
        refused = strad_qa(*said).exception
        assert isinstance(refused, InputError), said
        assert says in str(refused)
        assert "\n" not in str(refused)
    ended = subprocess.run([*STRAD_QA, "review", tmp_path / "none"], capture_output=True, text=True)
    assert ended.returncode == 2
    assert (
        ended.stderr == f"strad-qa: {tmp_path / 'none'}: no run in it: make one with strad-qa run\n"
    )
    assert strad_qa("run").exit_code == 2
    assert "give SCENES and FOLDER too" in str(strad_qa("run", "jointav", source).exception)
    roles = strad_qa("run", "jointav", "--roles")
    assert roles.stdout.startswith("writer: "), roles
    from_clips = strad_qa("run", "jointav", source, tmp_path / "r", "--roles", "--clips", tmp_path)
    assert from_clips.stdout.startswith("viewer: ")
    assert not (tmp_path / "r").exists()


def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    source, run = write_scenes(tmp_path / "scenes.jsonl", 4), tmp_path / "run"
    asyncio.run(made(run, source, FromText()))
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "out"):
        refused = strad_qa("export", run, out).exception
        assert isinstance(refused, InputError), refused
        assert f"{out}: can't be written: {tmp_path / 'file'} is no folder" in str(refused)


def test_nothing_is_recognised_before_all_that_is_cheap_is_checked(tmp_path: Path) -> None:
    """The film is no media: who tries to hear it says so."""
    (tmp_path / "film.mp3").write_text("no sound")
    videos, bad, r = tmp_path / "videos.jsonl", tmp_path / "bad.jsonl", tmp_path / "r"
    videos.write_text('{"id": "v", "clip": "v.mp4"}\n')
    bad.write_text("{}\n")
    film, model = ("--film", tmp_path / "film.mp3"), ("--engine", "scripted:none")
    for said, says in (
        (("jointav", videos, r, *model), "--film, --facts: of cinepile"),
        (("cinepile", videos, r), "no model for the role"),
        (("cinepile", tmp_path / "none.jsonl", r, *model), "none.jsonl: can't be read"),
        (("cinepile", bad, r, *model), "bad.jsonl:1: "),
        (("cinepile", videos, r, *model, "--cache", bad), "bad.jsonl: is no file of kept answers"),
        (("cinepile", videos, r, "--dry-run"), "of videos only a first run tells"),
        (("cinepile", videos, r, *model, "--price", "m"), "--price"),
    ):
        refused = strad_qa("run", *said, *film).exception
        assert isinstance(refused, InputError), (said, refused)
        assert says in str(refused)
    listed = strad_qa("run", "cinepile", videos, r, "--roles", *film)
    assert listed.stdout.startswith("shortlister: "), listed
    assert not r.exists()
    heard = strad_qa("run", "cinepile", videos, r, *model, *film).exception
    assert "film.mp3" in str(heard)


@pytest.mark.parametrize("command", [("run", "cinepile"), ("run", "jointav"), ("templates",)])
def test_input_and_output_are_checked_before_an_engine_is_asked(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    """Nothing answers at the engine's address: whoever asks it says so."""
    asked = ("--engine", "openai:http://127.0.0.1:9/v1", "--model", "m")
    rubbish, empty, file = (tmp_path / name for name in ("rubbish.jsonl", "empty.jsonl", "file"))
    rubbish.write_text("rubbish\n")
    empty.touch()
    file.touch()
    run = tmp_path / "run"
    for source, folder, says in (
        (tmp_path / "none.jsonl", run, "none.jsonl: can't be read: no such file"),
        (rubbish, run, "rubbish.jsonl:1: "),
        (empty, run, "empty.jsonl: no records in it: one "),
        (rubbish, file, f"{file}: can't be written: {file} is no folder"),
    ):
        refused = strad_qa(*command, source, folder, *asked).exception
        assert isinstance(refused, InputError), (source, refused)
        assert says in str(refused)
    assert not run.exists()
    assert {*tmp_path.iterdir()} == {rubbish, empty, file}


def test_a_run_that_could_not_go_on_or_keep_answers_is_refused_before_an_engine_is_asked(
    tmp_path: Path,
) -> None:
    asked = ("--engine", "openai:http://127.0.0.1:9/v1", "--model", "m")
    source, other, no_cache = (tmp_path / name for name in ("s.jsonl", "other", "file"))
    written(source, 1)
    no_cache.write_text("these are no answers")
    other.mkdir()
    (other / "run.json").write_text(
        '{"strad": "question run", "pipeline": "novel 1", "steps": [{"name": "write"}]}'
    )
    for said, says in (
        ((other,), "holds a run with another "),
        ((tmp_path / "r", "--cache", no_cache), "file: is no file of kept answers"),
        ((tmp_path / "r", "--cache", no_cache / "a"), f"{no_cache} is no folder"),
        ((tmp_path / "r", "--clips", tmp_path / "none"), "none: can't be read: no such file"),
    ):
        refused = strad_qa("run", "cinepile", source, *said, *asked).exception
        assert isinstance(refused, InputError), (said, refused)
        assert says in str(refused)
    assert not (tmp_path / "r").exists()
    away = strad_qa("run", "cinepile", source, tmp_path / "r", *asked).exception
    assert isinstance(away, WorkError), away
    assert not (tmp_path / "r").exists()


def test_a_run_that_nothing_came_out_of_says_so(tmp_path: Path) -> None:
    source, answers = written(tmp_path / "scenes.jsonl", 2), tmp_path / "answers"
    answers.write_text("Lovely weather.\n")
    done = strad_qa("run", "cinepile", source, tmp_path / "r", "--engine", f"scripted:{answers}")
    assert done.exit_code == 0, done.exception
    assert "warning: nothing came out of it: shortlist ended all (no usable" in done.stderr
    assert "r/03-shortlist.dropped.jsonl" in done.stderr


def test_without_ray_a_run_by_it_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, model = written(tmp_path / "scenes.jsonl", 1), ("--engine", "scripted:none")
    monkeypatch.setattr(ray_crew, "find_spec", lambda _: None)
    refused = strad_qa("run", "cinepile", source, tmp_path / "r", *model, "--ray", 2).exception
    assert isinstance(refused, MissingModelError), refused
    assert not (tmp_path / "r").exists()


def test_without_arrow_nothing_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, run = write_scenes(tmp_path / "scenes.jsonl", 4), tmp_path / "run"
    asyncio.run(made(run, source, FromText()))
    monkeypatch.setattr(exported, "find_spec", lambda _: None)
    refused = strad_qa("export", run, tmp_path / "out").exception
    assert isinstance(refused, MissingModelError), refused
    assert not (tmp_path / "out").exists()
    alone = strad_qa("export", run, tmp_path / "out", "--form", "questions")
    assert alone.exit_code == 0, alone.exception
    again = strad_qa("export", run, tmp_path / "out", "--form", "questions").exception
    assert str(again).endswith("exists already; name another file, or replace it with --force")


def test_a_dry_run_asks_and_writes_nothing(tmp_path: Path) -> None:
    source = written(tmp_path / "scenes.jsonl", 20)
    for name in WAYS:
        done = strad_qa("run", name, source, tmp_path / "r", "--dry-run", "--price", "*=10,30")
        assert done.exit_code == 0, done.exception
        assert "20 scenes, by rules of thumb" in done.stdout
        assert "about" in done.stdout
    assert not (tmp_path / "r").exists()
    assert "give --price" in strad_qa("run", "cinepile", source, tmp_path / "r", "--dry-run").stdout
    assert json.loads(source.read_text().splitlines()[0])["id"] == "s0"
