"""Pass 5, *whole*: over all descriptions at once: nothing twice, right names, inside the gaps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from strad.passes import PassName, Person, Spoken, Written
from strad.speech import WORDS_PER_MINUTE, count_words
from strad.timeline import Interval, Ms, from_seconds, to_seconds
from streaming.tasks.document.answers import read_shorter
from streaming.tasks.document.early import FirstGiven
from streaming.tasks.document.fitting import longest_that_fits, said_when
from streaming.tasks.document.folder import Unfinished
from streaming.tasks.document.mentions import Cast
from streaming.tasks.document.prompts import shorten_messages
from streaming.tasks.document.repetition import Told
from streaming.tasks.document.schemas import SHORTER
from streaming.tasks.document.who import Given
from streaming.tasks.document.workshop import Workshop

ANSWER_TOKENS = 150


async def finish(
    shop: Workshop,
    written: Sequence[Written],
    people: Sequence[Person],
    lines: Sequence[Given],
    duration: Ms,
    done: Unfinished[Spoken],
) -> list[Spoken]:
    """The lines of the pass: what is said, and what was dropped and why. Raises EngineError.

    ``lines``: all that can name somebody.
    """
    edit = _Edit(shop, people, lines)
    wanted = sorted((line for line in written if line.forms), key=lambda line: line.when)
    for number, line in enumerate(wanted):
        shop.told(PassName.WHOLE, line.when.start, duration)
        if number >= len(done.lines):
            done.add(await edit.line(line))
        edit.said(done.lines[number])
    return done.lines


class _Edit:
    """Knows what has been said so far, and who has been called by name."""

    def __init__(self, shop: Workshop, people: Sequence[Person], lines: Sequence[Given]) -> None:
        self._shop = shop
        self._given = FirstGiven(lines, shop.config.language)
        self._cast = Cast(people)
        self._told = Told(self._cast, shop.config.language)
        self._named: frozenset[str] = frozenset()
        self._met: frozenset[str] = frozenset()
        self._until: Ms = 0

    async def line(self, line: Written) -> Spoken:
        """What becomes of one description."""
        slot = self._free(line.when, from_seconds(line.about))
        forms, linked = self._forms(line, slot.start)
        early = [name for form in forms for name in self._early(form, slot.start)]
        forms, linked = (
            [form for form in some if not self._early(form, slot.start)] for some in (forms, linked)
        )
        if not forms:
            return _dropped(line, f"it names {early[0]} before the programme does")
        again = next(
            (found for form in forms if (found := self._told.repeats(form, slot.start))), None
        )
        if again is not None:
            return _dropped(line, f"it says what {again} said")
        text = await self._that_fits(forms, linked, slot)
        if text is None:
            return _dropped(line, f"it is too long for {to_seconds(slot.duration):.1f} s")
        if (again := self._told.repeats(text, slot.start)) is not None:
            return _dropped(line, f"shortened, it says what {again} said")
        length = await self._length(text)
        when = said_when(slot, length, from_seconds(line.about))
        return Spoken(id=line.id, start=to_seconds(when.start), end=to_seconds(when.end), text=text)

    def said(self, line: Spoken) -> None:
        """Remember a description that is finished, if it is said."""
        if line.dropped is not None:
            return
        reworded = self._cast.reword(line.text, line.when.start)
        self._named |= reworded.named
        self._met |= reworded.mentioned
        self._told.add(line.id, line.text, line.when.start)
        self._until = max(self._until, line.when.end + self._shop.config.spacing)

    def _free(self, slot: Interval, about: Ms) -> Interval:
        """The slot without what the description before still takes; nothing is foretold."""
        start = max(slot.start, self._until, about - self._shop.config.max_early)
        return Interval(min(slot.end, start), slot.end)

    def _forms(self, line: Written, t: Ms) -> tuple[list[str], list[str]]:
        """Every form with the right names, short to long; then those that introduce somebody.

        Who was described before, and has a name now, is called by both, once.
        """
        plain = [self._cast.reword(form, t).text for form in line.forms]
        unknown = frozenset(self._cast.people) - self._met
        linked = [self._cast.reword(form, t, self._named | unknown).text for form in line.forms]
        return plain, [form for form in linked if form not in plain]

    async def _that_fits(
        self, forms: Sequence[str], linked: Sequence[str], slot: Interval
    ) -> str | None:
        """The longest form, if need be made shorter; else a shorter one; None where none fits.

        Who is new by name comes first: then the longest form that says who it is.
        """
        introduced = await self._longest(linked, slot)
        if introduced is not None:
            return introduced
        best = await self._longest(forms, slot)
        if best == forms[-1]:
            return best
        shorter = await self._shortened(forms[-1], slot)
        if shorter is not None and count_words(shorter) > count_words(best or ""):
            return shorter
        return best

    async def _longest(self, forms: Sequence[str], slot: Interval) -> str | None:
        lengths = [await self._length(form) for form in forms]
        best = longest_that_fits(lengths, slot.duration)
        return None if best is None else forms[best]

    async def _shortened(self, text: str, slot: Interval) -> str | None:
        """The text made shorter by the engine, in a few tries; None where that does not help."""
        config = self._shop.config
        words = slot.duration * WORDS_PER_MINUTE // 60_000
        for room in range(words, max(0, words - config.shortenings), -1):
            found = await self._shop.asker.ask(
                partial(shorten_messages, text, room, config.language),
                partial(read_shorter, language=config.language, words=room),
                max_tokens=ANSWER_TOKENS,
                schema=SHORTER,
            )
            if found is None:
                continue
            found = self._cast.reword(found, slot.start).text
            fits = 0 < await self._length(found) <= slot.duration
            if fits and not self._early(found, slot.start):
                return found
        return None

    def _early(self, text: str, t: Ms) -> list[str]:
        return [*self._cast.too_early(text, t), *self._given.too_early(text, t)]

    async def _length(self, text: str) -> Ms:
        return await self._shop.voice.duration(text, self._shop.config.language)


def _dropped(line: Written, why: str) -> Spoken:
    return Spoken(id=line.id, start=line.start, end=line.end, text=line.forms[-1], dropped=why)
