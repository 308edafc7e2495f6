"""From a model's name to a model that answers, or one clear line. Takes seconds to minutes."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoProcessor, GenerationConfig, PreTrainedModel
from transformers.processing_utils import ProcessorMixin
from transformers.utils import logging as library_log

from strad.errors import InputError, WorkError
from strad_engines.adapters import adapter_of
from strad_engines.checkpoint import Checkpoint, checkpoint
from strad_engines.memory_needed import free_memory, require_memory
from strad_engines.weights import Weights

KINDS = {
    "qwen3_5": "Qwen3_5ForConditionalGeneration",
    "phi4_multimodal": "Phi4MultimodalForCausalLM",
}
"""The architectures this engine knows, and their classes."""
_FAILURES = (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError)
DTYPES = {"auto", "bfloat16", "float16", "float32"}


@dataclass(frozen=True, slots=True)
class Loading:
    """What one may want otherwise."""

    adapter: Path | None = None
    """A LoRA adapter, merged into the weights as they are loaded."""
    merge: bool = True
    """Whether it is; else it stays beside them, as it was trained, which is slower."""
    device: str = ""
    """``cuda``, ``cpu``, ...; empty: a GPU where there is one."""
    dtype: str = "auto"
    """Of the weights; ``auto``: as they lie."""
    cache_mib: int = 256
    """Most memory for the encodings of pictures seen before; 0: none."""
    weights: Weights = field(default_factory=Weights)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Loading:
        """From settings by name. Raises InputError for one that is none."""
        try:
            made = cls(**settings)
        except TypeError as error:
            raise InputError(f"the engine transformers: {error}") from None
        if made.dtype not in DTYPES:
            raise InputError(f"no dtype {made.dtype!r}; there are: {', '.join(sorted(DTYPES))}")
        return made


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model on its device, and its processor."""

    found: Checkpoint
    model: PreTrainedModel
    processor: ProcessorMixin
    ends: list[int]
    """The tokens that end an answer."""


def load(name: str, wanted: Loading) -> Loaded:
    """Find, check and load. Raises InputError, MissingModelError or WorkError, one line each."""
    found = checkpoint(name, wanted.weights)
    if found.kind not in KINDS:
        raise InputError(f"{name} is a {found.kind}; the engine transformers knows: {_known()}")
    if wanted.adapter is not None:
        adapter_of(wanted.adapter, found)
    device = torch.device(wanted.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    _check_room(found, wanted, device)
    try:
        processor = AutoProcessor.from_pretrained(found.folder, local_files_only=True)
        model = _model(found, wanted).to(device).eval()
    except _FAILURES as error:
        raise WorkError(f"{name} can't be loaded: {_line(error)}") from error
    ends = _ends(model, processor)
    model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=ends[0])
    return Loaded(found, model, processor, ends)


def _model(found: Checkpoint, wanted: Loading) -> PreTrainedModel:
    kind = getattr(importlib.import_module("transformers"), KINDS[found.kind])
    with _quiet():
        model, told = kind.from_pretrained(
            found.folder, dtype=wanted.dtype, local_files_only=True, output_loading_info=True
        )
    _all_there(found, told)
    if wanted.adapter is None:
        return model
    from peft import PeftModel

    try:
        adapted = PeftModel.from_pretrained(model, wanted.adapter)
        return adapted.merge_and_unload() if wanted.merge else adapted.get_base_model()
    except (RuntimeError, ValueError) as error:
        raise InputError(
            f"the adapter {wanted.adapter} does not fit {found.name}: {_line(error)}"
        ) from error


def _all_there(found: Checkpoint, told: Mapping[str, Any]) -> None:
    """Transformers makes up what a checkpoint lacks, from random numbers. Raises InputError."""
    missing = sorted(told["missing_keys"])
    if missing:
        raise InputError(
            f"{found.name} lacks {len(missing)} of the model's weights ({missing[0]}, ...): "
            "the checkpoint is not whole"
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and tables of the library's own: what matters is said by Strad."""
    bars = library_log.is_progress_bar_enabled()
    library_log.disable_progress_bar()
    library_log.set_verbosity_error()
    try:
        yield
    finally:
        if bars:
            library_log.enable_progress_bar()


def _check_room(found: Checkpoint, wanted: Loading, device: torch.device) -> None:
    stored = str(found.config.get("dtype") or found.config.get("torch_dtype") or "bfloat16")
    wider = 2 if wanted.dtype == "float32" and stored != "float32" else 1
    cache = wanted.cache_mib << 20
    if device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        require_memory(found.name, found.weight_bytes * wider, cache, free, "on the GPU")
    else:
        require_memory(found.name, found.weight_bytes * wider, cache, free_memory(), "here")


def _ends(model: PreTrainedModel, processor: ProcessorMixin) -> list[int]:
    told = model.generation_config.eos_token_id
    ends = told if isinstance(told, list) else [told]
    known = [end for end in (*ends, processor.tokenizer.eos_token_id) if end is not None]
    return list(dict.fromkeys(known))


def _known() -> str:
    return ", ".join(KINDS)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
