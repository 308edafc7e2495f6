"""A data set on the disk: what was written is read back, whole, at any place, by webdataset too."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import webdataset

from strad.cues import Cue
from strad.decision import Describe, Wait, WaitReason
from strad.errors import FormatError, InputError, WorkError
from strad.timeline import Interval
from streaming.prompt.profiles import PROFILES
from streaming.window import KnownFact
from tests.streaming.prompt.windows import spoken, window
from training.dataset import DATASET, INDEX, Dataset, Entry, write_index
from training.example import Example, Kind, Why
from training.rendering import rendered
from training.shards import ShardWriter, packed, unpacked
from training.stored import example_of, files_of

pytestmark = pytest.mark.unit


def examples() -> list[Example]:
    """One of each kind, with all that a window may hold."""
    seen = replace(
        window(
            40_000,
            words=spoken("Where", "is", "she?", at=20_000),
            history=[Cue(Interval(12_000, 14_000), "Anna closes the door.", "de")],
        ),
        facts=(KnownFact("Anna", "name", 20_500),),
        speech=(Interval(38_000, 38_500),),
    )
    opens = Describe(("Bo opens a letter.",), Interval(35_200, 37_000))
    marked = tuple(replace(frame, jpeg=frame.jpeg + b" boxed") for frame in seen.frames)
    drawn = replace(seen, frames=(*marked[:3], *seen.frames[3:]))
    moment = Interval(35_200, 37_000)
    return [
        Example("a-1", "tt1", Kind.AD, seen, opens, Why.UNSEEN_AD),
        Example("a-2", "tt1", Kind.WAIT, seen, Wait(WaitReason.NOTHING_NEW), Why.NO_AD),
        Example("a-3", "tt1", Kind.WAIT, window(2_000), Wait(WaitReason.NOTHING_NEW), Why.NO_AD),
        Example(
            "a-4",
            "tt1",
            Kind.SEGMENT,
            drawn,
            opens,
            Why.SEGMENT,
            moment,
            ("Bo (red box)",),
            seen.frames,
        ),
    ]


def kept(folder: Path, found: Sequence[Example], *, largest: int = 1 << 20) -> Dataset:
    """They as a data set of one split."""
    with ShardWriter(folder, "train", largest=largest) as shards:
        places = [shards.add(packed(one.key, files_of(one))) for one in found]
    entries = [
        Entry(one.key, one.film, "train", one.kind, one.why, place)
        for one, place in zip(found, places, strict=True)
    ]
    write_index(folder, entries)
    (folder / DATASET).write_text(json.dumps({"strad": "training-data", "version": 1}))
    return Dataset.open(folder)


def test_what_was_written_shows_a_model_the_same(tmp_path: Path) -> None:
    made = examples()
    split = kept(tmp_path, made, largest=40_000).split("train")
    assert len({entry.place.shard for entry in split.entries}) > 1
    for one, found in reversed(list(zip(made, split, strict=True))):
        for profile in PROFILES.values():
            assert rendered(found, profile) == rendered(one, profile)
        bare = replace(found, window=replace(found.window, audio=one.window.audio))
        assert bare == one
    assert [one.key for one in split[1:3]] == ["a-2", "a-3"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # its files
def test_webdataset_reads_it(tmp_path: Path) -> None:
    made = examples()
    kept(tmp_path, made)
    reader = webdataset.WebDataset(str(tmp_path / "train-00000.tar"), shardshuffle=False)
    found = list(reader)
    del reader
    gc.collect()
    assert [sample["__key__"] for sample in found] == [one.key for one in made]
    assert found[0]["7.jpg"] == made[0].window.frames[7].jpeg
    assert json.loads(found[0]["json"])["answer"]["forms"] == ["Bo opens a letter."]


def test_the_same_examples_are_the_same_bytes() -> None:
    first, again = ([packed(one.key, files_of(one)) for one in examples()] for _ in range(2))
    assert first == again


def test_damage_is_said_in_one_line(tmp_path: Path) -> None:
    split = kept(tmp_path, examples()).split("train")
    shard = tmp_path / "train-00000.tar"
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-3_000])
    with pytest.raises(WorkError, match="shorter than its index says"):
        split[3]
    shard.write_bytes(whole.replace(b"ustar", b"rusty"))
    with pytest.raises(FormatError, match="a-1: "):
        split[0]
    (tmp_path / INDEX).write_text('{"key": "a"}\n')
    with pytest.raises(FormatError, match=r"index.jsonl:1: no entry"):
        Dataset.open(tmp_path)
    (tmp_path / DATASET).unlink()
    with pytest.raises(InputError, match="no finished data set"):
        Dataset.open(tmp_path)


def test_a_sample_without_its_files_is_refused() -> None:
    files = unpacked(packed("a-1", files_of(examples()[0])), "here")
    for name in ("3.jpg", "wav"):
        less = {other: data for other, data in files.items() if other != name}
        with pytest.raises(FormatError, match=rf"here: an example without its file '{name}'"):
            example_of(less, "here")
    with pytest.raises(FormatError, match="here: no example: nothing that an example shows"):
        example_of({**files, "wav": bytes(44 + 2 * 16 * 9_000)}, "here")
    with pytest.raises(FormatError, match="here: no example"):
        example_of({"json": b"{}"}, "here")
