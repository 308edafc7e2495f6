"""Streams whose owner went away without an end: somebody has to write it, and only one may."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from service.eventlog.log import EventLog
from service.eventlog.standing import Listed
from service.stream import Stream
from strad.errors import NotOwnedError, PeerGoneError, TakenError, UnknownLogError

logger = logging.getLogger(__name__)


class Abandoned:
    """Logs that nobody has ended and nobody owns, and since when this process has seen them so.

    Each process counts on its own clock, from what it saw itself: none has to trust another's, and
    after a restart of everything publishers still have the whole grace time to come back.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._since: dict[str, tuple[str, float]] = {}

    async def look(self, now: float) -> Sequence[Listed]:
        """See at ``now`` (wall seconds of the loop) which are alone; all streams, as listed."""
        listed = await self._log.listed()
        alone = [line for line in listed if not (line.owned or line.standing.ended)]
        seen = self._since
        self._since = {line.log: (line.stream, seen.get(line.log, ("", now))[1]) for line in alone}
        return listed

    async def end(self, before: float) -> None:
        """End those alone since ``before``. The lease lets only one process do it."""
        for log, (stream, since) in self._since.items():
            if since <= before:
                logger.info("stream %s: its publisher did not come back", stream)
                try:
                    await end_unfinished(self._log, stream, "did not come back", only=log)
                except (NotOwnedError, TakenError):
                    continue  # it did come back, or another process ends it


async def end_unfinished(
    log: EventLog, stream: str, why: str, *, only: str | None = None, take_over: bool = False
) -> None:
    """End the newest log of ``stream`` where it has no end; ``only`` that one, where named.

    ``why``: what is said of its publisher. Raises TakenError where somebody owns it.
    """
    found = await log.find(stream)
    if found is None or found.standing.ended or only not in (None, found.name):
        return
    try:
        async with log.own(stream, resume=found.name, take_over=take_over) as earlier:
            error = PeerGoneError(f"the stream was broken off: its publisher {why}")
            await Stream(stream, earlier, owned=True).end(None, error)
    except UnknownLogError:
        return  # somebody else has ended it meanwhile, or begun anew
