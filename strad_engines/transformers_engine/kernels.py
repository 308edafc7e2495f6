"""Which kernels a model runs on here, and which of them are slow."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec

import torch
from transformers import PreTrainedModel

_FAST = {"fla": "flash-linear-attention", "causal_conv1d": "causal-conv1d"}
"""Module and package of the fast kernels of Qwen3.5's linear layers."""


def kernels(model: PreTrainedModel, kind: str) -> tuple[str, ...]:
    """Lines for a person: what runs, then a warning for each slow path."""
    device, dtype = model.device, str(model.dtype).removeprefix("torch.")
    attention = getattr(model.config, "_attn_implementation", None) or "eager"
    parts = [
        f"transformers {metadata.version('transformers')}, torch {torch.__version__}",
        f"{_place(device)}, {dtype}, attention {attention}",
    ]
    missing = [package for module, package in _FAST.items() if find_spec(module) is None]
    if kind == "qwen3_5":
        linear = "PyTorch's own" if missing or device.type != "cuda" else "flash-linear-attention"
        parts.append(f"linear layers by {linear} kernels")
    return ("; ".join(parts), *_slow(device, kind, missing))


def _place(device: torch.device) -> str:
    if device.type == "cuda":
        return str(torch.cuda.get_device_name(device))
    if device.type == "cpu":
        return f"CPU with {torch.get_num_threads()} threads"
    return str(device.type)


def _slow(device: torch.device, kind: str, missing: list[str]) -> tuple[str, ...]:
    if device.type == "cpu":
        return ("slow: no GPU; models over a billion parameters will not keep up with live media",)
    if kind == "qwen3_5" and device.type == "cuda" and missing:
        named = " and ".join(missing)
        return (f"slow: the linear layers have no fast kernels: pip install {named}",)
    return ()
