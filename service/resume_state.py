"""The resume state: what the log keeps of a stream, for whoever describes it after its owner.

It may be some seconds old: what was announced since is read from the log, from after ``seq``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter, ValidationError

from service.eventlog.entry import Entry
from service.eventlog.log import StreamLog
from strad.errors import UnknownLogError
from strad.timeline import Ms
from strad.wire.publishing import Hello
from strad.wire.viewing import Ad, Withdraw
from streaming.memory import Memory

VERSION = 1

KEEP_EVERY = 5.0
"""Wall seconds between two that are kept. What is announced in between is in the log."""

AHEAD: Ms = 8_000
"""Media by which what viewers are promised goes at most beyond the live edge that is kept: more
than comes between two that are kept, where media comes as it plays."""

PAGE = 500
"""Messages read at once."""


@dataclass(frozen=True, slots=True)
class ResumeState:
    """Made at one moment between two messages of the log."""

    digest: str
    """Of the token's secret."""
    hello: Hello
    """What the first publisher's hello asked for; without its token."""
    seq: int = 0
    """Number of the newest message that ``memory`` knows of."""
    memory: Memory = field(default_factory=Memory)
    version: int = VERSION
    exact: bool = False
    """Whether it was made when all was told, and nothing after it."""

    @property
    def promised(self) -> Ms:
        """The live edge that viewers may have been told of by who made this: HLS lists by it."""
        edge = self.memory.reached.live_edge + (0 if self.exact else AHEAD)
        return max(edge, self.memory.promised)

    def to_json(self) -> str:
        return STATE.dump_json(self).decode()

    @classmethod
    def parse(cls, json: str) -> ResumeState:
        """Raises UnknownLogError where this version can't read it."""
        try:
            state = STATE.validate_json(json)
        except ValidationError:
            raise UnknownLogError("what was kept of the stream can't be read here") from None
        if state.version != VERSION:
            raise UnknownLogError("another version of the service keeps this stream")
        return state

    async def caught_up(self, log: StreamLog) -> ResumeState:
        """To go on from: with all that the log holds after it, and what was promised kept.

        Raises LogError.
        """
        memory = replace(self.memory, promised=self.promised)
        state = replace(self, memory=memory, exact=False)
        while entries := await log.read(state.seq, PAGE):
            state = replace(state, seq=entries[-1].seq, memory=_with_entries(state.memory, entries))
        return state


STATE = TypeAdapter(ResumeState)


def _with_entries(memory: Memory, entries: Iterable[Entry]) -> Memory:
    for entry in entries:
        match entry.message:
            case Ad() as ad:
                memory = memory.announced(ad.event())
            case Withdraw(id=event):
                memory = memory.withdrawn(event)
            case _:
                pass
    return memory
