"""A Phi-4-multimodal is trained: its vision LoRA merged first, what it sees and hears projected."""

from __future__ import annotations

import itertools
import shutil
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file

from strad.decision import Describe
from strad.timeline import Interval
from streaming.media import SAMPLES_PER_MS, AudioChunk
from tests.models import shapes
from tests.models.checkpoints import kept
from tests.models.lesson_data import example
from tests.models.tiny_phi import save_phi
from training.base_model import load_base
from training.config import FitConfig
from training.data import Splits
from training.example import Example, Kind
from training.families.phi4mm import PHI4MM
from training.fitting import fit

pytestmark = [pytest.mark.models, pytest.mark.slow]


@pytest.fixture(scope="module")
def phi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As it is published: it sees only with the adapter that lies beside it."""
    folder = tmp_path_factory.mktemp("phi") / "base"
    shutil.copytree(kept("phi", "random", save_phi), folder)
    plain = load_base(str(folder), dtype="float32").model
    torch.manual_seed(1)
    plan = LoraConfig(r=4, target_modules=PHI4MM.taught, task_type="CAUSAL_LM")
    seeing = get_peft_model(plain, plan)
    for name, weight in seeing.named_parameters():
        if "lora_B" in name:
            weight.data += 0.1
    seeing.save_pretrained(folder / "vision-lora")
    return folder


def heard(one: Example, ms: int) -> Example:
    """Its last picture, and a tone until the cursor."""
    window = one.window
    start = window.when.end - ms
    tone = np.sin(np.arange(ms * SAMPLES_PER_MS) / 5) * 8_000
    sound = AudioChunk(start, tone.astype("<i2").tobytes())
    return replace(one, window=replace(window, frames=window.frames[-1:], audio=(sound,)))


def lessons() -> list[Example]:
    """Two windows of different length, and a segment."""
    seen = list(itertools.islice(shapes.samples(5), 3))
    one, two, three = (example(sample, f"k{n}") for n, sample in enumerate(seen))
    moment = Interval(three.window.when.end - 1_000, three.window.when.end)
    segment = replace(
        three, kind=Kind.SEGMENT, moment=moment, answer=Describe(("A door opens.",), moment)
    )
    return [heard(one, 1_500), heard(two, 900), heard(segment, 1_000)]


def test_its_own_adapter_is_merged_before_ours_is_laid_over_it(phi: Path) -> None:
    merged = load_base(str(phi), dtype="float32").model.state_dict()
    stored = load_file(phi / "model.safetensors")
    name = "model.layers.0.self_attn.qkv_proj.weight"
    assert not torch.equal(merged[name], stored[name].float())
    other = "model.embed_tokens_extend.image_embed.img_projection_up.weight"
    assert torch.equal(merged[other], stored[other].float())


def test_it_is_taught_to_see_and_to_hear(phi: Path, tmp_path: Path) -> None:
    config = FitConfig(
        tmp_path,
        str(phi),
        tmp_path / "run",
        most_steps=1,
        batch=2,
        at_once=2,
        samples=0,
        checkpointing=False,
        workers=0,
        device="cpu",
        augmentations=("audio", "frame"),
    )
    found = fit(
        config,
        Splits(lambda: lessons()[1:], lambda: lessons()[:1], "made"),
        lambda *_: None,
        time.monotonic,  # noqa: TID251
    )
    best = found.folder.state("best")
    assert best is not None
    assert (best["profile"], best["merged_first"]) == ("phi4mm", "vision-lora")
    adapter = load_file(found.folder.folder / "best" / "adapter" / "adapter_model.safetensors")
    whole = {name.rsplit(".", 2)[-2] for name in adapter if ".lora_" not in name}
    assert whole == {
        "img_projection_up",
        "img_projection_down",
        "up_proj_for_vision_speech",
        "down_proj_for_vision_speech",
    }
    lora = [name for name in adapter if ".lora_" in name]
    assert lora
    assert not [name for name in lora if "embed" in name]
    assert found.validation_loss > 0
