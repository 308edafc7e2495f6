"""Which model is asked, and how: settings, presets, the model's own file, and what does not fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from service.model_choice import NEEDS, ModelChoice, must_take
from service.model_describer import AsTrained, TrainedModel
from service.opened_model import MARGIN, OpenedModel, deadline
from service.presets import PRESETS
from service.settings import Settings
from strad.errors import InputError
from strad.model_file import ModelFile
from strad_engines.abilities import Abilities
from strad_engines.opened_engine import OpenedEngine
from strad_engines.scripted_engine import ScriptedEngine
from streaming.config import Pace, StreamConfig
from streaming.describers.strad_ft.asking import Penalty
from streaming.prompt.profiles import PROFILES, profile
from streaming.replies import REPLAY_LIMIT

pytestmark = pytest.mark.unit

EVERYTHING = Abilities(video=True, images=True, audio=True, regex=True, log_probabilities=True)


def opened(choice: ModelChoice, able: Abilities = EVERYTHING, **file: object) -> TrainedModel:
    known = {"strad": "model", "version": 1, "profile": "qwen35-video", **file}
    engine = OpenedEngine(ScriptedEngine([]), able)
    card = ModelFile.model_validate(known) if file else None
    manner = AsTrained(engine, choice, profile("qwen35-video"), card)
    return OpenedModel(engine, choice, manner)


def test_every_profile_says_what_it_needs() -> None:
    assert set(NEEDS) == set(PROFILES)
    assert {preset.profile for preset in PRESETS.values()} <= set(PROFILES)


def test_a_preset_fills_in_what_was_not_asked_for() -> None:
    choice = ModelChoice.of(Settings(preset="cpu", model="mine"))
    assert (choice.engine, choice.model) == ("transformers", "mine")
    assert choice.profile_of(None).name == "qwen35-video"
    tuned = opened(choice).tune(StreamConfig())
    assert (tuned.stride, tuned.in_flight) == (4_000, 1)
    assert opened(choice).tune(StreamConfig(stride=3_000)).stride == 3_000
    assert opened(choice).width == 320


@pytest.mark.parametrize(
    ("name", "guessed"),
    [
        ("Qwen/Qwen3.5-4B", "qwen35-video"),
        ("strad-qwen35-4b", "qwen35-video"),
        ("microsoft/Phi-4-multimodal-instruct", "phi4mm"),
    ],
)
def test_a_familys_name_says_how_its_models_are_asked(name: str, guessed: str) -> None:
    assert ModelChoice(engine="vllm", model=name).profile_of(None).name == guessed


def test_a_name_that_says_nothing_needs_a_profile() -> None:
    with pytest.raises(InputError, match="--profile"):
        ModelChoice(engine="vllm", model="ours").profile_of(None)


def test_the_file_in_a_models_folder_is_found(tmp_path: Path) -> None:
    card = {"strad": "model", "version": 1, "profile": "phi4mm", "threshold": 0.25}
    for folder in ("given", "models/named"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "strad-model.json").write_text(json.dumps(card))
    for model in (str(tmp_path / "given"), "named"):
        _, file = ModelChoice(engine="vllm", model=model).own_file(tmp_path / "models")
        assert file is not None
        assert (file.profile, file.threshold, file.release) == ("phi4mm", 0.25, False)
    assert ModelChoice(engine="vllm", model="other").own_file(None) == (None, None)


def test_what_a_model_was_trained_with_is_not_changed() -> None:
    file = ModelFile(strad="model", version=1, profile="qwen35-images")
    with pytest.raises(InputError, match="was trained with qwen35-images"):
        ModelChoice(engine="vllm", model="m", profile="qwen35-video").profile_of(file)


@pytest.mark.parametrize(
    ("name", "able", "told"),
    [
        ("qwen35-video", {"video": False}, "needs video"),
        ("qwen35-images", {"images": False}, "needs images"),
        ("phi4mm", {"audio": False}, "needs audio"),
        ("qwen35-video", {"video_fps": 2.0}, "reads 2 frames a second, not 1"),
        ("qwen35-video", {"most_frames": 4}, "looks at 4 frames, not 8"),
    ],
)
def test_an_engine_that_cannot_show_it_is_refused(
    name: str, able: dict[str, object], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        must_take(profile(name), replace(EVERYTHING, **able), "the server")  # type: ignore[arg-type]


def test_what_nobody_knows_is_tried() -> None:
    unknown = Abilities(
        video=None, images=None, audio=None, regex=False, log_probabilities=None, video_fps=1.0
    )
    for each in PROFILES.values():
        must_take(each, unknown, "the server")


def test_the_models_file_and_then_the_command_line_say_how_sure_it_must_be() -> None:
    model = opened(ModelChoice(engine="vllm", model="m"), threshold=0.5, penalty="on-repeat")
    asking = model.manner.asking(StreamConfig())
    assert (asking.threshold, asking.penalty) == (0.5, Penalty.ON_REPEAT)
    sure = opened(ModelChoice(engine="vllm", model="m", threshold=2.0), threshold=0.5)
    assert sure.manner.asking(StreamConfig()).threshold == 2.0


def test_what_the_engine_cannot_do_is_not_asked_of_it() -> None:
    able = replace(EVERYTHING, regex=False, log_probabilities=False, context=4096)
    asking = opened(ModelChoice(engine="vllm", model="m"), able).manner.asking(StreamConfig())
    assert (asking.constrained, asking.alternatives, asking.model_tokens) == (False, None, 4096)


def test_engines_that_batch_find_out_how_many_help() -> None:
    served = opened(ModelChoice(engine="openai:http://x/v1", model="m"))
    assert served.tune(StreamConfig()).in_flight is None
    local = opened(ModelChoice(engine="transformers", model="m"))
    assert local.tune(StreamConfig()).in_flight == 1
    asked = opened(ModelChoice(engine="transformers", model="m", in_flight=3))
    assert asked.tune(StreamConfig()).in_flight == 3


def test_the_engine_gives_up_a_little_before_the_answer_is_of_no_use() -> None:
    assert deadline(StreamConfig()) == 16.5 - MARGIN
    assert deadline(StreamConfig(delay=0)) == 6.0 - MARGIN
    assert deadline(StreamConfig(pace=Pace.EVERY_WINDOW)) == REPLAY_LIMIT - MARGIN


def test_what_serves_behind_a_proxy_can_be_said() -> None:
    assert ModelChoice.of(Settings(engine_server="vllm")).server == "vllm"
    assert ModelChoice.of(Settings()).server is None
    with pytest.raises(InputError, match="engine_server must be"):
        Settings(engine_server="ollama")
