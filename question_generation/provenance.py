"""How a record came to be: one ``Made`` for each answer of a model that went into it."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field

from strad.record import Id, Record

Count = Annotated[int, Field(ge=0)]


class Made(Record):
    """One answer of a model that was used."""

    stage: str
    """The stage that asked, and its version: ``mcq 1``."""
    model: str
    """As the engine calls itself."""
    prompt: str
    """The prompt's file, without its ending: ``cinepile-mcq.v1``."""
    prompt_sha256: str
    """Of that file."""
    seed: int
    tries: Annotated[int, Field(ge=1)] = 1
    """How often the model was asked until its answer could be used."""
    prompt_tokens: Count | None = None
    """Of all tries together. None: the engine does not tell."""
    completion_tokens: Count | None = None
    """Of all tries together."""
    cost: Annotated[float, Field(ge=0)] | None = None
    """In the currency of the price table; None where no price is known."""
    repaired: tuple[str, ...] = ()
    """What had to be mended before the answer could be read: ``fence``, ``trailing comma``."""


class Traced(Record):
    """A record that a run reads or writes: named, and knowing where it comes from."""

    id: Id
    """Of its own among all records of its file."""
    provenance: tuple[Made, ...] = ()
    """In the order of asking."""

    def traced(self, *made: Made) -> Self:
        """The same record, which these answers went into as well."""
        return self.model_copy(update={"provenance": (*self.provenance, *made)})
