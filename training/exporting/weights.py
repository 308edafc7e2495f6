"""Trained weights as they are served: merged into one checkpoint, or an adapter on its base.

vLLM takes no adapter that holds more than LoRA. So the layers that were trained in full are written
into a copy of the base, and the adapter beside it keeps the LoRA alone.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file
from transformers import PreTrainedModel
from transformers.utils import logging as library_log

from strad.errors import InputError
from strad_engines.adapters import CONFIG
from strad_engines.checkpoint import Checkpoint, read_json
from training.base_model import load_base
from training.exporting.form import ADAPTER, BASE

_WEIGHTS = "adapter_model.safetensors"
_PREFIX = "base_model.model."
_LORA = (".lora_A.", ".lora_B.")
_COPIED = ("*.json", "*.jinja", "*.txt", "*.model")
_WRITTEN = {"config.json", "strad-model.json", CONFIG}
"""What of a base is not copied: it is written anew, or is not this model's."""


def write_base(name: str, out: Path) -> None:
    """The base as training began with it: Phi's is not what lies in its folder."""
    base = load_base(name)
    _write(base.model, base.found, out)


def write_merged(name: str, adapter: Path, out: Path) -> None:
    """One checkpoint: LoRA merged in float32, then rounded once to what the base is stored in.

    ``name``: of the base. Raises the errors of ``load_base``, InputError for an adapter that does
    not fit.
    """
    base = load_base(name, dtype="float32")
    try:
        merged = PeftModel.from_pretrained(base.model, adapter).merge_and_unload()
    except (RuntimeError, ValueError) as error:
        raise InputError(f"the adapter {adapter} does not fit {name}: {_line(error)}") from error
    _write(merged.to(stored_in(base.found)), base.found, out)


def write_adapter(name: str, adapter: Path, out: Path) -> None:
    """``out/base`` with the layers that were trained in full, ``out/adapter`` with LoRA for it.

    ``name``: of the base. Raises the errors of ``load_base``, InputError for an adapter that does
    not fit.
    """
    trained = load_file(adapter / _WEIGHTS)
    lora = {name: weight for name, weight in trained.items() if any(mark in name for mark in _LORA)}
    whole = {name: weight for name, weight in trained.items() if name not in lora}
    base = load_base(name)
    _put(base.model, {key.removeprefix(_PREFIX): whole[key] for key in whole}, adapter)
    _write(base.model, base.found, out / BASE)
    (out / ADAPTER).mkdir()
    save_file(lora, out / ADAPTER / _WEIGHTS, metadata={"format": "pt"})
    config = read_json(adapter / CONFIG)
    # Found from the adapter's folder, wherever both are moved to.
    config |= {"modules_to_save": None, "base_model_name_or_path": f"../{BASE}"}
    (out / ADAPTER / CONFIG).write_text(json.dumps(config, indent=2) + "\n", "utf-8")


def stored_in(found: Checkpoint) -> torch.dtype:
    """The type of a checkpoint's weights, as they lie."""
    text = found.config.get("text_config") or {}
    told = found.config.get("dtype") or found.config.get("torch_dtype") or text.get("dtype")
    known = getattr(torch, str(told or "bfloat16").removeprefix("torch."), None)
    return known if isinstance(known, torch.dtype) else torch.bfloat16


def _put(model: PreTrainedModel, weights: Mapping[str, torch.Tensor], adapter: Path) -> None:
    own = model.state_dict()
    for name, weight in weights.items():
        if name not in own or own[name].shape != weight.shape:
            raise InputError(f"{adapter}: {name} is neither LoRA nor a layer of the base")
        own[name].copy_(weight)


def _write(model: PreTrainedModel, base: Checkpoint, out: Path) -> None:
    """The weights, and beside them processor, tokenizer and chat template, byte for byte."""
    out.mkdir(parents=True, exist_ok=True)
    with _without_bars():
        model.save_pretrained(out)
    for path in sorted(path for pattern in _COPIED for path in base.folder.glob(pattern)):
        if path.name not in _WRITTEN and not path.name.endswith(".index.json"):
            shutil.copyfile(path, out / path.name)


@contextmanager
def _without_bars() -> Iterator[None]:
    bars = library_log.is_progress_bar_enabled()
    library_log.disable_progress_bar()
    try:
        yield
    finally:
        if bars:
            library_log.enable_progress_bar()


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]
