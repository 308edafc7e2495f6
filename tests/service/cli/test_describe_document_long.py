"""Ten minutes with six named people and scenes that come again, over HTTP; and real kills."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from strad.passes import ENTITIES, LISTEN, WHOLE
from strad.predictions import PREDICTIONS, Prediction
from strad.speech import spoken_ms
from tests.seeing.document_film import ALIASES, NAMES, story
from tests.seeing.document_mind import document_tasks
from tests.seeing.film import render
from tests.seeing.server import MODEL, SeeingServer, seeing_thread

pytestmark = [pytest.mark.service, pytest.mark.slow]

STORY = story(600_000, scene=20_000, people=6)
ROOT = Path(__file__).parents[3]
LIMIT = 300
"""Seconds of one run."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The film and its captions."""
    folder = tmp_path_factory.mktemp("films")
    render(STORY.film, folder / "film.webm", fps=1)
    (folder / "film.vtt").write_text(STORY.film.captions())
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[SeeingServer]:
    """An endpoint that uses every name from the first moment on, and repeats itself."""
    with seeing_thread(document_tasks(NAMES)) as server:
        yield server


@pytest.fixture(scope="module")
def whole(shelf: Path, server: SeeingServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run from beginning to end."""
    out = tmp_path_factory.mktemp("whole")
    subprocess.run(command(shelf, server.url, out), cwd=ROOT, check=True, timeout=LIMIT)
    return out


def command(shelf: Path, url: str, out: Path) -> list[str]:
    return [
        *(sys.executable, "-c", "from service.cli import main; main()"),
        *("describe", str(shelf / "film.webm"), "--task", "document"),
        *("--engine", f"openai:{url}", "--model", MODEL),
        *("--captions", str(shelf / "film.vtt"), "--gaps", "transcript"),
        *("-o", str(out / "ad.jsonl"), "--folder", str(out)),
    ]


def described(out: Path) -> list[Prediction]:
    return list(PREDICTIONS.each((out / "ad.jsonl").read_text().splitlines()))


def told(text: str) -> tuple[str, str]:
    """Who, by their look, and how they move."""
    who = next((look for look, name in NAMES.items() if name in text), None)
    who = who or next(look for look in NAMES if look in text)
    found = re.search(r"moves (\w+)", text)
    assert found
    return who, found[1]


def test_nothing_is_said_twice(whole: Path, server: SeeingServer) -> None:
    said = [told(line.text) for line in described(whole)]
    shown = {(f"{f.colour} {f.form}", f.motion) for f in STORY.film.figures}
    assert server.refused == []
    assert len(set(said)) == len(said)
    assert set(said) == shown


def test_everybody_has_one_name_and_none_before_it_is_spoken(whole: Path) -> None:
    said = described(whole)
    assert not any(alias in line.text for line in said for alias in ALIASES.values())
    named: set[str] = set()
    for line in said:
        for look, name in NAMES.items():
            is_known = line.when.start >= STORY.named[name]
            if name in line.text:
                assert is_known
                assert (f", the {look}," in line.text) == (name not in named)
                named.add(name)
            elif look in line.text:
                assert not is_known
    assert len(named) >= 3


def test_everything_fits_its_gap(whole: Path) -> None:
    _, heard = LISTEN.read((whole / LISTEN.file).read_text(), file="")
    gaps = [line.when for line in heard if line.kind == "gap"]
    said = described(whole)
    for line in said:
        assert not any(cue.when.overlaps(line.when) for cue in STORY.film.said)
        assert any(gap.intersect(line.when) == line.when for gap in gaps)
        assert line.when.duration >= spoken_ms(line.text)
    for one, other in pairwise(said):
        assert one.when.end < other.when.start


def test_all_that_is_not_said_has_its_reason(whole: Path) -> None:
    _, lines = WHOLE.read((whole / WHOLE.file).read_text(), file="")
    dropped = [line.dropped for line in lines if line.dropped is not None]
    assert len(dropped) + len(described(whole)) == len(lines)
    assert all("it says what g" in why for why in dropped)
    report = (whole / "report.md").read_text()
    assert all(why in report for why in dropped)


def test_killed_at_random_it_ends_as_one_run(
    shelf: Path, server: SeeingServer, whole: Path, tmp_path: Path
) -> None:
    chance, deaths, clock = random.Random(3), 0, time.monotonic  # noqa: TID251
    while True:
        before, dies_after = len(server.asked), chance.randrange(20, 70)
        deadline = clock() + LIMIT
        with subprocess.Popen(command(shelf, server.url, tmp_path), cwd=ROOT) as run:
            while run.poll() is None and len(server.asked) < before + dies_after:
                assert clock() < deadline
                time.sleep(0.01)
            if run.poll() is not None:
                break
            run.send_signal(signal.SIGKILL)
        deaths += 1
    assert run.returncode == 0
    assert deaths >= 3
    for name in [*(path.name for path in whole.glob("?-*.jsonl")), "ad.jsonl"]:
        assert (tmp_path / name).read_text() == (whole / name).read_text()


def test_a_corrected_name_is_in_what_is_said(
    shelf: Path, server: SeeingServer, whole: Path, tmp_path: Path
) -> None:
    """The model goes on calling her Emma, as the dialogue does."""
    for path in whole.glob("?-*.jsonl"):
        (tmp_path / path.name).write_text(path.read_text())
    entities = tmp_path / ENTITIES.file
    lines = [json.loads(line) for line in entities.read_text().splitlines()]
    (emma,) = (line for line in lines if line.get("name") == "Emma")
    emma |= {"name": "Emily", "aliases": ["Emma"], "note": "so says the cast"}
    entities.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    subprocess.run(command(shelf, server.url, tmp_path), cwd=ROOT, check=True, timeout=LIMIT)
    said = [line.text for line in described(tmp_path)]
    assert any("Emily" in text for text in said)
    assert not any("Emma" in text for text in said)
    assert "so says the cast" in entities.read_text()
