"""A prompt whose answer is known: shows at start that a model is served as it was trained.

The file is JSON, written where the model is trained and checked. It holds the messages with their
pictures, how the answer is drawn, and the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from strad.errors import FormatError
from strad.text_file import read_text, write_text
from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Image, Message, Part, Sampling, Text, Video

DEADLINE_S = 60.0
"""A first answer may compile kernels."""


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """What is asked, how, and what must come."""

    messages: tuple[Message, ...]
    sampling: Sampling
    answer: str


async def must_answer(
    engine: ChatEngine, known: KnownAnswer, *, deadline_s: float = DEADLINE_S
) -> None:
    """Raise EngineRefusedError unless the engine gives the known answer, word for word."""
    found = await engine.generate(known.messages, known.sampling, deadline_s=deadline_s)
    if found.text != known.answer:
        raise EngineRefusedError(
            f"{engine.name} does not answer as it did when it was checked: {found.text[:80]!r}"
            f" instead of {known.answer[:80]!r}; serve the merged checkpoint"
        )


def read_known_answer(path: Path) -> KnownAnswer:
    """Raises InputError if it can't be read, FormatError for what is no known answer."""
    try:
        read = _File.model_validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FormatError(f"{where}: {first['msg']}", file=str(path)) from None
    messages = tuple(Message(m.role, tuple(p.part() for p in m.parts)) for m in read.messages)
    sampling = Sampling(read.max_tokens, presence_penalty=read.presence_penalty, regex=read.regex)
    return KnownAnswer(messages, sampling, read.answer)


def write_known_answer(path: Path, known: KnownAnswer, *, overwrite: bool = False) -> None:
    """Words and pictures; greedy. Raises ``write_text``'s errors, ValueError for other prompts."""
    file = _File(
        strad="known-answer",
        version=1,
        messages=[
            _Message(role=m.role, parts=[_written(part) for part in m.parts])
            for m in known.messages
        ],
        max_tokens=known.sampling.max_tokens,
        presence_penalty=known.sampling.presence_penalty,
        regex=known.sampling.regex,
        answer=known.answer,
    )
    write_text(path, file.model_dump_json(exclude_none=True) + "\n", overwrite=overwrite)


class _Strict(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        val_json_bytes="base64",
        ser_json_bytes="base64",
    )


class _Text(_Strict):
    text: str

    def part(self) -> Part:
        return Text(self.text)


class _Image(_Strict):
    image: bytes

    def part(self) -> Part:
        return Image(self.image)


class _Video(_Strict):
    video: Annotated[list[bytes], Field(min_length=1)]
    fps: Annotated[float, Field(gt=0, allow_inf_nan=False)]

    def part(self) -> Part:
        return Video(tuple(Image(frame) for frame in self.video), self.fps)


class _Message(_Strict):
    role: Literal["system", "user", "assistant"]
    parts: list[_Text | _Image | _Video]


class _File(_Strict):
    strad: Literal["known-answer"]
    version: Literal[1]
    messages: Annotated[list[_Message], Field(min_length=1)]
    max_tokens: Annotated[int, Field(ge=1)]
    presence_penalty: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    regex: str | None = None
    answer: str


def _written(part: Part) -> _Text | _Image | _Video:
    match part:
        case Text(text):
            return _Text(text=text)
        case Image(data):
            return _Image(image=data)
        case Video(frames, fps):
            return _Video(video=[frame.data for frame in frames], fps=fps)
    raise ValueError(f"a known answer holds words and pictures, not {type(part).__name__}")
