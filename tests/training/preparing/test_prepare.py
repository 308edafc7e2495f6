"""Films to examples, through the real decoder: shown, counted, passed over, gone on with."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from strad.decision import Describe
from strad.errors import InputError, WorkError
from streaming.excerpts import Excerpt, excerpts
from streaming.prompt.profiles import PROFILES
from streaming.prompt.wav import wav
from tests.streaming.clips import loud, number_of
from tests.training import filmed
from training.budget import PAPER
from training.dataset import SPLITS, Dataset
from training.example import Example, Kind
from training.preparing.prepare import prepare
from training.preparing.run import PARTS, Watcher
from training.preparing.wishes import Wishes
from training.rendering import rendered
from training.skipped import Skips
from training.sources.manifests import manifest_materials

pytestmark = pytest.mark.media


class Names(Watcher):
    """Remembers the films that were made."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def film(self, name: str, examples: int) -> None:
        if examples:
            self.made.append(name)


def prepared(
    source: Path, folder: Path, wishes: Wishes | None = None, *, again: bool = False
) -> tuple[Dataset, Names]:
    skips, names = Skips(), Names()
    materials = manifest_materials(source, None, skips)
    dataset, _ = asyncio.run(
        prepare(*(materials, folder, wishes or Wishes(), skips), watcher=names, jobs=1, again=again)
    )
    return dataset, names


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filmed.films(tmp_path_factory.mktemp("films"), 2)


