"""What a stage wants from a model: a prompt, what fills it, and the shape of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from question_generation.prompt import Prompt
from question_generation.provenance import Made
from strad.record import Record
from strad_engines.messages import Part

Wanted = TypeVar("Wanted", bound=Record)


def nothing_wrong(_: Record) -> str:
    """The check of those that need none."""
    return ""


@dataclass(frozen=True, slots=True)
class Ask(Generic[Wanted]):
    """One question to a model."""

    prompt: Prompt
    blanks: Mapping[str, str]
    """What fills the prompt's ``$blanks``."""
    wanted: type[Wanted]
    """The shape of the answer. Its JSON schema is kept to by servers that can, and told by the
    prompt in words; field names and docstrings are what the model sees."""
    check: Callable[[Wanted], str] = nothing_wrong
    """What is wrong with an answer of the right shape, in a few words that the model is told and
    that are counted; empty: nothing."""
    parts: tuple[Part, ...] = ()
    """Pictures, sound: before the question's text."""
    max_tokens: int = 1024
    temperature: float = 0.0
    top_p: float = 1.0
    tries: int = 3
    """How often it is asked at most, all in all."""
    draw: int = 0
    """Tells questions apart that are otherwise the same, and are to be drawn anew."""


@dataclass(frozen=True, slots=True)
class Answered(Generic[Wanted]):
    """An answer that can be used."""

    value: Wanted
    trace: Callable[[], Made]

    @property
    def made(self) -> Made:
        """For the record that it goes into: ``record.traced(answered.made)``.

        Put together when it is wanted: of many answers to one question only the last leaves one.
        """
        return self.trace()
