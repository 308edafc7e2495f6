"""Claims as cautious sentences: present tense, third person, nothing that was not seen. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from strad.decision import MAX_FORMS, Kind
from streaming.describers.facts.claim import MANY, Claim
from streaming.describers.facts.vocabulary import FACE, NAMES

MOST_THINGS = 3
"""Things named in one sentence."""
MOST_WORDS = 25
"""Words of on-screen text read at once; the rest is left out at a line's end."""
_NUMBERS = {2: "two"}


def about_things(claims: Sequence[Claim]) -> tuple[str, ...]:
    """The same statement, short to long. ``claims`` are not empty and hold no text."""
    subject = _joined([_phrase(claim) for claim in claims])
    verb = "is" if len(claims) == 1 and claims[0].count == 1 else "are"
    aspect = claims[0].aspect if len(claims) == 1 else ""
    if aspect == FACE:
        return _forms(f"the face of {subject}", f"the face of {subject} {verb} in view")
    if aspect:
        return _forms(f"{subject} {aspect}", f"{subject} {verb} in view {aspect}")
    return _forms(subject, f"{subject} {verb} in view")


def about_text(claims: Sequence[Claim]) -> tuple[str, ...]:
    """The lines read verbatim, top to bottom; a shorter form has the first line alone."""
    return _forms(f"Text: {claims[0].subject}", f"Text: {' '.join(c.subject for c in claims)}")


def sayable(claims: Sequence[Claim]) -> list[Claim]:
    """The first of ``claims``, as many as one description holds."""
    if claims[0].kind is not Kind.TEXT:
        alone = bool(claims[0].aspect)
        together = [claim for claim in claims[1:MOST_THINGS] if not claim.aspect]
        return [claims[0]] if alone else [claims[0], *together]
    fits = [claims[0]]
    for claim in claims[1:]:
        if len(" ".join(c.subject for c in [*fits, claim]).split()) > MOST_WORDS:
            break
        fits.append(claim)
    return fits


def forms_of(claims: Sequence[Claim]) -> tuple[str, ...]:
    """How ``claims``, all of text or none, are said."""
    return about_text(claims) if claims[0].kind is Kind.TEXT else about_things(claims)


def _phrase(claim: Claim) -> str:
    one, many = NAMES[claim.subject]
    if claim.count == 1:
        return one
    if claim.count >= MANY:
        return f"several {many}"
    number = f"{_NUMBERS[claim.count]} {many}"
    return number if claim.exact else f"at least {number}"


def _joined(phrases: Sequence[str]) -> str:
    *most, last = phrases
    return f"{', '.join(most)} and {last}" if most else last


def _forms(*texts: str) -> tuple[str, ...]:
    whole = dict.fromkeys(_sentence(text) for text in texts)
    return tuple(whole)[:MAX_FORMS]


def _sentence(text: str) -> str:
    ended = f"{text}." if text[-1].isalnum() else text
    return ended[0].upper() + ended[1:]
