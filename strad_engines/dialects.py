"""What a request says beyond OpenAI's own members, by the kind of server.

vLLM's and llama-server's own defaults (a checkpoint's ``generation_config.json``; top_k 40, min_p
0.05) would change how the answer is drawn, so they are named. Sources: vLLM 0.32,
``entrypoints/openai/chat_completion/protocol.py`` and ``multimodal/media/video.py``; llama.cpp,
``tools/server/README.md``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from strad.errors import InputError
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.gbnf import grammar_of
from strad_engines.messages import Audio, Image, Message, Sampling, Video
from strad_engines.server_facts import ServerFacts, ServerKind

Members: TypeAlias = dict[str, Any]

VLLM_FRAMES, VLLM_FPS = 32, 1.0
"""Of a list of JPEG frames vLLM takes so many, and drops the rest without a word; and takes them to
be so many a second: unless the server, or each request, says otherwise."""

_NO_THINKING: Members = {"chat_template_kwargs": {"enable_thinking": False}}


def members(messages: Sequence[Message], sampling: Sampling, facts: ServerFacts) -> Members:
    """The members this request needs. Raises EngineRefusedError for what can't be had there."""
    _check(messages, sampling, facts)
    return _MEMBERS[facts.kind](messages, sampling, facts)


def prompt_members(messages: Sequence[Message], facts: ServerFacts) -> Members:
    """Those of them that change the prompt."""
    return {**_thinking(facts.kind), **_frames_as_they_are(messages, facts)}


def _check(messages: Sequence[Message], sampling: Sampling, facts: ServerFacts) -> None:
    able = facts.abilities
    parts = [part for message in messages for part in message.parts]
    for kind, can, what in (
        (Video, able.video, "video: send its frames as images"),
        (Image, able.images, "images"),
        (Audio, able.audio, "sound"),
    ):
        if can is False and any(isinstance(part, kind) for part in parts):
            raise EngineRefusedError(f"the model takes no {what} there ({facts.kind})")
    if sampling.regex is not None and not able.regex:
        raise EngineRefusedError(
            f"this server ({facts.kind}) can't keep an answer to a regular expression"
        )
    if sampling.schema is not None and able.schema is False:
        raise EngineRefusedError(f"this server ({facts.kind}) can't keep an answer to a schema")


def _thinking(kind: ServerKind) -> Members:
    return {} if kind == "other" else _NO_THINKING


def _vllm(messages: Sequence[Message], sampling: Sampling, facts: ServerFacts) -> Members:
    said: Members = {
        "top_k": 0,
        "min_p": 0.0,
        "repetition_penalty": 1.0,
        "presence_penalty": sampling.presence_penalty,
        **prompt_members(messages, facts),
    }
    if sampling.temperature > 0:
        # On CPUs vLLM 0.32 dies of a seed, and it doesn't say what it runs on.
        said["seed"] = None
    if sampling.regex is not None:
        said["structured_outputs"] = {"regex": sampling.regex}
    if sampling.schema is not None:
        said["structured_outputs"] = {"json": json.loads(sampling.schema)}
    return said


def _llama_server(messages: Sequence[Message], sampling: Sampling, facts: ServerFacts) -> Members:
    said: Members = {
        "top_k": 0,
        "min_p": 0.0,
        "repeat_penalty": 1.0,
        "presence_penalty": sampling.presence_penalty,
        **prompt_members(messages, facts),
    }
    if sampling.regex is not None:
        try:
            said["grammar"] = grammar_of(sampling.regex)
        except InputError as error:
            raise EngineRefusedError(str(error)) from None
    return {**said, **_response_format(sampling)}


def _other(messages: Sequence[Message], sampling: Sampling, facts: ServerFacts) -> Members:
    return _response_format(sampling)


def _response_format(sampling: Sampling) -> Members:
    """OpenAI's own way to say a schema, which llama-server reads too."""
    if sampling.schema is None:
        return {}
    shape = {"name": "answer", "schema": json.loads(sampling.schema), "strict": False}
    return {"response_format": {"type": "json_schema", "json_schema": shape}}


_MEMBERS: dict[ServerKind, Callable[[Sequence[Message], Sampling, ServerFacts], Members]] = {
    "vllm": _vllm,
    "llama-server": _llama_server,
    "other": _other,
}


def _frames_as_they_are(messages: Sequence[Message], facts: ServerFacts) -> Members:
    """What vLLM is told of lists of frames, if it listens; if not, they must fit its reading."""
    videos = [part for message in messages for part in message.parts if isinstance(part, Video)]
    if facts.kind != "vllm" or not videos:
        return {}
    able, rates = facts.abilities, {v.fps for v in videos}
    if len(rates) > 1:
        raise EngineRefusedError("the videos of one request must have the same rate")
    if able.video_fps is None and able.most_frames is None:
        return {"media_io_kwargs": {"video": {"fps": rates.pop(), "num_frames": -1}}}
    fps, most = able.video_fps or VLLM_FPS, able.most_frames or VLLM_FRAMES
    if rates != {fps} or max(len(v.frames) for v in videos) > most:
        raise EngineRefusedError(
            f"vLLM reads frames as {fps:g} a second and at most {most}, and takes no other word"
            " for it: start it with --trust-request-mm-kwargs"
        )
    return {}
