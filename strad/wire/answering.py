"""What the server says to a publisher."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from strad.errors import OverloadedError, StradError, WorkError
from strad.wire.message import (
    VERSION,
    Count,
    Message,
    Name,
    Part,
    Seconds,
    SignedSeconds,
    Text,
    parse,
    well_formed,
)


class Ready(Message):
    """The hello is accepted: media may flow."""

    type: Literal["ready"] = "ready"
    version: int = VERSION
    stream: Name
    describer: Name
    draft: bool
    """Whether the describer's output is draft quality and must be labelled so."""
    delay: Seconds
    stride: Seconds
    max_message: Count
    """The longest binary message, in bytes."""
    silence: Seconds
    """A publisher that sends nothing, not even keepalive, for so long is gone."""
    resume: str | None = None
    """A hello with it goes on with this stream. Whoever has it may, so it is a secret."""
    grace: Seconds | None = None
    """Wall seconds for which a stream that lost its publisher waits for that."""
    live_edge: Seconds = 0.0
    """Where the stream stands. Media goes on from there, or from hello's ``at``."""
    captions: Seconds = 0.0
    """Up to here captions are final already: only later ones are to be sent."""


class Progress(Message):
    """Where the stream stands. All times are media time."""

    type: Literal["progress"] = "progress"
    live_edge: Seconds
    """Newest media time decoded."""
    cursor: Seconds
    """End of the newest window asked about."""
    lag_emit: SignedSeconds | None = None
    """Of the latest AD: newest media time when it was announced minus its start."""
    load: Annotated[float | None, Field(ge=0)] = None
    """Decide seconds over stride, of the latest windows; above 1 the describer is too slow."""
    behind: SignedSeconds
    """The sender's clock, where it tells it, else the live edge, minus the cursor."""
    skipped: Count = 0
    """Windows never asked about, so far."""


class Warning(Message):
    """Something about the media that a person should know. The stream goes on."""

    type: Literal["warning"] = "warning"
    seq: Count = 0
    """Position in the stream's log, for viewers; 0 for a publisher."""
    code: Name
    at: Seconds
    message: Text
    count: Count = 1


class Error(Message):
    """A message was refused, or (``fatal``) the stream has ended; the close code then follows."""

    type: Literal["error"] = "error"
    seq: Count = 0
    """Position in the stream's log, for viewers of a stream that failed; else 0."""
    code: Name
    message: Text
    retryable: bool = False
    fatal: bool = True
    answers: str | None = None
    """The ``id`` of the message it answers, or its ``type`` where it had no id."""
    retry_after: Seconds | None = None
    """Wall seconds after which trying again, unchanged, can help; where that is known."""

    @classmethod
    def of(cls, error: StradError, *, answers: str | None = None, fatal: bool = True) -> Error:
        return cls(
            code=error.code,
            message=well_formed(str(error)[:2_000]),
            retryable=error.retryable,
            fatal=fatal,
            answers=answers if answers is None else well_formed(answers),
            retry_after=error.retry_after if isinstance(error, OverloadedError) else None,
        )

    def as_exception(self) -> StradError:
        """The error as it was raised at the other end, of its own class where we know it."""
        kinds = [kind for kind in _tree(StradError) if "code" in vars(kind)]
        known = {kind.code: kind for kind in reversed(kinds)}
        kind = known.get(self.code, WorkError)
        if issubclass(kind, OverloadedError):
            return kind(self.message, retry_after=self.retry_after)
        return kind(self.message)


def _tree(root: type[StradError]) -> Iterator[type[StradError]]:
    yield root
    for kind in root.__subclasses__():
        yield from _tree(kind)


class Draining(Message):
    """No more media is taken; what is still to be said follows, then the summary."""

    type: Literal["draining"] = "draining"
    reason: Literal["finish", "shutdown"]
    limit: Seconds
    """Wall seconds after which what is not said yet is given up."""
    resume: str | None = None
    """Where the service goes away but the stream doesn't end: a hello with it goes on elsewhere."""


class Spread(Part):
    """How a figure was spread over a stream, by nearest rank."""

    p50: float
    p95: float
    max: float


class Summary(Message):
    """What came of the stream. Figures are left out where there was nothing to measure."""

    type: Literal["summary"] = "summary"
    live_edge: Seconds
    windows: Count
    events: Count
    withdrawn: Count
    skipped: Count
    """Windows never asked about, since newer media had come."""
    no_gap: Count
    """Steps of the cursor that touched no free span."""
    waits: dict[str, Count]
    """Windows about which nothing was said, by reason."""
    drops: dict[str, Count]
    """Descriptions decided but not spoken, by reason."""
    load: Spread | None = None
    """Decide seconds over stride, window by window."""
    rtf: Annotated[float | None, Field(ge=0)] = None
    """Wall time over the cursor's advance, mean over the windows that gave AD."""
    lag_cursor: Spread | None = None
    """Seconds from an AD's start to the cursor (the paper's LAG)."""
    lag_emit: Spread | None = None
    """Seconds from an AD's start to the newest media when it was announced."""


AnswerMessage: TypeAlias = Annotated[
    Ready | Progress | Warning | Error | Draining | Summary, Field(discriminator="type")
]
Answer: TypeAlias = Ready | Progress | Warning | Error | Draining | Summary

ANSWER: TypeAdapter[Answer] = TypeAdapter(AnswerMessage)


def parse_answer(text: str | bytes) -> Answer:
    """Raises ProtocolError, UnknownMessageError."""
    return parse(ANSWER, text)
