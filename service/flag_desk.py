"""The flag desk: takes what viewers found wrong with a description, and tells what was taken."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from service.eventlog.flags import KeptFlag
from service.eventlog.log import StreamLog
from service.library import Library
from service.security.caller import Caller
from service.security.rates import Rates
from service.told import Told
from strad.errors import NotFoundError
from strad.flag import FLAGS, FlaggedEvent, FlagLine, FlagsHeader
from strad.wire.asking import Finding
from strad.wire.message import well_formed

A_SECOND = 5.0
"""Flags of one caller; twice as many may come at once."""


class FlagDesk:
    """One process's."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._rates = Rates()

    async def take(self, log: StreamLog, event: str, finding: Finding, caller: Caller) -> bool:
        """Keep ``finding`` on the AD with the id ``event``; whether it was known already.

        Raises RateLimitError, NotFoundError, OverloadedError where the log has its fill, LogError.
        """
        slower = replace(caller.quota, requests=min(A_SECOND, caller.quota.requests))
        self._rates.take(replace(caller, quota=slower))
        ad = (await self._library.told(log)).find(event)
        if ad is None:
            raise NotFoundError(f"no description {well_formed(event)[:80]} is kept here")
        by = digest(log.name, caller.id, finding.by or "")
        note = well_formed(finding.note)
        return await log.flags.put(KeptFlag(ad=ad, kind=finding.kind, by=by, note=note))

    async def export(self, stream: str, log: StreamLog) -> str:
        """All flags of the log as a file of flags. Raises LogError."""
        told = await self._library.told(log)
        header = FlagsHeader(strad="flags", version=1, stream=stream, log=log.name)
        return FLAGS.write(flagged(await log.flags.all(), told), header)


def digest(log: str, caller: str, by: str) -> str:
    """Tells one viewer of a log from another, and says no more: it fits in no other log."""
    return hashlib.sha256("\0".join((log, caller, by)).encode()).hexdigest()[:16]


def flagged(flags: Sequence[KeptFlag], told: Told) -> list[FlaggedEvent]:
    """By description, in the order in which they were said."""
    grouped: dict[str, list[KeptFlag]] = {}
    for flag in flags:
        grouped.setdefault(flag.ad.id, []).append(flag)
    found = [_event(group, told) for group in grouped.values()]
    return sorted(found, key=lambda event: (event.start, event.id))


def _event(flags: Sequence[KeptFlag], told: Told) -> FlaggedEvent:
    ad = flags[0].ad
    return FlaggedEvent(
        id=ad.id,
        start=ad.start,
        end=ad.end,
        text=ad.text,
        language=ad.language,
        kind=ad.kind,
        forms=ad.forms,
        describer=ad.describer,
        draft=ad.draft,
        window_end=ad.window_end,
        lag_emit=ad.lag_emit,
        late=ad.late,
        provisional=ad.provisional,
        withdrawn=told.withdrawn(ad.id),
        flags=tuple(FlagLine(kind=flag.kind, note=flag.note, by=flag.by) for flag in flags),
    )
