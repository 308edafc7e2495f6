"""Where nobody names a describer, it is the best that what is configured allows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.default_describer import default_describer
from service.settings import Settings
from strad.errors import InputError

pytestmark = pytest.mark.unit

SERVER = "openai:http://127.0.0.1:8000/v1"


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """A model's folder with what its training says of it."""
    card = {"strad": "model", "version": 1, "profile": "qwen35-images"}
    (tmp_path / "strad-model.json").write_text(json.dumps(card))
    return tmp_path


def test_without_an_engine_there_is_only_facts() -> None:
    assert default_describer(Settings()) == "facts"
    assert default_describer(Settings(model="m", profile="phi4mm")) == "facts"


def test_any_model_is_asked_by_strad_zero() -> None:
    assert default_describer(Settings(engine=SERVER, model="Qwen3.5-4B")) == "strad-zero"
    assert default_describer(Settings(preset="cpu")) == "strad-zero"


def test_a_model_that_was_trained_for_it_is_asked_by_strad_ft(trained: Path) -> None:
    own = Settings(engine=SERVER, model="m", model_file=str(trained / "strad-model.json"))
    assert default_describer(own) == "strad-ft"
    assert default_describer(Settings(engine="transformers", model=str(trained))) == "strad-ft"
    by_name = Settings(engine="vllm", model=trained.name, models=str(trained.parent))
    assert default_describer(by_name) == "strad-ft"
    assert default_describer(Settings(engine=SERVER, model="m", profile="phi4mm")) == "strad-ft"


def test_what_is_set_is_taken() -> None:
    set_so = Settings(describer="facts", engine=SERVER, model="m")
    assert default_describer(set_so) == "facts"


def test_a_preset_that_is_none_is_told() -> None:
    with pytest.raises(InputError, match="no preset"):
        default_describer(Settings(preset="gpu"))
