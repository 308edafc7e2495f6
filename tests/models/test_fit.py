"""Training runs over tiny models: what is learned, kept, gone on with, and refused."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from strad.errors import InputError
from strad_engines.messages import Sampling
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions
from streaming.prompt.profiles import profile
from tests.models.exam import examine, held_out
from tests.models.lesson_data import retold, write_lessons
from tests.models.real_time import in_real_time
from training.config import FitConfig, Modality
from training.data import splits_of
from training.fitting import Fitted, fit
from training.journal import DivergedError
from training.run_folder import RunFolder

pytestmark = [
    pytest.mark.models,
    pytest.mark.slow,
    pytest.mark.usefixtures("one_thread"),
]

PROFILE = profile("qwen35-video")
QUICK = {
    "at_once": 8,
    "checkpointing": False,
    "workers": 0,
    "learning_rate": 2e-3,
    "augmentations": (),
    "patience": 0,
    "device": "cpu",
}
LIMIT_S = 300.0


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Windows described in words that the trained checkpoint does not use."""
    folder = tmp_path_factory.mktemp("lessons") / "data"
    write_lessons(folder, {"train": 240, "validation": 16})
    return folder


def trained_on(data: Path, base: Path, run: Path, **changes: object) -> Fitted:
    config = FitConfig(data, str(base), run, **{**QUICK, **changes})  # type: ignore[arg-type]
    return fit(config, splits_of(data), lambda *_: None, time.monotonic)  # noqa: TID251


def rows(run: Path) -> list[dict[str, str]]:
    with RunFolder(run).log.open(newline="") as lines:
        return list(csv.DictReader(lines))


def losses(run: Path) -> list[tuple[str, str, str]]:
    return [(row["step"], row["loss"], row["validation_loss"]) for row in rows(run)]


@pytest.fixture(scope="module")
def fitted(data: Path, trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Fitted:
    run = tmp_path_factory.mktemp("fit") / "run"
    return trained_on(data, trained, run, epochs=1.0, evaluate_every=15, samples=10)


@in_real_time
async def test_what_is_taught_is_said_by_the_engine_that_serves(
    fitted: Fitted, trained: Path
) -> None:
    options = EngineOptions(settings={"adapter": fitted.folder.folder / "best" / "adapter"})
    seen = held_out(24)
    asked = Sampling(40)
    async with open_engine("transformers", str(trained), options=options) as opened:
        marks = await examine(opened.engine, PROFILE, seen, right=retold, sampling=asked)
    assert not [line for line in marks.answers if "moves" in line]
    assert marks.of_ad >= 0.5


def test_a_run_says_what_it_did(fitted: Fitted, trained: Path) -> None:
    folder = fitted.folder
    steps = [row for row in rows(folder.folder) if row["loss"]]
    judged = [row for row in rows(folder.folder) if row["validation_loss"]]
    assert [row["step"] for row in steps] == [str(n + 1) for n in range(30)]
    assert [row["step"] for row in judged] == ["15", "30"]
    assert float(steps[-1]["learning_rate"]) < float(steps[9]["learning_rate"])
    best = folder.state("best")
    assert best is not None
    assert (
        best["validation_loss"]
        == fitted.validation_loss
        == pytest.approx(min(float(row["validation_loss"]) for row in judged))
    )
    assert (best["base"], best["profile"]) == (str(trained), PROFILE.name)
    told = [json.loads(line) for line in folder.samples.read_text().splitlines()]
    assert [line["step"] for line in told] == [15, 30]
    assert len(told[-1]["samples"]) == 10
    assert told[-1]["scores"]["exact"] >= 0.5
    assert told[-1]["scores"]["wait_f1"] >= 0.9
    assert list(folder.tensorboard.glob("events.*"))


def test_a_run_that_is_done_is_not_done_again(fitted: Fitted, data: Path, trained: Path) -> None:
    before = fitted.folder.log.read_bytes()
    again = trained_on(data, trained, fitted.folder.folder, epochs=1.0, evaluate_every=15)
    assert replace(again, resumed_at=None) == fitted
    assert fitted.folder.log.read_bytes() == before
    config = FitConfig(data, str(trained), fitted.folder.folder, **QUICK)  # type: ignore[arg-type]
    same = replace(config, epochs=1.0, evaluate_every=15)
    others = replace(splits_of(data), digest="of other examples")
    with pytest.raises(InputError, match="over other examples than there are now"):
        fit(same, others, lambda *_: None, time.monotonic)  # noqa: TID251


def test_language_layers_are_adapted_and_the_merger_is_trained_in_full(fitted: Fitted) -> None:
    kept = load_file(fitted.folder.folder / "last" / "adapter" / "adapter_model.safetensors")
    lora = {name for name in kept if ".lora_" in name}
    whole = set(kept) - lora
    assert lora
    assert all(".language_model.layers." in name for name in lora)
    assert any(".self_attn." in name for name in lora)
    assert any(".linear_attn." in name for name in lora)
    assert any(".mlp." in name for name in lora)
    assert whole
    assert all(".visual.merger." in name for name in whole)
    assert kept[next(name for name in lora if "lora_A" in name)].shape[0] == 16


SMALL = ("--steps", "6", "--evaluate-every", "2", "--samples", "1", "--validated", "2", "--seed")
HOW = ("--at-once", "4", "--workers", "1", "--device", "cpu", "--learning-rate", "1e-3")


def command(data: Path, base: Path, run: Path) -> list[str]:
    program = "from training.cli.main import main; main()"
    told = ["fit", str(data), str(base), str(run), *SMALL, "3", *HOW]
    return [sys.executable, "-c", program, *told]


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}


