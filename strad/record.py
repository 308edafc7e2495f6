"""One record of a file: its fields are checked strictly, those we don't know are kept.

Times are seconds, absolute in the video, finite and not negative.
"""

from __future__ import annotations

import json
import math
import re
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from strad.cues import Cue
from strad.errors import FormatError
from strad.json_positions import first_fault, line_of
from strad.timeline import Interval, from_seconds

LONGEST = 1e9
"""No media is longer, in seconds (some 31 years): a time beyond it is a mistake."""

_PARSER_LINE = re.compile(r" at line (\d+) column \d+$")
"""How pydantic's JSON parser, stricter than Python's, says where it stopped."""

Seconds = Annotated[float, Field(ge=0, le=LONGEST)]
Id = Annotated[str, Field(min_length=1)]


class Record(BaseModel):
    """What all records share."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="allow",
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )

    def line(self) -> str:
        """The record as one line of JSON, with what was given and nothing else; no line end."""
        return self.model_dump_json(exclude_unset=True)


class Span(Record):
    """A stretch of the video."""

    start: Seconds
    """Seconds."""
    end: Seconds
    """Seconds, not before ``start``."""

    @property
    def when(self) -> Interval:
        """The stretch in whole milliseconds."""
        return Interval(from_seconds(self.start), from_seconds(self.end))

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.end < self.start:
            raise ValueError("it ends before it starts")
        return self


class TimedText(Span):
    """Text and when it is said."""

    text: str

    def cue(self, language: str = "en") -> Cue:
        """Its cue, to the nearest millisecond."""
        return Cue(self.when, self.text, language)


AnyRecord = TypeVar("AnyRecord", bound=Record)


def parse_record(
    kind: type[AnyRecord], text: str, *, file: str = "", first_line: int = 1
) -> AnyRecord:
    """The record that ``text`` holds as JSON. ``first_line`` is where in the file it begins."""
    check_json(text, file=file, first_line=first_line)
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
    path, what = problem["loc"], problem["msg"].removeprefix("Value error, ")
    found = _PARSER_LINE.search(what) if problem["type"] == "json_invalid" else None
    line = int(found.group(1)) if found else line_of(text, path)
    name = ".".join(str(part) for part in path)
    what = f"{name}: {what}" if name else what
    raise FormatError(what, file=file, line=line + first_line - 1)


def check_json(text: str, *, file: str = "", first_line: int = 1) -> None:
    """Refuse what isn't JSON, and NaN, infinity, repeated keys and bottomless nesting."""
    try:
        json.loads(text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        line = error.lineno + first_line - 1
        raise FormatError(f"not JSON: {error.msg}", file=file, line=line) from None
    except RecursionError:
        raise FormatError("not JSON: nested too deeply", file=file, line=first_line) from None
    except ValueError:
        what, line = first_fault(text)
        raise FormatError(what, file=file, line=line + first_line - 1) from None


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(number)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError(pairs)
    return members
