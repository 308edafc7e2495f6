"""What an answer hangs on, as one key: the model, all that it is told, and how it draws."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from strad_engines.messages import Audio, Image, Message, Part, Sampling, Text, Video

_json = json.JSONEncoder().encode


class AnswerKeys:
    """Of all that one model is asked under the same instructions, drawn the same way."""

    def __init__(self, model: str, instructions: Message, sampling: Sampling, draw: int) -> None:
        drawn = [
            sampling.max_tokens,
            sampling.temperature,
            sampling.top_p,
            sampling.seed,
            sampling.schema,
        ]
        head = _json([model, draw, drawn])[:-1]
        self._begun = hashlib.sha256(f"{head}, {_message(instructions)}".encode())

    def of(self, turns: Sequence[Message]) -> bytes:
        """Of what is said after the instructions: the digest of all as one JSON list."""
        digest = self._begun.copy()
        digest.update("".join([*[f", {_message(turn)}" for turn in turns], "]"]).encode())
        return digest.digest()[:20]


def _message(message: Message) -> str:
    """As JSON."""
    return f'["{message.role}", {", ".join([_part(part) for part in message.parts])}]'


def _part(part: Part) -> str:
    match part:
        case Text(text):
            return f'["text", {_json(text)}]'
        case Image(data) | Audio(data):
            return _json([type(part).__name__, hashlib.sha256(data).hexdigest()])
        case Video(frames, fps):
            digest = hashlib.sha256()
            for frame in frames:
                digest.update(hashlib.sha256(frame.data).digest())
            return _json(["video", str(fps), digest.hexdigest()])