def test_a_run_that_is_killed_goes_on_to_the_same_losses(
    data: Path, trained: Path, tmp_path: Path
) -> None:
    """Augmentations, accumulation, a process that reads, and checkpointing of activations too."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    subprocess.run(command(data, trained, whole), env=environment(), check=True, timeout=LIMIT_S)
    first = subprocess.Popen(
        command(data, trained, broken), env=environment(), start_new_session=True
    )
    deadline = time.monotonic() + LIMIT_S  # noqa: TID251
    while not RunFolder(broken).log.is_file() or len(rows(broken)) < 5:
        assert first.poll() is None
        assert time.monotonic() < deadline  # noqa: TID251
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait(LIMIT_S)
    assert len(rows(broken)) < len(rows(whole))
    subprocess.run(command(data, trained, broken), env=environment(), check=True, timeout=LIMIT_S)
    assert losses(broken) == losses(whole)
    one, other = (load_file(r / "last/adapter/adapter_model.safetensors") for r in (whole, broken))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_patience_is_not_renewed_by_going_on(data: Path, trained: Path, tmp_path: Path) -> None:
    """Nothing is learned at such a rate: each evaluation after the first is one without gain."""
    how = {**QUICK, "learning_rate": 1e-30, "patience": 2, "most_steps": 5, "evaluate_every": 1}
    config = FitConfig(data, str(trained), tmp_path, **how, samples=0, most_validated=2)  # type: ignore[arg-type]

    def killed(_: str, step: int, __: int, figures: Mapping[str, float]) -> None:
        if step == 3 and "validation_loss" in figures:
            raise KeyboardInterrupt

    clock = time.monotonic  # noqa: TID251
    with pytest.raises(KeyboardInterrupt):
        fit(config, splits_of(data), killed, clock)
    went_on = fit(config, splits_of(data), lambda *_: None, clock)
    assert (went_on.resumed_at, went_on.steps, went_on.ended_early) == (2, 3, True)
    before = rows(tmp_path)
    (tmp_path / "done.json").unlink()
    again = fit(config, splits_of(data), lambda *_: None, clock)
    assert replace(again, resumed_at=2) == went_on
    assert rows(tmp_path) == before


def test_what_can_not_be_trained_is_refused_in_one_line(
    data: Path, trained: Path, fitted: Fitted, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    cases = [
        ({"run": run, "data": tmp_path}, "holds no finished data set"),
        ({"run": run, "base": "./nowhere"}, "no such folder"),
        ({"run": run, "profile": "phi4mm"}, "not asked by the profile phi4mm"),
        ({"run": run, "batch": 6}, "a multiple"),
        ({"run": fitted.folder.folder}, "holds another run"),
    ]
    plain = FitConfig(data, str(trained), run, **QUICK)  # type: ignore[arg-type]
    for changes, why in cases:
        config = replace(plain, **changes)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=why) as raised:
            fit(config, splits_of(config.data), lambda *_: None, time.monotonic)  # noqa: TID251
        assert "\n" not in str(raised.value)
        assert raised.value.exit_code == 2


def test_a_loss_that_is_no_number_ends_the_run_and_says_what_to_do(
    data: Path, trained: Path, tmp_path: Path
) -> None:
    with pytest.raises(DivergedError, match="lower --learning-rate"):
        trained_on(data, trained, tmp_path / "run", most_steps=20, learning_rate=1e20, samples=0)


def test_too_little_memory_is_told_in_words(data: Path, trained: Path, tmp_path: Path) -> None:
    config = FitConfig(data, str(trained), tmp_path / "run", **QUICK)  # type: ignore[arg-type]

    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")

    with pytest.raises(InputError, match=r"too little memory .* --at-once 1, --checkpointing"):
        fit(config, splits_of(data), full, time.monotonic)  # noqa: TID251


def test_without_video_nothing_is_shown_and_no_projection_is_trained(
    data: Path, trained: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    trained_on(
        data, trained, run, most_steps=2, samples=1, drop=(Modality.VIDEO,), most_validated=4
    )
    kept = load_file(run / "best" / "adapter" / "adapter_model.safetensors")
    assert all(".lora_" in name for name in kept)
    state = RunFolder(run).state("best")
    assert state is not None
    assert state["drop"] == ["video"]
