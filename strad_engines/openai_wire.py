"""The chat-completions protocol: our messages as its JSON, its JSON as our answer.

Source: the OpenAI API reference, and what vLLM 0.33 reads and writes of it.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from strad_engines.engine_errors import EngineAnswerError
from strad_engines.messages import (
    Audio,
    Generated,
    Image,
    Message,
    Part,
    Sampling,
    Text,
    Token,
    Video,
)


def request_body(
    model: str, messages: Sequence[Message], sampling: Sampling, extra: Mapping[str, Any]
) -> bytes:
    """The request's JSON. ``extra`` members are added, and win."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message) for message in messages],
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "stream": False,
    }
    if sampling.seed is not None:
        body["seed"] = sampling.seed
    if sampling.presence_penalty:
        body["presence_penalty"] = sampling.presence_penalty
    if sampling.stop:
        body["stop"] = list(sampling.stop)
    if sampling.alternatives is not None:
        body["logprobs"] = True
        body["top_logprobs"] = sampling.alternatives
    return json.dumps({**body, **extra}, ensure_ascii=False, allow_nan=False).encode()


def read_answer(data: bytes) -> Generated:
    """The first choice of a response. Raises EngineAnswerError for anything else."""
    try:
        document = json.loads(data)
        choice = document["choices"][0]
        text = choice["message"]["content"]
        finish = choice.get("finish_reason") or "stop"
        usage = document.get("usage") or {}
        listed = (choice.get("logprobs") or {}).get("content") or ()
        tokens = tuple(_token(entry) for entry in listed)
        counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise EngineAnswerError(f"not a chat completion: {_shown(data)}") from error
    if not isinstance(text, str) or not isinstance(finish, str):
        raise EngineAnswerError(f"a chat completion without text: {_shown(data)}")
    prompt, completion = (c if isinstance(c, int) and c >= 0 else None for c in counts)
    return Generated(text, tokens, finish, prompt, completion)


def read_complaint(data: bytes) -> str:
    """The server's own words in an error response, in one line."""
    try:
        document = json.loads(data)
        error = document.get("error", document)
        said = error.get("message") if isinstance(error, dict) else error
    except (ValueError, AttributeError, RecursionError):
        said = None
    return " ".join(said.split())[:300] if isinstance(said, str) and said else _shown(data)


def _message(message: Message) -> dict[str, Any]:
    match message.parts:
        case (Text(text),):
            return {"role": message.role, "content": text}
        case parts:
            return {"role": message.role, "content": [_part(part) for part in parts]}


def _part(part: Part) -> dict[str, Any]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Image(data, media_type):
            url = f"data:{media_type};base64,{_coded(data)}"
            return {"type": "image_url", "image_url": {"url": url}}
        case Audio(data, kind):
            return {"type": "input_audio", "input_audio": {"data": _coded(data), "format": kind}}
        case Video(frames):
            listed = ",".join(_coded(frame.data) for frame in frames)
            return {"type": "video_url", "video_url": {"url": f"data:video/jpeg;base64,{listed}"}}


def _coded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _token(entry: Mapping[str, Any]) -> Token:
    others = entry.get("top_logprobs") or ()
    alternatives = tuple((str(o["token"]), _log(o["logprob"])) for o in others)
    return Token(str(entry["token"]), _log(entry["logprob"]), alternatives)


def _log(value: float | None) -> float:
    """Servers that can't write minus infinity send null or -9999."""
    if value is None or value <= -9999:
        return -math.inf
    if not value <= 1e-3:  # also refuses NaN
        raise ValueError(value)
    return min(0.0, float(value))


def _shown(data: bytes) -> str:
    return repr(data[:80].decode("utf-8", errors="replace"))