@pytest.fixture(scope="module")
def dataset(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return prepared(source, tmp_path_factory.mktemp("data"))[0]


def examples(dataset: Dataset) -> list[Example]:
    return [example for split in SPLITS for example in dataset.split(split)]


def test_shares_and_splits_are_the_papers(dataset: Dataset) -> None:
    for split in SPLITS:
        found = dataset.about["counts"][split]
        assert found["examples"] == len(dataset.split(split)) >= 8
        for kind, share in PAPER.items():
            assert abs(found["kinds"][kind.value] - found["examples"] * share) < 1
    films = [{e.film for e in dataset.entries if e.split == split} for split in SPLITS]
    assert not films[0] & films[1]
    assert [len(found) for found in films] == [1, 1]
    told = dataset.about["films"]
    assert [told[split]["files"] for split in SPLITS] == [1, 1]
    assert 0 < told["train"]["spoken_share"] < told["train"]["described_share"] < 0.5
    assert told["train"]["words_mean"] == 5


def test_every_picture_is_the_one_of_its_time_and_none_is_later(dataset: Dataset) -> None:
    for example in examples(dataset):
        window = example.window
        assert len(window.frames) == 8 or window.when.start == 0
        for frame in window.frames:
            assert window.when.start <= frame.t <= window.when.end
            assert number_of(frame.jpeg) == min(frame.t * filmed.FPS // 1000, 299)
        assert all(chunk.when.end <= window.when.end for chunk in window.audio)
        assert all(word.when.end <= window.when.end for word in window.words)
        assert all(cue.when.start <= window.when.end for cue in window.history)
        for profile in PROFILES.values():
            rendered(example, profile)


def test_sound_is_that_of_its_time(dataset: Dataset) -> None:
    start, end = (round(1000 * t) for t in filmed.SOUND)
    for example in examples(dataset):
        (heard,) = example.window.audio
        assert abs(heard.when.start - example.window.when.start) < 100
        assert abs(heard.when.end - example.window.when.end) < 200
        for t in range(heard.when.start + 50, heard.when.end - 50, 50):
            if min(abs(t - start), abs(t - end)) > 100:
                assert loud(heard.pcm, (t - heard.t) / 1000) == (start < t < end)


def test_a_segment_is_what_serving_cuts_out(source: Path, dataset: Dataset) -> None:
    segments = [e for e in examples(dataset) if e.kind is Kind.SEGMENT]

    async def cut(example: Example) -> Excerpt:
        film = source.parent / f"{example.film}.mp4"
        spans = [example.window.when]
        async with aclosing(excerpts(film, spans, count=8, sound=True)) as found:
            async for one in found:
                assert isinstance(one, Excerpt)
                return one
        raise AssertionError

    for example in (segments[0], segments[-1]):
        excerpt, window = asyncio.run(cut(example)), example.window
        assert [f.t for f in window.frames] == [f.t for f in excerpt.frames]
        assert [number_of(f.jpeg) for f in window.frames] == [
            number_of(f.jpeg) for f in excerpt.frames
        ]
        when = window.when
        assert example.moment
        assert isinstance(example.answer, Describe)
        assert (when.start, when.end) == (
            max(0, example.moment.start - 2_000),
            min(30_000, example.moment.end + 2_000),
        )
        assert len(wav(window.audio, when)) == len(wav(excerpt.audio, when))


def test_a_finished_folder_is_left_alone_and_another_wish_is_refused(
    source: Path, dataset: Dataset
) -> None:
    before = dataset.digest
    again, names = prepared(source, dataset.folder)
    assert (again.digest, names.made) == (before, [])
    with pytest.raises(InputError, match="another data set"):
        prepared(source, dataset.folder, Wishes(budget=8))


@pytest.mark.slow
def test_a_killed_run_goes_on_with_the_films_that_are_left(
    source: Path, dataset: Dataset, tmp_path: Path
) -> None:
    """Killed after the first film; what comes out is what a run in one go makes."""
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from tests.training.preparing.test_prepare import prepared\n"
        "from training.preparing import run\n"
        "from tests.training.preparing import test_prepare as t\n"
        "t.Names.film = lambda s, n, e: e and os.kill(os.getpid(), signal.SIGKILL)\n"
        "prepared(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    command = [sys.executable, "-c", program, str(source), str(tmp_path)]
    done = subprocess.run(command, check=False, timeout=120, cwd=Path(__file__).parents[3])
    assert done.returncode == -9
    left = [p for p in (tmp_path / PARTS).glob("*.json") if ".look." not in p.name]
    assert len(left) == 1
    with pytest.raises(InputError, match="no finished data set"):
        Dataset.open(tmp_path)
    (tmp_path / "train-00007.tar").write_bytes(b"half a shard")
    found, _ = prepared(source, tmp_path)
    assert found.entries == dataset.entries
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".jsonl", ".tar", ".tar"]
    for name in ("train-00000.tar", "validation-00000.tar", "index.jsonl"):
        assert (tmp_path / name).read_bytes() == (dataset.folder / name).read_bytes()
    assert not (tmp_path / PARTS).exists()


def test_what_cannot_be_used_is_counted_skipped_and_listed(tmp_path: Path) -> None:
    filmed.film(tmp_path / "good.mp4")
    filmed.film(tmp_path / "silent.mp4", sound=None)
    whole = filmed.film(tmp_path / "cut.mp4", container="mpegts").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "corrupt.mp4").write_bytes(b"no film at all" * 500)
    good = filmed.entry("good")
    good["ad"] += [
        {"start": 9.0, "end": 8.0, "text": "Backwards."},
        {"start": 9.0, "end": 9.5, "text": " -- "},
        {"start": 1.0, "end": 80.0, "text": "Without an end."},
        {"start": 100.0, "end": 101.0, "text": "After the end."},
        {"start": "x"},
    ]
    good["transcript"] += [{"start": 5.0, "end": 4.0, "text": "Backwards too."}]
    names = ("silent", "cut", "corrupt", "missing")
    untold = {**filmed.entry("good", seed=9), "id": "untold", "source": {"path": "good.mp4"}}
    del untold["transcript"]
    entries = [good, *(filmed.entry(n, seed=i) for i, n in enumerate(names)), untold]
    source = filmed.manifest(tmp_path, *entries, {"id": "bad"})
    found, _ = prepared(source, tmp_path / "data", Wishes(share=0.0))
    counted = found.about["skipped_counts"]
    assert counted == {
        "bad-entry": 2,
        "corrupt-media": 1,
        "empty-text": 1,
        "missing-media": 1,
        "no-audio": 1,
        "no-transcript": 1,
        "outside-media": counted["outside-media"],
        "reversed-times": 2,
        "too-long": 1,
    }
    assert counted["outside-media"] >= 1
    told = {(one["fault"], one["what"].rpartition(": ")[2]) for one in found.about["skipped"]}
    assert {("missing-media", "missing"), ("no-audio", "silent")} <= told
    assert "corrupt" in {what for fault, what in told if fault == "corrupt-media"}
    assert {e.film for e in found.entries} <= {"good", "cut", "untold"}
    assert {e.kind for e in found.entries if e.film == "untold"} <= {Kind.SEGMENT}


