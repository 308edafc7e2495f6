"""Inquiries: what viewers ask of a stream, answered from its log and what is known beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from service.asides import Asides, Seen
from service.library import Library
from service.preferences import Preferences, fitted
from service.stream import Stream
from service.told import Told
from strad.decision import Kind
from strad.timeline import Ms, from_seconds, to_seconds
from strad.wire.asking import AskMissed, AskScene
from strad.wire.message import MAX_TEXT
from strad.wire.viewing import Ad, Missed, OnScreen, Scene

MOST_CHARACTERS = 200_000
"""Of one answer: a peer takes no message longer than ``strad.wire.message.MAX_CONTROL``."""

ON_SCREEN = (Kind.NAME, Kind.SCENE, Kind.TEXT)
"""Kinds that tell who and what is there; an action is over once it is told."""

REACH: Ms = 300_000
"""What was made out longer ago says nothing about what is on screen."""


class Inquiries:
    """Of one stream, by one viewer."""

    def __init__(self, stream: Stream, library: Library, preferences: Preferences) -> None:
        self._stream = stream
        self._library = library
        self._preferences = preferences

    async def missed(self, ask: AskMissed) -> Missed:
        """What was said while the viewer was away. Raises LogError."""
        told = await self._library.told(self._stream.log)
        found = [ad for ad in told.ads() if _asked_for(ad, ask) and self._preferences.wants(ad)]
        form = self._preferences.wishes.form
        newest = list(_within([fitted(ad, form) for ad in found[-ask.most :]]))
        more = len(newest) < len(found) or _lacks_older(told, ask)
        return Missed(answers=ask.id or ask.type, ads=tuple(newest), more=more)

    async def scene(self, ask: AskScene) -> Scene:
        """The newest of each kind that had been made out. Raises LogError."""
        asides = self._stream.asides
        told = await self._library.told(self._stream.log)
        about = self._stream.about or told.about
        at = (
            from_seconds(ask.at)
            if ask.at is not None
            else playhead(told, asides, from_seconds(about.delay) if about else 0)
        )
        things = on_screen(told.ads(), asides, at)
        return Scene(
            answers=ask.id or ask.type,
            at=to_seconds(at),
            draft=about.draft if about is not None else False,
            things=tuple(things),
        )


def playhead(told: Told, asides: Asides, delay: Ms) -> Ms:
    """Where the stream's viewers are, as far as is known here."""
    return max(0, max(asides.edge(), told.edge) - delay)


def on_screen(ads: Sequence[Ad], asides: Asides, at: Ms) -> list[OnScreen]:
    """The newest of each kind by ``at``, newest first: said, or only made out."""
    begun = [ad for ad in ads if from_seconds(ad.start) <= at]
    epochs = [asides.epoch, *(from_seconds(ad.epoch.stream) for ad in begun)]
    since = max([at - REACH, *(epoch for epoch in epochs if epoch <= at)])
    spoken = {form: True for ad in begun for form in ad.forms}
    things = [
        _thing(seen, at, spoken=said or spoken.get(seen.text, False))
        for seen, said in chain(
            ((_seen(ad), True) for ad in begun), ((seen, False) for seen in tuple(asides.seen))
        )
        if seen.when.start <= at and seen.when.end >= since and seen.kind in ON_SCREEN
    ]
    newest = {thing.kind: thing for thing in sorted(things, key=lambda t: (t.end, t.spoken))}
    return sorted(newest.values(), key=lambda thing: -thing.end)


def _seen(ad: Ad) -> Seen:
    return Seen(ad.cue().when, ad.kind, ad.forms[-1] if ad.forms else ad.text)


def _thing(seen: Seen, at: Ms, *, spoken: bool) -> OnScreen:
    return OnScreen(
        kind=seen.kind,
        text=seen.text[:MAX_TEXT],
        start=to_seconds(seen.when.start),
        end=to_seconds(seen.when.end),
        age=to_seconds(max(0, at - seen.when.end)),
        spoken=spoken,
    )


def _asked_for(ad: Ad, ask: AskMissed) -> bool:
    return (
        (ask.after is None or ad.seq > ask.after)
        and (ask.since is None or ad.start >= ask.since)
        and (ask.until is None or ad.start < ask.until)
    )


def _lacks_older(told: Told, ask: AskMissed) -> bool:
    """Whether AD that was asked for may have been let go."""
    by_number = ask.after is not None and ask.after + 1 < told.log.first
    by_time = ask.since is not None and from_seconds(ask.since) < told.lost_to
    if ask.after is not None and ask.since is not None:
        return by_number and by_time
    return by_number or by_time


def _within(ads: Iterable[Ad]) -> Iterator[Ad]:
    """The newest that fit into one answer, by start."""
    left = MOST_CHARACTERS
    kept: list[Ad] = []
    for ad in reversed(list(ads)):
        left -= len(ad.to_json())
        if left < 0:
            break
        kept.append(ad)
    return reversed(kept)
