"""A run's folder: what in it is whole, and what is forgotten before going on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.run_folder import RunFolder, write_state

pytestmark = pytest.mark.unit


def checkpoint(run: RunFolder, step: int, *, whole: bool = True) -> Path:
    path = run.checkpoints / f"checkpoint-{step}"
    path.mkdir(parents=True)
    (path / "trainer_state.json").write_text('{"global_step"' if not whole else "{}")
    return path


def test_a_checkpoint_that_was_not_finished_is_none(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    assert run.newest() is None
    whole = checkpoint(run, 5)
    older = checkpoint(run, 3)
    torn = checkpoint(run, 20, whole=False)
    (run.checkpoints / "checkpoint-30").mkdir()
    assert run.newest() == (whole, 5)
    run.go_on_from(5)
    assert (whole.exists(), older.exists(), torn.exists()) == (True, True, False)


@given(st.integers(0, 12), st.integers(1, 12))
def test_what_was_logged_after_the_step_is_forgotten(step: int, logged: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        run = RunFolder(Path(name))
        for n in range(1, logged + 1):
            run.append({"step": n, "loss": 1 / n})
            with run.samples.open("a") as out:
                out.write(json.dumps({"step": n}) + "\n")
        with run.log.open("a") as out:
            out.write(f"{logged}")  # killed as it wrote
        run.go_on_from(step)
        kept = run.log.read_text().splitlines()[1:] if run.log.is_file() else []
        steps = [int(row.split(",")[0]) for row in kept]
        samples = [json.loads(line)["step"] for line in run.samples.read_text().splitlines()]
        assert run.log.read_bytes().endswith(b"\r\n")
        assert len(steps) == len(kept)
        assert samples == list(range(1, min(step, logged) + 1))
        assert set(steps) == set(samples)


def test_an_answer_may_hold_any_character(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    line = json.dumps({"step": 1, "said": "a dog\u2028runs\x85"}, ensure_ascii=False) + "\n"
    run.samples.write_text(line, "utf-8")
    run.go_on_from(1)
    assert run.samples.read_text("utf-8") == line


def test_what_is_kept_is_put_in_place_whole(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    run.keep("best", lambda folder: write_state(folder, {"step": 1}))
    assert run.state("best") == {"step": 1}

    def torn(folder: Path) -> None:
        write_state(folder, {"step": 2})
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run.keep("best", torn)
    assert run.state("best") == {"step": 1}
    run.keep("best", lambda folder: write_state(folder, {"step": 3}))
    assert run.state("best") == {"step": 3}
    assert run.state("last") is None
    assert not [path for path in tmp_path.iterdir() if path.name.endswith((".making", ".old"))]
