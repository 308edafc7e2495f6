"""What is said to a chat model, how it is to answer, and what it answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """One encoded picture."""

    data: bytes
    media_type: str = "image/jpeg"


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound file."""

    data: bytes
    format: str = "wav"


@dataclass(frozen=True, slots=True)
class Video:
    """Frames in order, evenly spaced, as one video: its model adds their times by itself."""

    frames: tuple[Image, ...]
    fps: float = 1.0
    """Frames a second of media. The first is at 0 s of the model's times."""
    keys: tuple[str, ...] = ()
    """What tells each frame's picture from others, for an engine that remembers encodings. Empty:
    their bytes do."""


Part: TypeAlias = Text | Image | Audio | Video


@dataclass(frozen=True, slots=True)
class Message:
    """One turn, its parts in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, role: Literal["system", "user", "assistant"], text: str) -> Message:
        """A turn of words alone."""
        return cls(role, (Text(text),))


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the answer is drawn. The defaults are greedy."""

    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = 0
    presence_penalty: float = 0.0
    stop: tuple[str, ...] = ()
    regex: str | None = None
    """The whole answer must match it (Python's syntax, without look-around); the engine makes sure,
    or raises EngineRefusedError where it can't."""
    alternatives: int | None = None
    """None: no log-probabilities; else those of the tokens drawn, and of so many likeliest others
    at each place."""
    schema: str | None = None
    """A JSON schema, as JSON, never beside ``regex``: the whole answer is JSON that it allows, as
    far as it isn't cut. The engine makes sure, or raises EngineRefusedError where it can't."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of the answer."""

    text: str
    log_probability: float
    """Natural logarithm; minus infinity for what the server calls impossible."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """The likeliest tokens there and their log-probabilities, as the server orders them."""


@dataclass(frozen=True, slots=True)
class Generated:
    """An answer. Counts are None where the engine does not tell them."""

    text: str
    tokens: tuple[Token, ...] = ()
    """Empty where no log-probabilities were asked for."""
    finish: str = "stop"
    """Why it ended: ``stop``, ``length`` (cut at ``max_tokens``), or the server's own word."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    stages: tuple[tuple[str, float], ...] = ()
    """Wall seconds of what the engine can tell apart: ``vision``, ``prefill``, ``decode``,
    ``queue``; ``first_token`` is all until the first token where that is not told apart,
    ``transfer`` what a server's own figures leave out, ``retries`` the tries that failed."""
