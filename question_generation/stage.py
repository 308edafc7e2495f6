"""A stage: one step of a pipeline, from one record to none, one or many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from question_generation.ask import Answered, Ask, Wanted
from question_generation.drop import Drop
from question_generation.provenance import Traced

In = TypeVar("In", bound=Traced)
Out = TypeVar("Out", bound=Traced, covariant=True)

WRITER = "writer"
"""The model that writes questions, where a pipeline has one."""


class Desk(Protocol):
    """What a stage has at hand for one record."""

    @property
    def seed(self) -> int:
        """Of the run."""
        ...

    def random(self, purpose: str = "") -> Random:
        """Chance that hangs on the run's seed, the stage, the record and ``purpose`` alone."""
        ...

    async def ask(self, ask: Ask[Wanted], *, of: str = WRITER) -> Answered[Wanted] | Drop:
        """The answer of the model in the role ``of``, or why none could be used.

        Raises EngineError when the model can't be had: let it pass, the run counts the record as
        failed and tries it again the next time.
        """
        ...

    def note(self, reason: str, detail: str = "") -> None:
        """The record goes on, though this could not be done about it: counted and listed."""
        ...

    def model(self, of: str = WRITER) -> str:
        """How the model in this role calls itself."""
        ...


@runtime_checkable
class Stage(Protocol[In, Out]):
    """One step. It holds nothing that changes from record to record."""

    @property
    def name(self) -> str:
        """Of lower-case words and dashes; names files."""
        ...

    @property
    def version(self) -> str:
        """Another one wherever the same input may give something else."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it was built with that changes its results, as JSON has it."""
        ...

    @property
    def roles(self) -> Sequence[str]:
        """The models it asks, by role."""
        ...

    @property
    def reads(self) -> type[In]: ...

    @property
    def writes(self) -> type[Out]: ...

    async def work(self, record: In, desk: Desk) -> Sequence[Out] | Drop:
        """What becomes of one record: those that go on (each with an id of its own), or a Drop.

        Blocking work goes to a thread. An empty sequence is a Drop without words: don't.
        """
        ...


Gone = TypeVar("Gone", bound=Traced, covariant=True)


@dataclass(frozen=True, slots=True)
class Fate(Generic[Gone]):
    """What became of the records with the ids ``of``: one that goes on, or a Drop of them all."""

    of: tuple[str, ...]
    became: Gone | Drop


@runtime_checkable
class Gather(Protocol[In, Out]):
    """A step that must see all records at once: splits, clusters, programmes out of scenes.

    As ``Stage``, but it asks no model; ``records`` may be gone through several times, so that
    nothing need be held but what is counted.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    @property
    def reads(self) -> type[In]: ...

    @property
    def writes(self) -> type[Out]: ...

    def gather(self, records: Iterable[In], *, seed: int) -> Iterator[Fate[Out]]:
        """The fate of every record, those together that went into one. A record may have several.

        One that has none is dropped by the run as ``not taken up``. The order is what the next
        stage reads.
        """
        ...


class Pipeline(Protocol):
    """The steps of one way to make questions, in order; each reads what the one before writes."""

    @property
    def name(self) -> str:
        """``cinepile``, ``jointav``."""
        ...

    @property
    def version(self) -> str: ...

    @property
    def steps(self) -> Sequence[Stage[Any, Any] | Gather[Any, Any]]: ...

    @property
    def prompts(self) -> Sequence[str]:
        """What the names of its prompts' files begin with; empty only where it has no such file."""
        ...

    @property
    def roles(self) -> Mapping[str, str]:
        """The models it asks: each role, and what the model in it does, for the command's help."""
        ...
