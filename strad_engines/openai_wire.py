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

_STAGES = {
    "queue_time_ms": "queue",
    "time_to_first_token_ms": "prefill",
    "generation_time_ms": "decode",
    "prompt_ms": "prefill",
    "predicted_ms": "decode",
}


def request_body(
    model: str,
    messages: Sequence[Message],
    sampling: Sampling,
    extra: Mapping[str, Any],
    *,
    stream: bool = False,
) -> bytes:
    """The request's JSON. ``extra`` members are added, and win."""
    body: dict[str, Any] = {
        "model": model,
        "messages": messages_json(messages),
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "stream": stream,
    }
    if stream:
        body["stream_options"] = {"include_usage": True}
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


def messages_json(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages as the protocol has them."""
    return [_message(message) for message in messages]


def read_answer(data: bytes) -> Generated:
    """The first choice of a response. Raises EngineAnswerError for anything else."""
    try:
        document = json.loads(data)
        choice = document["choices"][0]
        text = choice["message"]["content"]
        finish = choice.get("finish_reason") or "stop"
        found = counts(document.get("usage") or {})
        tokens = tuple(read_tokens(choice))
        stages = server_stages(document)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise EngineAnswerError(f"not a chat completion: {shown(data)}") from error
    if not isinstance(text, str) or not isinstance(finish, str):
        raise EngineAnswerError(f"a chat completion without text: {shown(data)}")
    return Generated(text, tokens, finish, *found, stages)


def read_tokens(choice: Mapping[str, Any]) -> list[Token]:
    """The tokens of a choice, or of a piece of one; empty without log-probabilities."""
    listed = (choice.get("logprobs") or {}).get("content") or ()
    return [_token(entry) for entry in listed]


def counts(usage: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Tokens of the prompt and of the answer, as far as they are told."""
    prompt, answer = (usage.get(name) for name in ("prompt_tokens", "completion_tokens"))
    return _count(prompt), _count(answer)


def server_stages(document: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """What the server itself measured: llama-server's ``timings``, vLLM's ``metrics``, in seconds.

    ``prefill`` includes the pictures.
    """
    told = {**(document.get("timings") or {}), **(document.get("metrics") or {})}
    stages = ((stage, told.get(member)) for member, stage in _STAGES.items())
    return tuple(
        (stage, ms / 1000)
        for stage, ms in stages
        if isinstance(ms, int | float) and 0 <= ms < math.inf
    )


def read_complaint(data: bytes) -> str:
    """The server's own words in an error response, in one line."""
    try:
        document = json.loads(data)
        error = document.get("error", document)
        said = error.get("message") if isinstance(error, dict) else error
    except (ValueError, AttributeError, RecursionError):
        said = None
    return " ".join(said.split())[:300] if isinstance(said, str) and said else shown(data)


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


def _count(told: object) -> int | None:
    return told if isinstance(told, int) and told >= 0 else None


def shown(data: bytes) -> str:
    """The beginning of what a server sent, for a message."""
    return repr(data[:80].decode("utf-8", errors="replace"))
