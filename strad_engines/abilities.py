"""What an engine can do with its model, found out when it is opened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Abilities:
    """What may be asked of an engine. None: nobody could say before it is tried."""

    video: bool | None
    """Takes ``Video``: frames as one video, whose times the model's processor adds."""
    images: bool | None
    """Takes ``Image``."""
    audio: bool | None
    """Takes ``Audio``."""
    regex: bool
    """Keeps ``Sampling.regex``. Where it is False such a request is refused, never ignored: ask
    without, and read what comes as it may be."""
    log_probabilities: bool | None
    """Answers ``Sampling.alternatives``."""
    context: int | None = None
    """The most tokens of prompt and answer together."""
    most_frames: int | None = None
    """The most frames of one ``Video`` that are all looked at."""
    video_fps: float | None = None
    """The only ``Video.fps`` whose times the model is told right; None: any."""
    schema: bool | None = False
    """Keeps ``Sampling.schema``; refused where it is False, as ``regex`` is."""
