"""What ``fit`` left: the best weights, and what is known of how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strad.errors import InputError
from strad_engines.adapters import CONFIG
from strad_engines.checkpoint import read_json
from streaming.describers.strad_ft.trained import prompt_sha256
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import profile

BEST = "best"


@dataclass(frozen=True, slots=True)
class TrainedRun:
    """One run, as far as it has to be known to serve what came of it."""

    folder: Path
    adapter: Path
    """As peft writes it: LoRA, and the layers that were trained in full."""
    base: str
    """The model it was trained from: a folder, or a name of the model hub."""
    profile: Profile
    state: Mapping[str, Any]
    """Of the step whose weights they are."""
    config: Mapping[str, Any]
    """All that was set when it was trained."""

    @property
    def base_told(self) -> str:
        """The base, for others: of a folder its name alone."""
        return Path(self.base).name if Path(self.base).is_dir() else self.base

    @property
    def data(self) -> str:
        """The folder of the examples, as it was called then."""
        return str(self.state.get("data") or self.config.get("data") or "")

    @property
    def data_sha256(self) -> str:
        """Of the examples: others have another."""
        return str(self.state.get("data_sha256") or "")


def trained_run(folder: Path) -> TrainedRun:
    """The run in ``folder``. Raises InputError where it has no weights yet that could be served."""
    best = folder / BEST
    adapter = best / "adapter"
    if not (adapter / CONFIG).is_file():
        raise InputError(f"{folder} holds no trained weights: there is no {adapter / CONFIG}")
    state = read_json(best / "state.json")
    config = read_json(folder / "config.json")
    base = state.get("base") or read_json(adapter / CONFIG).get("base_model_name_or_path")
    if not isinstance(base, str) or not base:
        raise InputError(f"{best / 'state.json'} does not say which model it was trained from")
    if state.get("drop"):
        kept_from = " and ".join(state["drop"])
        raise InputError(f"{folder} was trained without {kept_from}: no profile serves that")
    name = str(state.get("profile") or config.get("profile") or "")
    found = profile(name)
    if state.get("prompt_sha256", prompt_sha256(found)) != prompt_sha256(found):
        raise InputError(
            f"{folder} was trained with other prompts than {name} sends now: export it by the "
            "version that it was trained by"
        )
    return TrainedRun(folder, adapter, base, found, state, config)
