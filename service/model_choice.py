"""Which model is asked, and how: as settings, preset and the model's own file have it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from service.presets import Preset, preset
from service.settings import Settings
from strad.errors import InputError
from strad.model_file import NAME as FILE
from strad.model_file import ModelFile, read_model_file
from strad_engines.abilities import Abilities
from strad_engines.server_facts import ServerKind
from streaming.describers.strad_ft.trained import must_be_trained_with
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import PROFILES, profile

FAMILIES = {r"qwen.?3[._-]?5": "qwen35-video", r"phi.?4": "phi4mm"}
"""What a model's name says of how it is asked, where nothing else does."""

NEEDS: dict[str, tuple[str, ...]] = {
    "qwen35-video": ("video",),
    "qwen35-images": ("images",),
    "phi4mm": ("images", "audio"),
}
"""What a model of each profile was trained to look at or hear, as ``Abilities`` calls it."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What was chosen; empty or None where nothing was."""

    engine: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    server: ServerKind | None = None
    """What is behind the engine's URL; None: it is asked."""
    model_file: Path | None = None
    profile: str = ""
    threshold: float | None = None
    in_flight: int | None = None
    """None: as many as help."""
    preset: Preset | None = None
    calls: int = 3
    """How many requests ``strad-zero`` makes of a window: 3, or 1 for all stages in one."""

    @classmethod
    def of(cls, settings: Settings) -> ModelChoice:
        """As the settings have it, a preset filling in the rest. Raises InputError."""
        chosen = preset(settings.preset) if settings.preset else None
        return cls(
            engine=settings.engine or (chosen.engine if chosen else ""),
            model=settings.model or (chosen.model if chosen else ""),
            key=settings.engine_key,
            server=cast("ServerKind", settings.engine_server) if settings.engine_server else None,
            model_file=Path(settings.model_file) if settings.model_file else None,
            profile=settings.profile,
            threshold=float(settings.threshold) if settings.threshold else None,
            in_flight=settings.in_flight or None,
            preset=chosen,
            calls=settings.calls,
        )

    def check(self, describer: str = "strad-ft") -> None:
        """Raises InputError where no engine or model was chosen."""
        if not self.engine:
            raise InputError(
                f"{describer} needs --engine (openai:URL, vllm or transformers) and --model; "
                "without a GPU, --preset cpu"
            )
        if not self.model and not self.engine.startswith("scripted:"):
            raise InputError(f"--engine {self.engine} needs --model: the model's name or folder")

    def own_file(self, models: Path | None) -> tuple[Path | None, ModelFile | None]:
        """What its training says of it: the file given, or the one in the model's folder.

        ``models``: the operator's own, where the model may be by its name.
        """
        path = self.model_file
        if path is None and self.model:
            folders = [models / self.model] if models else []
            found = [f / FILE for f in (*folders, Path(self.model).expanduser())]
            path = next((file for file in found if file.is_file()), None)
        return path, None if path is None else read_model_file(path)

    def profile_of(self, file: ModelFile | None) -> Profile:
        """How the model is asked. Raises InputError where that is unknown, or said twice."""
        if file is not None and self.profile and self.profile != file.profile:
            raise InputError(
                f"--profile {self.profile}: {self.model} was trained with {file.profile}, and "
                "knows no other"
            )
        name = self.profile or (file.profile if file else "") or self._guessed()
        if not name:
            names = ", ".join(PROFILES)
            raise InputError(f"how was {self.model!r} trained to be asked? Give --profile: {names}")
        found = profile(name)
        if file is not None:
            must_be_trained_with(found, file)
        return found

    def _guessed(self) -> str:
        if self.preset is not None:
            return self.preset.profile
        names = self.model.lower()
        return next((name for family, name in FAMILIES.items() if re.search(family, names)), "")


def must_take(profile: Profile, abilities: Abilities, engine: str) -> None:
    """Raises InputError where the engine can't show the model what it was trained to look at."""
    for needed in NEEDS[profile.name]:
        if getattr(abilities, needed) is False:
            other = " (qwen35-images is another model's profile)" if needed == "video" else ""
            raise InputError(
                f"profile {profile.name} needs {needed}, which {engine} does not take with this "
                f"model{other}"
            )
    fps = 1000 / profile.period
    if "video" not in NEEDS[profile.name]:
        return
    if abilities.video_fps not in (None, fps):
        raise InputError(f"{engine} reads {abilities.video_fps:g} frames a second, not {fps:g}")
    if abilities.most_frames is not None and abilities.most_frames < profile.most:
        raise InputError(f"{engine} looks at {abilities.most_frames} frames, not {profile.most}")
