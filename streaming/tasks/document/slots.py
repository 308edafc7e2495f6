"""Where a whole video may be described, and which of these slots are worth it. Pure."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from strad.passes import Heard, Looked
from strad.speech import WORDS_PER_MINUTE
from strad.timeline import Interval, Ms, subtract, to_seconds
from streaming.tasks.document.config import DocumentConfig

MINUTE: Ms = 60_000
NOTHING_NEW, TOO_MANY = "nothing new is seen", "the minute around it is full"


@dataclass(frozen=True, slots=True)
class Slot:
    """A span that is free to speak in."""

    id: str
    when: Interval

    @property
    def words(self) -> int:
        """How many it holds at 150 words a minute."""
        return self.when.duration * WORDS_PER_MINUTE // 60_000


def slots(heard: Sequence[Heard], duration: Ms, config: DocumentConfig) -> list[Slot]:
    """The free spans, kept off speech and protected sounds, long ones cut into several."""
    taken = [line.when for line in heard if line.kind != "gap"]
    found: list[Slot] = []
    for gap in (line for line in heard if line.kind == "gap"):
        free = subtract(_within_guards(gap.when, duration, config), taken)
        pieces = [piece for span in free for piece in _cut(span, config)]
        for number, piece in enumerate(pieces, 1):
            found.append(Slot(gap.id if len(pieces) == 1 else f"{gap.id}.{number}", piece))
    return sorted(found, key=lambda slot: slot.when)


def _within_guards(gap: Interval, duration: Ms, config: DocumentConfig) -> Interval:
    start = gap.start + (config.after_speech if gap.start > 0 else 0)
    end = min(gap.end, duration) - (config.before_speech if gap.end < duration else 0)
    return Interval(start, max(start, end))


def _cut(span: Interval, config: DocumentConfig) -> Iterable[Interval]:
    """Equal pieces, none longer than the longest slot, with room between them."""
    count = -(-span.duration // config.longest_slot)
    for n in range(count):
        start = span.start + span.duration * n // count
        end = span.start + span.duration * (n + 1) // count - (config.spacing * (n + 1 < count))
        if end - start >= config.least_slot:
            yield Interval(start, end)


def matter(looked: Sequence[Looked], slot: Slot, since: Ms, config: DocumentConfig) -> list[Looked]:
    """What a description in the slot may tell: all that is seen after ``since``, not too old.

    Nothing is told before it is seen: half of the slot may pass until it begins.
    """
    first = to_seconds(max(since, slot.when.start - config.reach))
    begun = to_seconds(slot.when.start + slot.when.duration // 2)
    return [
        look
        for look in looked
        if look.seen and look.end > first and (look.start < begun or look.start == 0)
    ]


def passed_over(
    found: Sequence[Slot], importance: Mapping[str, int], config: DocumentConfig
) -> dict[str, str]:
    """The slots that stay silent, and why: those that matter least, where a minute is full."""
    reasons: dict[str, str] = {}
    chosen: list[Ms] = []
    for slot in sorted(found, key=lambda slot: (-importance[slot.id], slot.when)):
        if importance[slot.id] == 0:
            reasons[slot.id] = NOTHING_NEW
        elif fullest(chosen, slot.when.start) >= config.most_a_minute:
            reasons[slot.id] = TOO_MANY
        else:
            insort(chosen, slot.when.start)
    return reasons


def fullest(starts: Sequence[Ms], t: Ms) -> int:
    """How many of ``starts`` the fullest minute that holds ``t`` has."""
    near = [start for start in starts if abs(start - t) < MINUTE]
    return max(
        (sum(first <= start < first + MINUTE for start in near) for first in _minutes(near, t)),
        default=0,
    )


def _minutes(near: Sequence[Ms], t: Ms) -> Iterable[Ms]:
    """Beginnings of all minutes that hold ``t`` and can be the fullest."""
    return (first for first in {t, *near} if first <= t)
