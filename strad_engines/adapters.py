"""A LoRA adapter's folder: what it was trained on, and whether that is the model at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from strad.errors import InputError
from strad_engines.checkpoint import Checkpoint, read_json

CONFIG = "adapter_config.json"


def adapter_of(folder: Path, base: Checkpoint) -> dict[str, Any]:
    """The adapter's configuration. Raises InputError where it is none, or another model's."""
    path = folder / CONFIG
    if not path.is_file():
        raise InputError(f"{folder} holds no adapter: there is no {CONFIG} in it")
    config = read_json(path)
    trained_on = str(config.get("base_model_name_or_path") or "")
    names = {base.name, str(base.folder), base.folder.name, base.name.rpartition("/")[2]}
    if trained_on and not names & {trained_on, trained_on.rstrip("/").rpartition("/")[2]}:
        raise InputError(f"the adapter {folder} was trained on {trained_on}, not on {base.name}")
    return config
