"""By which rules ``strad describe`` goes through a file: the stream's config, and the protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import TypeAdapter, ValidationError

from service.cli.model_options import Flags
from strad.errors import InputError
from strad.speech import GapSource, Protect
from strad.timeline import Ms, from_seconds
from strad.wire.message import Language
from streaming.config import Pace, Placement, StreamConfig

CHUNK: Ms = 30 * 60 * 1000
"""The paper evaluates in 30-minute chunks (StrAD, section 5.1)."""

LANGUAGE: TypeAdapter[str] = TypeAdapter(Language)


class FilePace(StrEnum):
    """How a file is gone through."""

    FAST = "fast"
    LIVE = "live"


class EvaluationProtocol(StrEnum):
    """A fixed way to run, so that scores can be compared."""

    STRAD = "strad"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for; None where nothing was said."""

    gaps: GapSource | None
    language: str
    delay: float | None
    stride: float | None
    placement: Placement | None
    pace: FilePace | None
    asr: str | None
    flags: Flags
    """The model's options."""
    protect: Protect | None = None

    def config(self, protocol: EvaluationProtocol | None) -> StreamConfig:
        """The stream's config. Raises InputError for wishes that can't be, or not together."""
        check_language(self.language)
        own = StreamConfig()
        try:
            config = StreamConfig(
                stride=own.stride if self.stride is None else _time("stride", self.stride),
                delay=own.delay if self.delay is None else _time("delay", self.delay),
                gaps=self.gaps or own.gaps,
                placement=self.placement or Placement.FIT,
                pace=Pace.NEWEST if self.pace is FilePace.LIVE else Pace.EVERY_WINDOW,
                language=self.language,
                protect=self.protect or own.protect,
            )
        except ValueError as error:
            raise InputError(f"--{error}") from None
        return config if protocol is None else self._strad(config)

    def _strad(self, config: StreamConfig) -> StreamConfig:
        """The paper's own settings, and none beside them."""
        fixed = {
            "--placement": (self.placement, Placement.OFF),
            "--pace": (self.pace, FilePace.FAST),
            "--gaps": (self.gaps, GapSource.TRANSCRIPT),
            "--asr": (self.asr, "off"),
            "--stride": (self.stride, 2.0),
            "--delay": (self.delay, None),
            "--preset": (self.flags["preset"], None),
            "--in-flight": (self.flags["in_flight"], None),
            "--protect": (self.protect, None),
        }
        for option, (wished, only) in fixed.items():
            if wished is not None and wished != only:
                means = f"means {option} {only}" if only is not None else f"goes without {option}"
                raise InputError(f"--protocol strad {means}: anything else is no StrAD score")
        return replace(
            config,
            placement=Placement.OFF,
            gaps=GapSource.TRANSCRIPT,
            chunk=CHUNK,
            in_flight=1,
            names=False,
        )


def _time(option: str, seconds: float) -> Ms:
    try:
        return from_seconds(seconds)
    except ValueError as error:
        raise ValueError(f"{option} is {error}") from None


def check_language(language: str) -> None:
    """Raises InputError for what is no language tag."""
    try:
        LANGUAGE.validate_python(language)
    except ValidationError:
        raise InputError(f"--language: {language!r} is no tag such as en or pt-BR") from None
