"""The base model and what of it is trained: LoRA on its language layers, its projections in full.

Whoever works with what was trained loads the base here too: Phi's is not what lies in its folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import PreTrainedModel
from transformers.processing_utils import ProcessorMixin

from strad.errors import InputError, MissingModelError
from strad_engines.checkpoint import Checkpoint, checkpoint
from strad_engines.transformers_engine.loading import Loading, load
from strad_engines.weights import Weights
from training.config import FitConfig, Precision
from training.families.family import Family
from training.families.known import family_of


@dataclass(frozen=True, slots=True)
class Base:
    """A model as training begins with it."""

    found: Checkpoint
    family: Family
    model: PreTrainedModel
    processor: ProcessorMixin
    ends: list[int]
    """The tokens that end an answer."""


def family_named(name: str, weights: Weights | None = None) -> tuple[Checkpoint, Family]:
    """The base's folder and family, its weights not read yet. Raises InputError."""
    try:
        found = checkpoint(name, weights or Weights())
    except MissingModelError as error:
        raise InputError(str(error)) from None
    return found, family_of(found.kind, name)


def load_base(name: str, *, dtype: str = "auto", weights: Weights | None = None) -> Base:
    """The base in memory, its family's own adapter merged into it. Takes seconds to minutes.

    ``dtype`` as of ``Loading``. Raises InputError, WorkError, one line each.
    """
    weights = weights or Weights()
    found, family = family_named(name, weights)
    own = found.folder / family.merged_first
    adapter = own if family.merged_first and own.is_dir() else None
    loaded = load(name, Loading(device="cpu", dtype=dtype, weights=weights))
    model, processor = loaded.model, loaded.processor
    if adapter is not None:
        model = PeftModel.from_pretrained(model, adapter).merge_and_unload()
    videos = getattr(processor, "video_processor", None)
    if videos is not None and getattr(videos, "cap_pixels_per_frame", None) is None:
        videos.cap_pixels_per_frame = False  # as the engine that serves has it
    return Base(found, family, model, processor, loaded.ends)


def learner(base: Base, config: FitConfig) -> PeftModel:
    """The base with fresh adapters, as peft has it; what is trained is float32.

    Seeded: the same adapters each time.
    """
    torch.manual_seed(config.seed)
    plan = LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=config.dropout,
        target_modules=base.family.taught,
        modules_to_save=list(base.family.projections(config.drop)) or None,
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(base.model, plan)
    model.peft_config["default"].base_model_name_or_path = base_name(base.found)
    for weight in model.parameters():
        if weight.requires_grad:
            weight.data = weight.data.float()
    return model


def base_name(found: Checkpoint) -> str:
    """What an adapter says it was trained on: a hub's name as it is, a folder's whole path."""
    given = Path(found.name).expanduser()
    return str(given.resolve()) if given.is_dir() else found.name


def in_bfloat16(precision: Precision, device: str) -> bool:
    """Whether to compute in bfloat16. Raises InputError where it is asked for in vain."""
    on_gpu = torch.cuda.is_available() and device != "cpu"
    if precision is Precision.AUTO:
        return on_gpu and torch.cuda.is_bf16_supported()
    if precision is Precision.BFLOAT16 and on_gpu and not torch.cuda.is_bf16_supported():
        raise InputError("this GPU has no bfloat16: --precision float32")
    return precision is Precision.BFLOAT16


def counted(model: PreTrainedModel) -> tuple[int, int]:
    """Weights that are trained, and all."""
    weights = list(model.parameters())
    return sum(w.numel() for w in weights if w.requires_grad), sum(w.numel() for w in weights)
