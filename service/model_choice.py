"""Which model ``strad-ft`` asks, and how: as the settings have it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from service.settings import Settings

NAME = "strad-ft"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What was chosen; empty or None where nothing was."""

    engine: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    model_file: Path | None = None
    profile: str = ""
    threshold: float | None = None
    in_flight: int | None = None
    """None: as many as help."""
    preset: str = ""

    @classmethod
    def of(cls, settings: Settings) -> ModelChoice:
        """As the settings have it."""
        return cls(
            engine=settings.engine,
            model=settings.model,
            key=settings.engine_key,
            model_file=Path(settings.model_file) if settings.model_file else None,
            profile=settings.profile,
            threshold=float(settings.threshold) if settings.threshold else None,
            in_flight=settings.in_flight or None,
            preset=settings.preset,
        )
