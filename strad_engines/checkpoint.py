"""The folder of a whole model, configuration and safetensors: given, or from the model hub.

Nothing in it is run: no pickles, no code of the model's own.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from strad.errors import InputError, MissingModelError
from strad_engines.weights import Weights

_WANTED = ["*.json", "*.safetensors", "*.txt", "*.jinja", "*.model"]
"""What of a hub's repository is fetched."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model's folder and what its configuration says."""

    name: str
    """As it was asked for."""
    folder: Path
    config: dict[str, Any]

    @property
    def kind(self) -> str:
        """The architecture, as transformers names it: ``qwen3_5``."""
        return str(self.config.get("model_type", "unknown"))

    @property
    def weight_bytes(self) -> int:
        """All the weights, as they lie."""
        return sum(path.stat().st_size for path in self.folder.glob("*.safetensors"))

    def other(self, file: str) -> dict[str, Any] | None:
        """Another JSON file beside the configuration, where there is one."""
        path = self.folder / file
        return read_json(path) if path.is_file() else None


def checkpoint(name: str, weights: Weights) -> Checkpoint:
    """A folder, a folder's name among the operator's models, or ``owner/repository`` of the hub.

    Raises InputError for a folder that holds no model, MissingModelError for what is nowhere.
    """
    if not name:
        raise InputError("which model? Name its folder, or owner/repository on the model hub")
    folder = _given(name, weights) or _from_hub(name, weights)
    config = folder / "config.json"
    if not config.is_file():
        raise InputError(f"{folder} holds no model: there is no config.json in it")
    found = Checkpoint(name, folder, read_json(config))
    if not found.weight_bytes:
        raise InputError(f"{folder} holds no weights: there is no .safetensors file in it")
    return found


def _given(name: str, weights: Weights) -> Path | None:
    own = weights.models / name if weights.models else None
    if own is not None and own.is_dir():
        return own
    direct = Path(name).expanduser()
    if direct.is_dir():
        return direct
    if direct.is_absolute() or name.startswith((".", "~")) or name.count("/") != 1:
        raise MissingModelError(f"no model {name!r}: there is no such folder")
    return None


def _from_hub(name: str, weights: Weights) -> Path:
    if find_spec("huggingface_hub") is None:
        raise MissingModelError(
            f"no folder {name!r}; for the model hub: pip install 'strad[local]'"
        )
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=_WANTED, local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    if not weights.hub or os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0"):
        raise MissingModelError(
            f"no model {name!r} here, and the hub may not be asked: give a folder that holds it"
        )
    _ask(name, weights.patience)
    return Path(snapshot_download(name, allow_patterns=_WANTED))


def _ask(name: str, patience: float) -> None:
    """Whether the hub answers and has it."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    from strad_engines.hub import refusals

    try:
        HfApi().model_info(name, timeout=patience)
    except GatedRepoError:
        raise MissingModelError(f"the hub wants a login for {name!r}: hf auth login") from None
    except RepositoryNotFoundError:
        raise MissingModelError(f"the model hub has no {name!r}, or not for you") from None
    except refusals() as error:
        raise MissingModelError(
            f"no model {name!r} here, and the model hub can't be reached "
            f"({type(error).__name__}): give a folder that holds it"
        ) from None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file. Raises InputError."""
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} can't be read: {error}") from None
    if not isinstance(read, dict):
        raise InputError(f"{path} is no JSON object")
    return read
