"""A run's choices: what can't be is refused, what they differ in, the command that makes them."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
import typer.testing
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.errors import InputError
from training.cli import fit as fit_cli
from training.cli.main import application
from training.config import FitConfig, Modality, Precision
from training.data import splits_of
from training.fit_command import fit_command

pytestmark = pytest.mark.unit

PLAIN = FitConfig(Path("data"), "base", Path("run"))
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "learning_rate": st.sampled_from([1e-6, 4.3e-5, 9.2e-5]),
        "epochs": st.sampled_from([0.5, 1.0, 3.0]),
        "batch": st.integers(1, 64),
        "augmentations": st.lists(
            st.sampled_from(["segment", "frame", "audio"]), unique=True, max_size=3
        ).map(tuple),
        "drop": st.sampled_from([(), (Modality.VIDEO,), (Modality.VIDEO, Modality.AUDIO)]),
        "precision": st.sampled_from(list(Precision)),
        "checkpointing": st.booleans(),
        "seed": st.integers(0, 9),
    },
)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"batch": 0}, "batch is 0, and must be above 0"),
        ({"epochs": -1.0}, "epochs is -1.0"),
        ({"learning_rate": -1e-5}, "must not be below 0"),
        ({"epochs": float("inf")}, "epochs is inf, and must be finite"),
        ({"weight_decay": float("nan")}, "weight_decay is nan"),
        ({"clip": float("inf")}, "clip is inf"),
        ({"device": "cuda:1"}, "device is 'cuda:1': name cpu, or none"),
        ({"dropout": 1.0}, "below 1"),
        ({"augmentations": ("sparkle",)}, "no augmentation 'sparkle'"),
    ],
)
def test_what_can_not_be_is_refused(changes: dict[str, object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        replace(PLAIN, **changes)  # type: ignore[arg-type]


@given(st.integers(1, 32), st.integers(1, 8), st.integers(1, 8))
def test_a_batch_is_made_of_whole_parts_or_refused(batch: int, at_once: int, many: int) -> None:
    config = replace(PLAIN, batch=batch, at_once=at_once)
    if batch % (at_once * many):
        with pytest.raises(InputError, match="a multiple"):
            config.accumulated(many)
    else:
        assert config.accumulated(many) * at_once * many == batch


@given(CHANGES)
def test_stored_choices_are_those_of_the_run_alone(changes: dict[str, object]) -> None:
    config = replace(PLAIN, **changes)  # type: ignore[arg-type]
    stored = json.loads(json.dumps(config.as_json()))
    assert config.differences(stored) == []
    elsewhere = replace(config, run=Path("other"), workers=7, samples=3)
    assert elsewhere.differences(stored) == []
    assert replace(config, rank=99).differences(stored) == ["rank"]


@settings(max_examples=10)
@given(CHANGES)
def test_the_command_of_a_run_makes_that_run(changes: dict[str, object]) -> None:
    config = replace(PLAIN, **changes)  # type: ignore[arg-type]
    made: list[FitConfig] = []

    def taken(**given: object) -> FitConfig:
        made.append(FitConfig(**given))  # type: ignore[arg-type]
        raise InputError("far enough")

    before = fit_cli.splits_of, fit_cli.FitConfig
    try:
        fit_cli.splits_of, fit_cli.FitConfig = (lambda _: None), taken  # type: ignore[assignment, misc]
        words = shlex.split(fit_command(config))[1:]
        typer.testing.CliRunner().invoke(application(), words)
    finally:
        fit_cli.splits_of, fit_cli.FitConfig = before  # type: ignore[misc]
    assert made == [config]


def test_no_data_set_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no finished data set"):
        splits_of(tmp_path)
