"""The plan: what a publisher's hello asks for, as far as this service can give it."""

from __future__ import annotations

from dataclasses import dataclass

from service.equipment import Equipment
from service.settings import Settings
from service.spliced_ears import SplicedEars
from strad.errors import InputError, ProtocolError
from strad.speech import GapSource, Protect
from strad.timeline import Ms, from_seconds, to_seconds
from strad.wire.message import VERSION
from strad.wire.publishing import Hello, WordSource
from strad.wire.viewing import About
from streaming.config import LEAST_PROTECTING, StreamConfig
from streaming.describers.describer import Describer


@dataclass(frozen=True, slots=True)
class Plan:
    """One stream, ready to start. Whoever holds it closes ``describer`` and ``ears``."""

    config: StreamConfig
    describer: Describer
    ears: SplicedEars | None
    """None: captions say where there is speech."""
    captions: bool
    """Whether the publisher sends the words."""
    record: str = ""
    """The folder that streams are recorded to; empty: they are not."""
    record_what: str = "facts"

    @property
    def about(self) -> About:
        return About(
            describer=self.describer.name,
            draft=self.describer.draft,
            delay=to_seconds(self.config.delay),
            language=self.config.language,
        )

    async def aclose(self) -> None:
        """Give back what the stream held. Safe to call twice."""
        if self.ears is not None:
            await self.ears.aclose()
        await self.describer.aclose()


def make_plan(hello: Hello, settings: Settings, equipment: Equipment, heard_to: Ms = 0) -> Plan:
    """``heard_to``: up to there somebody else has listened.

    Raises ProtocolError for another version, InputError for what is not to be had here.
    """
    if hello.version != VERSION:
        raise ProtocolError(
            f"hello.version: this service speaks version {VERSION}, not {hello.version}"
        )
    name = hello.describer or settings.describer or next(iter(equipment.describers), "")
    if name not in equipment.describers:
        offered = ", ".join(sorted(equipment.describers))
        raise InputError(f"hello.describer: no describer {name!r} here; there is {offered}")
    config = equipment.tune(name, _config(hello, settings, words=equipment.words))
    return Plan(
        config=config,
        describer=equipment.describers[name](config),
        ears=_ears(hello, config, equipment, heard_to),
        captions=hello.transcript is WordSource.CAPTIONS,
        record=settings.record,
        record_what=settings.record_what,
    )


def _config(hello: Hello, settings: Settings, *, words: bool) -> StreamConfig:
    gaps = hello.gaps
    if hello.transcript is WordSource.OFF or (hello.transcript is WordSource.LISTEN and not words):
        if gaps is GapSource.TRANSCRIPT:
            why = "there is none" if words else "this service recognises no words"
            raise InputError(f"hello.gaps: gaps by transcript need a transcript; {why}")
        gaps = GapSource.VAD
    own = StreamConfig()
    stride = own.stride if hello.stride is None else from_seconds(hello.stride)
    delay = settings.delay if hello.delay is None else hello.delay
    if hello.protect is not Protect.SPEECH and from_seconds(delay) < LEAST_PROTECTING:
        least = to_seconds(LEAST_PROTECTING)
        raise InputError(f"hello.protect: sounds take a delay of at least {least:g} s")
    return StreamConfig(
        stride=stride,
        window=max(own.window, stride),
        delay=from_seconds(delay),
        gaps=gaps,
        language=hello.language,
        protect=hello.protect,
    )


def _ears(
    hello: Hello, config: StreamConfig, equipment: Equipment, heard_to: Ms
) -> SplicedEars | None:
    protect = hello.protect
    words_do = hello.transcript is WordSource.CAPTIONS and config.gaps is GapSource.TRANSCRIPT
    if words_do and protect is Protect.SPEECH:
        return None
    recognise = hello.transcript is WordSource.LISTEN
    return SplicedEars(
        lambda: equipment.ears(language=hello.language, recognise=recognise, protect=protect),
        heard_to,
    )
