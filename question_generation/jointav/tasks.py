"""The fifteen tasks as data: ``tasks.toml``, beside what the judge knows of each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal

from question_generation.scene import Kind
from strad.errors import FormatError
from strad_eval.mcq.tasks import EVENT, MUSIC, SPEECH, TASKS, VOICE
from strad_eval.mcq.tasks import Task as Known

FILE = "tasks.toml"
CHECKS = ("sequence", "correctable", "order-of-segments", "audio", "ambiguity", "interval")
HEARD: Mapping[str, Kind] = MappingProxyType(
    {SPEECH: "dialogue", VOICE: "vocal traits", EVENT: "sound", MUSIC: "music"}
)
"""Which lines of a scene are of an audio type."""
LEAST_LINES = 9
"""Lines of speech that a video has for multi-scene questions: more than eight."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task: what it asks, what must hold, which checks it has beside the general ones."""

    code: str
    asks: str
    holds: tuple[str, ...]
    form: str
    checks: frozenset[str]
    count: int
    """Questions asked for at once."""
    example: str

    @property
    def known(self) -> Known:
        """Number, name, span, dimension and audio types."""
        return TASKS[self.code]

    @property
    def span(self) -> Literal["single", "multi", "full"]:
        return self.known.span

    @property
    def heard(self) -> tuple[Kind, ...]:
        """The lines a question of this task may be made of, beside what is seen.

        Vocal traits are of a line of speech, so that line is always there with them.
        """
        kinds: list[Kind] = [HEARD[audio] for audio in self.known.audio]
        if "vocal traits" in kinds and "dialogue" not in kinds:
            kinds.insert(0, "dialogue")
        return tuple(kinds)

    @property
    def needs(self) -> tuple[Kind, ...]:
        """At least one of these is heard, or there is nothing to ask."""
        return tuple(HEARD[audio] for audio in self.known.audio)

    @property
    def is_order(self) -> bool:
        """Whether the answer is an order of (a), (b) and (c)."""
        return "sequence" in self.checks


@cache
def tasks() -> Mapping[str, Task]:
    """All tasks by code, in the paper's order."""
    text = resources.files("question_generation.jointav").joinpath(FILE).read_text("utf-8")
    return MappingProxyType(read_tasks(text))


def read_tasks(text: str) -> dict[str, Task]:
    """Tasks from TOML. Raises FormatError for what is missing, unknown or mistyped."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not TOML: {error}", file=FILE) from None
    odd = sorted(set(tables) ^ set(TASKS))
    if odd:
        raise FormatError(f"want the fifteen tasks, each once: {', '.join(odd)}", file=FILE)
    return {code: _task(code, tables[code]) for code in TASKS}


def _task(code: str, table: Mapping[str, Any]) -> Task:
    match table:
        case {
            "asks": str(asks),
            "holds": [str(), *_] as holds,
            "form": str(form),
            "checks": list(checks),
            "count": int(count),
            "example": str(example),
        } if asks and form and count > 0 and set(checks) <= set(CHECKS):
            told = tuple(str(one) for one in holds)
            return Task(code, asks, told, form, frozenset(checks), count, example)
    raise FormatError(f"{code}: a member is missing, unknown or of the wrong type", file=FILE)
