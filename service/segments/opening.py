"""What describes segments, opened by the same names and options as what describes streams."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from service.model_choice import ModelChoice
from service.model_describer import open_model
from service.opened_model import ONE_BY_ONE, guarded, kind_of
from service.zero_describer import open_zero
from strad.errors import InputError
from strad_engines.opened_engine import OpenedEngine
from strad_engines.weights import Weights
from streaming.prompt.profile import Profile
from streaming.tasks.segments.describer import Asker, SegmentDescriber
from streaming.tasks.segments.fine_tuned import FineTunedSegments
from streaming.tasks.segments.zero import ZeroSegments

AT_ONCE = 8
"""Segments that are with the engine together, where nobody says how many."""
HEARS = frozenset({"phi4mm"})
"""Profiles that send the sound."""


@dataclass(frozen=True, slots=True)
class OpenedSegments:
    """Ready to describe segments."""

    describer: SegmentDescriber
    at_once: int
    width: int | None
    """Of the pictures, where they must be smaller than usual."""
    said: tuple[str, ...]


@asynccontextmanager
async def open_segments(
    name: str, choice: ModelChoice, weights: Weights
) -> AsyncIterator[OpenedSegments]:
    """``strad-ft`` or ``strad-zero``. Raises InputError, and what opening the engine raises."""
    match name:
        case "strad-ft":
            async with open_model(choice, weights) as model:
                must_take_any_rate(model.manner.profile, model.opened, choice.engine)
                describer = FineTunedSegments(
                    _asker(model.opened),
                    model.manner.profile,
                    model=choice.model or model.opened.engine.name,
                    hears=model.manner.profile.name in HEARS,
                )
                yield _opened(describer, choice, model.width, model.said)
        case "strad-zero":
            async with open_zero(choice, weights) as zero:
                if zero.opened.abilities.images is False:
                    raise InputError(f"--task segment sends images, not taken by {choice.engine}")
                asked = choice.model or zero.opened.engine.name
                segments = ZeroSegments(_asker(zero.opened), model=asked)
                yield _opened(segments, choice, zero.width, zero.said)
        case _:
            raise InputError(f"--task segment goes with strad-zero or strad-ft, not with {name}")


def must_take_any_rate(profile: Profile, opened: OpenedEngine, engine: str) -> None:
    """Raises InputError where a video's pictures must be a second apart: a segment's are not."""
    fps = opened.abilities.video_fps
    if profile.paired and fps is not None:
        raise InputError(
            f"{engine} reads a video as {fps:g} pictures a second, and a segment's are closer: "
            "start it with --media-io-kwargs that leave the rate open, or give "
            "--profile qwen35-images"
        )


def _asker(opened: OpenedEngine) -> Asker:
    return Asker(guarded(opened), constrained=opened.abilities.regex)


def _opened(
    describer: SegmentDescriber, choice: ModelChoice, width: int | None, said: tuple[str, ...]
) -> OpenedSegments:
    serial = kind_of(choice) in ONE_BY_ONE
    return OpenedSegments(describer, choice.in_flight or (1 if serial else AT_ONCE), width, said)
