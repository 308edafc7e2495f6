"""A chat as a model's own template takes it: turns with places for media, and the media."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from strad_engines.messages import Audio, Image, Message, Part, Text, Video


@dataclass(frozen=True, slots=True)
class Turns:
    """What ``apply_chat_template`` is given, and what belongs in its places."""

    turns: list[dict[str, Any]]
    videos: tuple[Video, ...]
    images: tuple[Image, ...]
    sounds: tuple[Audio, ...]


def turns_of(messages: Sequence[Message]) -> Turns:
    """Content as lists of parts: the form of templates that know pictures."""
    parts = [part for message in messages for part in message.parts]
    return Turns(
        [{"role": m.role, "content": [_place(part) for part in m.parts]} for m in messages],
        tuple(part for part in parts if isinstance(part, Video)),
        tuple(part for part in parts if isinstance(part, Image)),
        tuple(part for part in parts if isinstance(part, Audio)),
    )


def flat_turns_of(messages: Sequence[Message], image: str, audio: str) -> Turns:
    """Content as one text: the form of templates that know none. ``image`` and ``audio`` mark them.

    A video becomes its frames.
    """
    places = {"image": image, "audio": audio}
    still = [
        Message(m.role, tuple(part for whole in m.parts for part in _frames(whole)))
        for m in messages
    ]
    listed = turns_of(still)
    flat = [
        {"role": t["role"], "content": "".join(_text(c, places) for c in t["content"])}
        for t in listed.turns
    ]
    return Turns(flat, (), listed.images, listed.sounds)


def _place(part: Part) -> dict[str, str]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Image():
            return {"type": "image"}
        case Audio():
            return {"type": "audio"}
        case Video():
            return {"type": "video"}
        case _:
            assert_never(part)


def _frames(part: Part) -> tuple[Part, ...]:
    return part.frames if isinstance(part, Video) else (part,)


def _text(content: dict[str, str], places: dict[str, str]) -> str:
    return content["text"] if content["type"] == "text" else places[content["type"]]
