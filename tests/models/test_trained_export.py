"""Exports of trained weights: checked by their answers, whole or not there, asked as trained."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import Qwen3_5ForConditionalGeneration

from service.model_choice import ModelChoice
from service.model_describer import open_model
from strad.errors import InputError, WorkError
from strad.model_file import NAME, read_model_file
from strad_engines.weights import Weights
from streaming.prompt.profiles import profile
from tests.models import lessons, shapes
from tests.models.checkpoints import kept
from tests.models.real_time import in_real_time
from tests.models.tiny_phi import save_phi
from tests.models.training import _TAUGHT_LAYERS
from training.base_model import load_base
from training.example import Example, Kind
from training.exporting import parity
from training.exporting.exported import KNOWN, export
from training.exporting.form import Form, Wanted
from training.exporting.parity import Parity
from training.exporting.trained_run import TrainedRun, trained_run
from training.families.phi4mm import PHI4MM

pytestmark = [pytest.mark.models, pytest.mark.slow]

PROFILE = profile("qwen35-video")


def examples(count: int) -> list[Example]:
    """Held-out windows, as a data set has them."""
    return [
        Example(
            f"e{n}",
            "film",
            Kind.AD if sample.said else Kind.WAIT,
            sample.window,
            lessons.decision(sample),
            "made",
        )
        for n, sample in enumerate(itertools.islice(shapes.samples(77), count))
    ]


@pytest.fixture(scope="module")
def run(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainedRun:
    """As ``fit`` leaves it: LoRA, and a merger that was trained in full. Both matter."""
    folder = tmp_path_factory.mktemp("run")
    plain = Qwen3_5ForConditionalGeneration.from_pretrained(trained)
    torch.manual_seed(0)
    taught = {"target_modules": _TAUGHT_LAYERS, "modules_to_save": ["visual.merger"]}
    model = get_peft_model(plain, LoraConfig(r=16, lora_alpha=32, task_type="CAUSAL_LM", **taught))
    model.peft_config["default"].base_model_name_or_path = str(trained)
    for name, weight in model.named_parameters():
        if "lora_B" in name or "modules_to_save" in name:
            weight.data += 0.04 * torch.randn_like(weight)
    model.save_pretrained(folder / "best" / "adapter")
    state = {"base": str(trained), "profile": PROFILE.name, "data_sha256": "d" * 64}
    (folder / "best" / "state.json").write_text(json.dumps(state))
    (folder / "config.json").write_text(json.dumps({"rank": 16}))
    return trained_run(folder)


def card(found: Parity) -> str:
    return f"# Card\n\n{found.same} of {found.windows}\n"


@pytest.mark.parametrize("form", list(Form))
@in_real_time
async def test_an_export_answers_as_what_was_trained_and_is_opened_by_the_service(
    run: TrainedRun, trained: Path, tmp_path: Path, form: Form
) -> None:
    out = tmp_path / "out"
    found = await export(run, out, Wanted(form), examples(40), card)
    assert (found.windows, found.same) == (20, 20)
    place = out / "adapter" if form is Form.ADAPTER else out
    whole = out / "base" if form is Form.ADAPTER else out
    file = read_model_file(place / NAME)
    assert (file.profile, file.base, file.check) == (PROFILE.name, trained.name, KNOWN)
    assert (out / "README.md").read_text() == card(found)
    assert str(trained) not in "".join(path.read_text() for path in out.rglob("*config.json"))
    for name in ("tokenizer.json", "processor_config.json", "chat_template.jinja"):
        assert (whole / name).read_bytes() == (trained / name).read_bytes()
    # The known answer is asked, so whoever opens it has the trained weights.
    choice = ModelChoice(engine="transformers", model=str(place))
    async with open_model(choice, Weights(hub=False)) as model:
        assert model.manner.profile.name == PROFILE.name
    with pytest.raises(InputError, match="was trained with qwen35-video"):
        replace(choice, profile="qwen35-images").profile_of(file)
    assert os.listdir(tmp_path) == ["out"]
    if form is Form.ADAPTER:
        _only_lora(place)


def _only_lora(adapter: Path) -> None:
    """All that vLLM takes."""
    assert json.loads((adapter / "adapter_config.json").read_text())["modules_to_save"] is None
    kept = load_file(adapter / "adapter_model.safetensors")
    assert kept
    assert all(".lora_" in name for name in kept)


@in_real_time
async def test_an_export_that_answers_otherwise_never_appears(
    run: TrainedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weights are spoilt between writing and checking, as a bad disk would."""
    from training.exporting import exported

    written = exported.write_merged

    def spoilt(name: str, adapter: Path, out: Path) -> None:
        written(name, adapter, out)
        weights = load_file(out / "model.safetensors")
        merger = "model.visual.merger.linear_fc2.weight"
        weights[merger] = -weights[merger]
        save_file(weights, out / "model.safetensors", metadata={"format": "pt"})

    monkeypatch.setattr(exported, "write_merged", spoilt)
    with pytest.raises(WorkError, match=r"answers \d+ of 6 windows otherwise"):
        await export(run, tmp_path / "out", Wanted(), examples(6), card)
    assert not os.listdir(tmp_path)


