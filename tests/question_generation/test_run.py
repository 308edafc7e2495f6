"""A run counts everything, survives anything, and comes out the same however often it is broken."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation import run
from question_generation.cinepile.front.letters import Letters
from question_generation.cinepile.pipeline import pipeline as cinepile
from question_generation.cinepile.templates.pipeline import pipeline as templates
from question_generation.jointav.pipeline import pipeline as jointav
from question_generation.journal import Journal
from question_generation.outcome import Outcome
from question_generation.prompt_files import prompts_sha256
from question_generation.run import GaveUpError
from question_generation.run_about import UNFINISHED
from question_generation.run_folder import RunFolder
from question_generation.step_files import Counts, all_of
from strad.errors import InputError
from tests.question_generation.plain_pipeline import (
    FromText,
    Killed,
    PlainPipeline,
    files,
    made,
    scenes,
    write_scenes,
)

pytestmark = pytest.mark.unit


def go(
    folder: Path, source: Path, engine: FromText, after: int | None = None, **changed: Any
) -> list[Counts]:
    return asyncio.run(made(folder, source, engine, after, **changed))


def killed_run(folder: Path, source: Path, engine: FromText, after: int) -> bool:
    """Whether it was killed before it ended."""
    try:
        go(folder, source, engine, after)
    except BaseExceptionGroup as group:
        if group.subgroup(Killed) is None:
            raise
        return True
    return False


def test_counts_add_up_from_step_to_step_whatever_the_model_says(tmp_path: Path) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 300)
    with source.open("a") as file:
        file.write('{"id": "s1", "video_id": "again", "segment": [0, 1]}\nnot a scene\n\n')
    engine = FromText(broken=10, busy=1)
    counts = go(tmp_path / "run", source, engine)
    assert counts[0].came == 302
    assert counts[0].dropped == {"id used before": 1, "no record": 1}
    for one in counts:
        assert one.came == one.went_on + one.dropped.total() + one.failed.total()
    for before, after in pairwise(counts):
        assert after.came == before.out
    write = counts[1]
    assert write.dropped["nothing is described"] == 30
    assert write.failed["engine-busy"] > 0
    assert [c["in"] for c in all_of(tmp_path / "run")] == [c.came for c in counts]
    lost = (tmp_path / "run/01-write.dropped.jsonl").read_text().splitlines()
    assert len(lost) == write.dropped.total() + write.failed.total()
    assert write.spent.by_model["from text"].requests == engine.asked - write.failed.total()


def test_what_failed_is_tried_again_and_nothing_else(tmp_path: Path) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 200)
    first = go(tmp_path / "run", source, FromText(busy=5))
    assert first[1].failed
    mended = FromText()
    second = go(tmp_path / "run", source, mended)
    assert not second[1].failed
    assert 0 < mended.asked < 40
    go(tmp_path / "once", source, FromText())
    assert files(tmp_path / "run") == files(tmp_path / "once")
    idle = FromText()
    third = go(tmp_path / "run", source, idle)
    assert idle.asked == 0
    assert [one.told() for one in third] == [one.told() for one in second]


def test_changed_prompts_are_another_run_and_make_its_steps_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 20)
    go(tmp_path / "run", source, FromText())
    monkeypatch.setattr(run, "prompts_sha256", lambda way: f"other words of {way}")
    with pytest.raises(InputError, match="holds a run with another prompts"):
        go(tmp_path / "run", source, FromText())
    again = FromText(broken=100)
    # The words of what is asked are the same here, so that every answer is in the cache.
    before = files(tmp_path / "run")
    (tmp_path / "run/01-write.jsonl").write_text("spoilt")
    go(tmp_path / "run", source, again, redo=True)
    assert again.asked == 0
    assert files(tmp_path / "run").keys() == before.keys()
    assert (tmp_path / "run/01-write.jsonl").read_text() != "spoilt"


def test_prompts_are_told_by_their_words() -> None:
    ways = (cinepile(), jointav(), templates(Letters()))
    assert all(way.prompts for way in ways)
    assert len({prompts_sha256(way.prompts) for way in ways} | {hashlib.sha256().hexdigest()}) == 4
    with pytest.raises(LookupError, match="no prompts begin with cinepole-"):
        prompts_sha256(("cinepile-", "cinepole-"))


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_points_it_gives_what_one_run_gives(tmp_path: Path, seed: int) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 120)
    whole = FromText(broken=10, pause=True)
    go(tmp_path / "once", source, whole)
    chance, asked, kills = Random(seed), 0, 0
    while True:
        engine = FromText(broken=10, pause=True)
        alive = not killed_run(tmp_path / "run", source, engine, chance.randrange(1, 60))
        asked += engine.asked
        if alive:
            break
        kills += 1
        _tear(tmp_path / "run", chance)
    assert kills >= 2
    assert files(tmp_path / "run") == files(tmp_path / "once")
    assert asked == whole.asked, "an answer was paid twice"


def _tear(folder: Path, chance: Random) -> None:
    """What a write that was broken off leaves at the end of a journal."""
    for path in folder.glob("*.journal"):
        whole = path.read_bytes()
        cut = whole[: len(whole) - chance.randrange(1, 30)]
        head = whole.index(b"\n") + 1
        path.write_bytes(cut if len(cut) > head else whole)


def test_a_server_that_is_gone_ends_the_run_in_one_line(tmp_path: Path) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 200)
    engine = FromText(busy=100)
    with pytest.raises(GaveUpError, match="records failed in a row, the last with: try later"):
        go(tmp_path / "run", source, engine)
    assert engine.asked < 40
    go(tmp_path / "run", source, FromText())
    go(tmp_path / "once", source, FromText())
    assert files(tmp_path / "run") == files(tmp_path / "once")


def test_a_folder_of_another_run_is_refused_and_made_anew_when_asked(tmp_path: Path) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 20)
    go(tmp_path / "run", source, FromText())
    with pytest.raises(InputError, match="another seed"):
        go(tmp_path / "run", source, FromText(), seed=1)
    go(tmp_path / "run", source, FromText(), seed=1, redo=True)
    go(tmp_path / "one", source, FromText(), seed=1)
    assert files(tmp_path / "run") == files(tmp_path / "one")
    grown = FromText()
    go(tmp_path / "few", source, FromText(), limit=5)
    assert go(tmp_path / "few", source, grown)[0].came == 20
    assert grown.asked > 0


def test_a_run_made_anew_leaves_nothing_of_the_old_one_and_is_not_told_before_it_has_ended(
    tmp_path: Path,
) -> None:
    source, run = write_scenes(tmp_path / "scenes.jsonl", 20), tmp_path / "run"
    go(run, source, FromText())
    for name in ("01-facts.json", "01-facts.journal", "07-gone.dropped.jsonl", "01-notes.txt"):
        (run / name).write_text('{"step": "facts"}')
    with pytest.raises(GaveUpError):
        go(run, source, FromText(busy=100), seed=1, redo=True, in_a_row=3)
    with pytest.raises(InputError, match="has not ended"):
        RunFolder(run).counts()
    go(run, source, FromText(), seed=1)
    assert len(RunFolder(run).counts()) == len(PlainPipeline().steps) + 1
    assert not (run / "01-facts.json").exists()
    assert (run / "01-notes.txt").exists()
    assert not (run / UNFINISHED).exists()


@pytest.mark.parametrize("redo", [False, True])
def test_no_file_that_a_run_did_not_make_is_lost(tmp_path: Path, *, redo: bool) -> None:
    source = write_scenes(tmp_path / "01-scenes.jsonl", 5)
    (tmp_path / "02-notes.json").write_text("mine")
    with pytest.raises(InputError, match=r"holds 01-scenes\.jsonl, and no run"):
        go(tmp_path, source, FromText(), redo=redo)
    assert {path.name for path in tmp_path.glob("0*")} == {source.name, "02-notes.json"}
    run = tmp_path / "run"
    go(run, source, FromText())
    before = files(run)
    with pytest.raises(InputError, match=r"00-source\.jsonl: is a file of the run"):
        go(run, run / "00-source.jsonl", FromText(), redo=redo)
    assert files(run) == before


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"strad": "question run", "steps": [1]}'])
def test_a_folder_that_tells_of_no_run_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match="does not tell of a run"):
        RunFolder(tmp_path).about()
    source = write_scenes(tmp_path / "scenes.jsonl", 1)
    with pytest.raises(InputError, match="does not tell of a run"):
        go(tmp_path, source, FromText())


def test_a_file_that_holds_no_scene_is_refused(tmp_path: Path) -> None:
    for text, says in (("a,b\n1,2\n", "not JSON"), ("", "no records"), ("[]", "scenes.jsonl:1")):
        source = tmp_path / "scenes.jsonl"
        source.write_text(text)
        with pytest.raises(InputError, match=says):
            go(tmp_path / "run", source, FromText())
    with pytest.raises(InputError, match="can't be read"):
        go(tmp_path / "other", tmp_path / "none.jsonl", FromText())


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 10)

    async def both() -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(2):
                group.create_task(made(tmp_path / "run", source, FromText(pause=True)))

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(both())
    assert "another process is at work" in str(raised.value.exceptions[0])


@pytest.mark.slow
def test_ten_thousand_scenes_and_a_model_that_breaks_one_answer_in_ten(tmp_path: Path) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 10_000)
    counts = go(tmp_path / "run", source, FromText(broken=10))
    assert counts[0].came == 10_000
    for one in counts:
        assert one.came == one.went_on + one.dropped.total()
    assert counts[-1].out > 10_000
    reasons = {reason.removeprefix("no usable answer: ") for reason in counts[1].dropped}
    assert "nothing is described" in reasons


OUTCOMES = st.builds(
    Outcome,
    st.integers(0, 9),
    st.text(max_size=5),
    st.just("k"),
    st.lists(st.text(st.characters(exclude_characters="\n\r", codec="utf-8")), max_size=3).map(
        tuple
    ),
    st.text(max_size=5),
    failed=st.booleans(),
)


@given(st.lists(OUTCOMES, max_size=12), st.data())
def test_a_journal_cut_anywhere_holds_what_was_whole(
    tmp_path_factory: pytest.TempPathFactory, outcomes: list[Outcome], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("journal") / "j"
    ends = []
    with Journal(path, "step") as journal:
        ends.append(path.stat().st_size)
        for outcome in outcomes:
            journal.put(outcome)
            ends.append(path.stat().st_size)
    cut = data.draw(st.integers(0, ends[-1]))
    with path.open("r+b") as file:
        file.truncate(cut)
    kept = outcomes[: max(0, sum(end <= cut for end in ends) - 1)]
    with Journal(path, "step") as journal:
        for at in range(10):
            last = [outcome for outcome in kept if outcome.at == at]
            assert journal.get(at) == (last[-1] if last else None)
        journal.put(Outcome(3, "new", "k", ("line",)))
        assert journal.has(3, "k")
        assert not journal.has(3, "other")
    with Journal(path, "another step") as journal, contextlib.suppress(StopIteration):
        assert journal.get(3) is None


def test_scenes_are_as_the_tests_need_them() -> None:
    found = list(scenes(20))
    assert sum(not scene.visuals for scene in found) == 2
