"""What a recording is made of: its header and lines, to and from JSON. Pure.

A line is one object with one telling key: ``fact``, ``effect``, ``settled``, ``exchange``,
``cost`` or ``end``. Times are integer milliseconds of media time, as inside Strad: a recording is
exact or it is nothing. Unknown lines are passed over; another version is refused.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from strad.cues import AdEvent
from strad.errors import InputError
from strad.timeline import Interval
from streaming.announcement import Dropped, Withdrawn
from streaming.config import StreamConfig
from streaming.effects import AskDescriber, Effect, MeasureSpeech, WindowClosed
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SoundsKnown, SpeechKnown, Unheard, WordsKnown
from streaming.media import AudioChunk, EpochStarted, MediaNotice, VideoFrame
from streaming.memory import Memory
from streaming.settlement import Settlement

VERSION = 1

Line: TypeAlias = dict[str, Any]

_PLAIN: dict[str, type] = {
    "speech": SpeechKnown,
    "words": WordsKnown,
    "sounds": SoundsKnown,
    "unheard": Unheard,
    "answered": Answered,
    "measured": Measured,
    "epoch": EpochStarted,
    "notice": MediaNotice,
    "ended": MediaEnded,
}
_NAMES = {kind: name for name, kind in _PLAIN.items()}
_EFFECTS = {
    AdEvent: "ad",
    Withdrawn: "withdrawn",
    Dropped: "dropped",
    MeasureSpeech: "measure",
    WindowClosed: "closed",
}


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: by what the run was made."""

    config: StreamConfig
    describer: str
    draft: bool
    memory: Memory | None = None
    """Where the run went on for another."""
    source: str = ""
    """For people: what was described."""
    video_id: str = ""
    protocol: str | None = None
    """As what it wrote names them."""
    asked: dict[str, Any] = field(default_factory=dict)
    """What changes the model's answers."""
    strad: str = "recording"
    version: int = VERSION

    def line(self) -> Line:
        """As JSON has it."""
        return _plain(self)

    @classmethod
    def of(cls, line: Line, where: str) -> Header:
        """Raises InputError where this is no recording, or one of another version."""
        if line.get("strad") != "recording":
            raise InputError(f"{where}: is no recording")
        if line.get("version") != VERSION:
            found = line.get("version")
            raise InputError(f"{where}: is of version {found}, and this reads {VERSION}")
        try:
            header: Header = _adapter(cls).validate_python(line)
        except ValidationError as error:
            raise InputError(f"{where}: line 1: {_first(error)}") from None
        return header


def fact_line(fact: Fact, *, at: int | None = None) -> Line:
    """``at`` is where in the recording's sound a chunk's samples lie, if they are kept."""
    match fact:
        case VideoFrame(t, jpeg, width, height, seen):
            size = {"width": width, "height": height, "hash": seen}
            return {"fact": "frame", "t": t, "sha256": digest(jpeg), **size}
        case AudioChunk(t, pcm):
            kept = {} if at is None else {"at": at}
            return {"fact": "sound", "t": t, "bytes": len(pcm), "sha256": digest(pcm), **kept}
        case _:
            return {"fact": _NAMES[type(fact)], **_plain(fact)}


def fact_of(line: Line, media: UnkeptMedia, where: str) -> Fact:
    """The fact that ``line`` holds. Raises InputError for a line that is damaged."""
    values = {key: value for key, value in line.items() if key != "fact"}
    try:
        match line["fact"]:
            case "frame":
                picture = media.picture(values["sha256"])
                return VideoFrame(
                    values["t"], picture, values["width"], values["height"], values["hash"]
                )
            case "sound":
                return AudioChunk(values["t"], media.sound(values.get("at"), values["bytes"]))
            case name:
                fact: Fact = _adapter(_PLAIN[name]).validate_python(values)
                return fact
    except (KeyError, TypeError):
        raise InputError(f"{where}: is no fact this version knows") from None
    except ValidationError as error:
        raise InputError(f"{where}: {_first(error)}") from None


class UnkeptMedia:
    """Pictures and sound that were not kept: nothing that is decided depends on them."""

    def picture(self, sha256: str) -> bytes:
        """The JPEG of that name, or nothing."""
        del sha256
        return b""

    def sound(self, at: int | None, length: int) -> bytes:
        """So many bytes of sound, silent where they were not kept."""
        del at
        return silence(length)


@lru_cache(maxsize=64)
def silence(length: int) -> bytes:
    """So many bytes of it. The same each time: a long recording holds much of it."""
    return bytes(length)


def effect_line(effect: Effect) -> Line:
    """An effect as it is kept; of a window, what it was made of."""
    if isinstance(effect, AskDescriber):
        window = effect.window
        return {
            "effect": "ask",
            "question": effect.question,
            "when": _span(window.when),
            "new_from": window.new_from,
            "gap": _span(window.gap) if window.gap else None,
            "frames": [frame.t for frame in window.frames],
            "words": len(window.words),
            "history": [cue.text for cue in window.history],
            "facts": [_plain(fact) for fact in window.facts],
            "protected": [_span(span) for span in window.protected],
        }
    return {"effect": _EFFECTS[type(effect)], **_plain(effect)}


def settled_line(settlement: Settlement) -> Line:
    """What became of one description, and on what ground."""
    waiting, ground, outcome = settlement.waiting, settlement.ground, settlement.outcome
    event = outcome if isinstance(outcome, AdEvent) else None
    return {
        "settled": event.id if event else None,
        "question": waiting.question,
        "at": settlement.at,
        "cursor": waiting.cursor,
        "describe": _plain(waiting.describe),
        "lengths": None if waiting.lengths is None else list(waiting.lengths),
        "why": settlement.why,
        "dropped": outcome.reason if isinstance(outcome, Dropped) else None,
        "when": _span(event.cue.when) if event else None,
        "text": event.cue.text if event else waiting.describe.forms[-1],
        "rate": event.rate if event else None,
        "ground": None
        if ground is None
        else {
            "free": [_span(span) for span in ground.free],
            "open": ground.open,
            "earliest": ground.earliest,
            "known_to": ground.known_to,
        },
    }


def digest(data: bytes) -> str:
    """SHA-256, in hexadecimal: the name of what is kept."""
    return hashlib.sha256(data).hexdigest()


def _span(when: Interval) -> list[int]:
    return [when.start, when.end]


_adapters: dict[type, TypeAdapter[Any]] = {}


def _adapter(kind: type) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def _plain(value: object) -> Line:
    plain: Line = _adapter(type(value)).dump_python(value, mode="json")
    return plain


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False)[0]
    return f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
