"""Presets: ways to run ``strad-ft`` on a machine without a GPU. What they cost: docs/presets.md."""

from __future__ import annotations

from dataclasses import dataclass

from strad.errors import InputError
from strad.timeline import Ms


@dataclass(frozen=True, slots=True)
class Preset:
    """What is used where nothing else is asked for."""

    name: str
    engine: str
    model: str
    """Empty: the one model that the server has, by the name to be given."""
    profile: str
    stride: Ms
    width: int
    """Of the pictures the model sees, in pixels."""
    memory: int
    """Bytes that are free on a machine it is recommended for."""
    cores: int
    """The least it is recommended for."""


PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            name="cpu",
            engine="transformers",
            model="Qwen/Qwen3.5-0.8B",
            profile="qwen35-video",
            stride=4_000,
            width=320,
            memory=5 << 30,
            cores=2,
        ),
        Preset(
            name="llama",
            engine="openai:http://127.0.0.1:8080/v1",
            model="",
            profile="qwen35-images",
            stride=6_000,
            width=320,
            memory=3 << 30,
            cores=2,
        ),
    )
}


def preset(name: str) -> Preset:
    """The preset of this name. Raises InputError where there is none."""
    if name not in PRESETS:
        raise InputError(f"no preset {name!r}: there are {', '.join(PRESETS)}")
    return PRESETS[name]
