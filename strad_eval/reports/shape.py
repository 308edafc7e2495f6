"""What a report read from a file must look like before anything relies on it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", allow_inf_nan=False)


class FigureShape(_Part):
    """One figure."""

    value: float | None


class InputShape(_Part):
    """One file that the score was made from."""

    file: str
    sha256: str


class UnitShape(_Part):
    """One chunk."""

    video: str
    chunk: int
    means: dict[str, list[float | None]]
    shares: dict[str, tuple[float, float]]


class ReportShape(_Part):
    """The whole report."""

    strad_eval: Literal["stream"]
    version: Literal[1]
    strad_score: bool
    figures: dict[str, FigureShape]
    readings: dict[str, object]
    prompts: dict[str, str] = Field(default_factory=dict)
    models: dict[str, str] = Field(default_factory=dict)
    inputs: dict[str, InputShape]
    units: Annotated[list[UnitShape], Field(min_length=1)]

    @model_validator(mode="after")
    def _alike(self) -> Self:
        if "references" not in self.inputs:
            raise ValueError("inputs: no references")
        forms = {
            (tuple((n, len(v)) for n, v in sorted(u.means.items())), tuple(sorted(u.shares)))
            for u in self.units
        }
        if len({(u.video, u.chunk) for u in self.units}) < len(self.units):
            raise ValueError("units: a chunk stands there twice")
        if len(forms) > 1:
            raise ValueError("units: they don't all have the same figures")
        return self