def test_nothing_to_make_is_said_in_one_line(source: Path, tmp_path: Path) -> None:
    told = filmed.entry("film0")
    del told["transcript"]
    (tmp_path / "film0.mp4").write_bytes((source.parent / "film0.mp4").read_bytes())
    without = filmed.manifest(tmp_path, told)
    with pytest.raises(InputError, match="give --captions or --listen, or --no-streaming"):
        prepared(without, tmp_path / "new" / "data")
    assert not (tmp_path / "new").exists()
    told["transcript"] = [{"start": 0, "end": 30, "text": "And so on and so forth. " * 20}]
    spoken = filmed.manifest(tmp_path, told)
    with pytest.raises(InputError, match=r"for want of gaps: at \d+ of \d+ moments"):
        prepared(spoken, tmp_path / "new" / "data")
    assert not (tmp_path / "new").exists()
    without = filmed.manifest(tmp_path, {**told, "transcript": None})
    alone = prepared(without, tmp_path / "alone", Wishes(streaming=False))[0]
    assert {e.kind for e in alone.entries} == {Kind.SEGMENT}
    without = filmed.manifest(tmp_path, {**told, "transcript": None, "ad": []})
    with pytest.raises(InputError, match="no description lies within a film"):
        prepared(without, tmp_path / "none", Wishes(streaming=False))
    with pytest.raises(InputError, match=r"give --captions or --listen$"):
        prepared(without, tmp_path / "none")


def test_two_runs_do_not_work_in_one_folder(source: Path, tmp_path: Path) -> None:
    from strad.run_lock import only_run

    with only_run(tmp_path), pytest.raises(WorkError, match="another run"):
        prepared(source, tmp_path)


def test_budget_random_pad_and_no_sound(source: Path, tmp_path: Path) -> None:
    base = Wishes()
    manner = replace(base.manner, random_pad=True)
    wishes = replace(base, budget=8, manner=manner, sound=False, share=0.0)
    found = prepared(source, tmp_path, wishes)[0]
    assert found.about["counts"]["train"]["kinds"] == {"segment": 3, "ad": 3, "wait": 2}
    assert not found.split("validation")
    pads = set()
    for example in found.split("train"):
        assert example.window.audio == ()
        if example.moment:
            pads.add(example.moment.start - example.window.when.start)
    assert len(pads) == 3
    assert all(0 <= pad <= 2_000 for pad in pads)
    assert json.loads((tmp_path / "dataset.json").read_text())["seed"] == 0


def test_a_folder_of_somebody_elses_files_is_refused_and_left_alone(
    source: Path, tmp_path: Path
) -> None:
    for name in ("train-mine.tar", "index.jsonl", "train-00000.tar"):
        (tmp_path / name).write_text("mine")
    for again in (False, True):
        with pytest.raises(InputError, match="no data set"):
            prepared(source, tmp_path, again=again)
    (tmp_path / "dataset.json").write_text('{"mine": true}')
    with pytest.raises(InputError, match="not of examples"):
        prepared(source, tmp_path, again=True)
    left = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert left.pop("dataset.json") == '{"mine": true}'
    assert left == dict.fromkeys(("train-mine.tar", "index.jsonl", "train-00000.tar"), "mine")


def test_made_again_it_loses_nothing_that_was_not_prepared(source: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    made = prepared(source, data, Wishes(budget=8))[0]
    nothing = filmed.manifest(tmp_path, filmed.entry("gone"))
    with pytest.raises(InputError, match="no film can be used"):
        prepared(nothing, data, again=True)
    assert Dataset.open(data).digest == made.digest
    (data / "train-notes.tar").write_text("mine")
    (data / PARTS / "notes").write_text("mine")
    (data / PARTS / "f-12345678-00000.tar").write_text("of a run that was killed")
    assert prepared(source, data, Wishes(budget=12), again=True)[0].digest != made.digest
    assert (data / "train-notes.tar").exists()
    assert [path.name for path in (data / PARTS).iterdir()] == ["notes"]
    (data / "corrections-x.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="holds corrections"):
        prepared(source, data, again=True)
