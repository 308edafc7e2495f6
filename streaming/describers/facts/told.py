"""What was told, so that only news is said: new things, more of them, or what comes back. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from strad.cues import Cue
from strad.decision import Kind
from strad.timeline import Ms
from streaming.describers.facts.claim import TEXT_KEY, Claim
from streaming.describers.facts.look import Look
from streaming.describers.facts.persistence import shows
from streaming.describers.facts.titles import alike

REMEMBERED = 256
"""Facts kept at most."""
CONTEXT: Ms = 120_000
"""As long as the window's history reaches back."""
TRIES = 3
"""Times a fact is offered, where what was said of it found no place."""
GONE_LOOKS = 3
"""Looks in a row without a thing from which it is gone."""
AGAIN_AFTER: Ms = 10_000
"""What went and came back, or is in another shot, is told again after so long, if of it there is
something that the listener has not heard within the window's history."""


@dataclass(frozen=True, slots=True)
class _Fact:
    at: Ms
    count: int
    aspect: str
    """What was told of it last."""
    told: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Aspect -> the forms in which it was told."""
    tries: int = 1
    unseen: int = 0
    """Looks in a row that lack it."""
    gone: bool = False


class Told:
    """The facts told on one stream."""

    def __init__(self) -> None:
        self._facts: OrderedDict[str, _Fact] = OrderedDict()

    def watch(self, look: Look) -> None:
        """Notice what is no longer there."""
        for key, fact in self._facts.items():
            there = _there(key, look)
            unseen = 0 if there else fact.unseen + 1
            gone = fact.gone or unseen >= GONE_LOOKS
            self._facts[key] = replace(fact, unseen=unseen, gone=gone)

    def news(self, claims: Iterable[Claim], history: Sequence[Cue], now: Ms) -> list[Claim]:
        """Those of ``claims`` that the listener does not know."""
        aspects = [(claim, self._aspect(claim, history, now)) for claim in claims]
        return [replace(claim, aspect=news) for claim, news in aspects if news is not None]

    def tell(self, claims: Iterable[Claim], forms: tuple[str, ...], now: Ms) -> None:
        """Remember that ``claims`` are said, in one of ``forms``."""
        for claim in claims:
            key = self._known(claim)
            before = self._facts.pop(key, None)
            retry = before is not None and _says_again(before, claim)
            tries = before.tries + 1 if before is not None and retry else 1
            told = {**(before.told if before is not None else {}), claim.aspect: forms}
            self._facts[key] = _Fact(now, claim.count, claim.aspect, told, tries)
        while len(self._facts) > REMEMBERED:
            self._facts.popitem(last=False)

    def _aspect(self, claim: Claim, history: Sequence[Cue], now: Ms) -> str | None:
        """What of it is news; None where nothing is."""
        first, *_ = claim.aspects
        fact = self._facts.get(self._known(claim))
        if fact is None:
            return None if _already_there(claim, history) else first
        if claim.count > fact.count:
            return first
        if now - fact.at >= AGAIN_AFTER and (fact.gone or _in_another_shot(claim, fact)):
            unheard = (a for a in claim.aspects if not _heard(fact, a, history))
            return next(unheard, None)
        again = fact.aspect in claim.aspects and not _heard(fact, fact.aspect, history)
        return fact.aspect if again and now - fact.at < CONTEXT and fact.tries < TRIES else None

    def _known(self, claim: Claim) -> str:
        """The key it was told under: text may have been read a letter differently."""
        if claim.kind is not Kind.TEXT:
            return claim.key
        return next((k for k in self._facts if _reads(k, claim.subject)), claim.key)


def _says_again(fact: _Fact, claim: Claim) -> bool:
    """Whether it is what was said before and found no place."""
    return not fact.gone and fact.count >= claim.count and fact.aspect == claim.aspect


def _heard(fact: _Fact, aspect: str, history: Sequence[Cue]) -> bool:
    forms = fact.told.get(aspect, ())
    return any(cue.text in forms for cue in history)


def _in_another_shot(claim: Claim, fact: _Fact) -> bool:
    """Whether it is there anew, in a shot that began after it was told."""
    return claim.shot is not None and claim.shot > fact.at


def _is_text(key: str) -> bool:
    return key.startswith(TEXT_KEY)


def _reads(key: str, line: str) -> bool:
    return _is_text(key) and alike(key.removeprefix(TEXT_KEY), line)


def _there(key: str, look: Look) -> bool:
    if _is_text(key):
        return any(_reads(key, line.text) for line in look.lines)
    return shows(look, key)


def _already_there(claim: Claim, history: Sequence[Cue]) -> bool:
    """Whether a line was read before, by an earlier run over the same stream."""
    return claim.kind is Kind.TEXT and any(claim.subject in cue.text for cue in history)