@in_real_time
async def test_a_folder_that_is_there_and_a_run_without_weights_are_refused(
    run: TrainedRun, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="exists already"):
        await export(run, tmp_path, Wanted(), examples(2), card)
    with pytest.raises(InputError, match="holds no trained weights"):
        trained_run(tmp_path)
    with pytest.raises(InputError, match="validation split is empty"):
        await export(run, tmp_path / "out", Wanted(), [], card)


def test_what_no_profile_serves_is_not_exported(run: TrainedRun, tmp_path: Path) -> None:
    """Other prompts than this version's, or a variant of the ablation."""
    for state, told in (
        ({"prompt_sha256": "0" * 64}, "with other prompts"),
        ({"drop": ["video"]}, "without video"),
    ):
        folder = tmp_path / told.replace(" ", "-")
        shutil.copytree(run.folder, folder)
        (folder / "best" / "state.json").write_text(json.dumps({**run.state, **state}))
        with pytest.raises(InputError, match=told):
            trained_run(folder)


@in_real_time
async def test_a_phi_is_exported_with_its_own_vision_adapter_merged_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random weights end no answer: no known one is kept, and twelve tokens are compared."""
    monkeypatch.setattr(parity, "_GREEDY", replace(parity._GREEDY, max_tokens=12))
    monkeypatch.setattr(parity, "_SEEDS", range(1))
    base = tmp_path / "base"
    shutil.copytree(kept("phi", "random", save_phi), base)
    _lora(base, base / "vision-lora", 1)
    _lora(base, tmp_path / "run/best/adapter", 2, projections=["image_embed.img_projection_up"])
    _write(tmp_path / "run/best/state.json", {"base": str(base), "profile": "phi4mm"})
    _write(tmp_path / "run/config.json", {})
    run = trained_run(tmp_path / "run")
    window = examples(1)[0].window
    asked = [replace(examples(1)[0], window=replace(window, frames=window.frames[-2:]))]
    out, said = tmp_path / "out", list[str]()
    found = await export(run, out, Wanted(), asked, card, said.append)
    assert (found.same, read_model_file(out / NAME).check) == (1, "")
    assert "ends none of its answers" in said[-1]
    served, plain = parity.Served(str(out)), parity.Served(str(base))
    prompts = parity.prompts(asked, run.profile)
    assert await parity.answers(served, prompts) != await parity.answers(plain, prompts)
    assert sorted(os.listdir(tmp_path)) == ["base", "out", "run"]


def _lora(base: Path, out: Path, seed: int, projections: list[str] | None = None) -> None:
    torch.manual_seed(seed)
    taught = {"target_modules": PHI4MM.taught, "modules_to_save": projections}
    plain = load_base(str(base), dtype="float32").model
    model = get_peft_model(plain, LoraConfig(r=4, task_type="CAUSAL_LM", **taught))
    model.peft_config["default"].base_model_name_or_path = str(base)
    for name, weight in model.named_parameters():
        if "lora_B" in name or "modules_to_save" in name:
            weight.data += 0.1 * torch.randn_like(weight)
    model.save_pretrained(out)


def _write(path: Path, value: dict[str, str]) -> None:
    path.write_text(json.dumps(value))
