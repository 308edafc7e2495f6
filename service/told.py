"""Told: the AD of one stream's log that still stand, kept up with the log as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from service.eventlog.entry import Entry
from service.eventlog.log import StreamLog
from service.hls import TakenBack
from strad.timeline import Ms, from_seconds
from strad.wire.viewing import About, Ad, End, State, Withdraw


class Told:
    """Reads each message of the log once, however often it is asked."""

    def __init__(self, log: StreamLog) -> None:
        self.log = log
        self._standing: dict[str, Ad] = {}
        self._withdrawn: dict[str, tuple[Ad, str]] = {}
        self._taken_back: list[TakenBack] = []
        self._reading = asyncio.Lock()
        self._lost = False
        self.place = 0
        """Number of the newest message that is counted in."""
        self.about: About | None = None
        """How the stream is described, where the log says so."""
        self.edge: Ms = 0
        """Newest media time that the messages speak of."""
        self.ended = False
        """Whether the log holds all it ever will."""
        self.complete = False
        """Whether it ended as it should: its summary says where."""
        self.lost_to: Ms = 0
        """Before this, AD may be missing, since the oldest messages are let go."""

    async def catch_up(self) -> None:
        """Count in what the log holds by now, and let go of what it has let go."""
        async with self._reading:
            while entries := await self.log.read(self.place):
                for entry in entries:
                    self._lost |= entry.seq > self.place + 1
                    self._count(entry)
                    self.place = entry.seq
            if self.log.first > 1:
                self._let_go()

    def ads(self) -> Sequence[Ad]:
        """Those that stand, by start."""
        return sorted(self._standing.values(), key=lambda ad: (ad.start, ad.seq))

    def find(self, event: str) -> Ad | None:
        """The AD with that ``id``, also where it was withdrawn."""
        found = self._standing.get(event)
        return found if found is not None else self._withdrawn.get(event, (None, ""))[0]

    def withdrawn(self, event: str) -> str | None:
        """Why the AD with that ``id`` was withdrawn, where it was."""
        return self._withdrawn[event][1] if event in self._withdrawn else None

    def taken_back(self) -> Sequence[TakenBack]:
        """Those that were withdrawn, but were not provisional."""
        return tuple(self._taken_back)

    def _count(self, entry: Entry) -> None:
        match entry.message:
            case Ad() as ad:
                self._standing[ad.id] = ad
                self.edge = max(self.edge, from_seconds(ad.window_end), _edge_at(ad))
                if self._lost:
                    self.lost_to, self._lost = max(self.lost_to, _edge_at(ad)), False
            case Withdraw(id=withdrawn) as withdraw:
                self._take_back(self._standing.pop(withdrawn, None), withdraw)
            case State(about=about):
                self.about = about or self.about
            case End(summary=summary):
                self.ended = True
                if summary is not None:
                    self.complete = True
                    self.edge = max(self.edge, from_seconds(summary.live_edge))
            case _:
                pass

    def _take_back(self, ad: Ad | None, withdraw: Withdraw) -> None:
        if ad is not None:
            self._withdrawn[ad.id] = (ad, withdraw.reason)
        if ad is not None and not ad.provisional and withdraw.edge is not None:
            self._taken_back.append(TakenBack(ad, from_seconds(withdraw.edge)))

    def _let_go(self) -> None:
        for ad in [ad for ad in self._standing.values() if ad.seq < self.log.first]:
            del self._standing[ad.id]
            self.lost_to = max(self.lost_to, _edge_at(ad), from_seconds(ad.end))
        first = self.log.first
        self._taken_back = [t for t in self._taken_back if t.ad.seq >= first]
        self._withdrawn = {i: w for i, w in self._withdrawn.items() if w[0].seq >= first}


def _edge_at(ad: Ad) -> Ms:
    """The live edge when it was announced: every earlier AD begins before it, or is provisional."""
    return max(0, from_seconds(ad.start) + from_seconds(ad.lag_emit))
