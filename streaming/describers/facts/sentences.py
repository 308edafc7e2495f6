"""Claims as cautious sentences: present tense, third person, nothing that was not seen. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from strad.decision import MAX_FORMS, Kind
from streaming.describers.facts.claim import MANY, Claim
from streaming.describers.facts.vocabulary import NAMES

MOST_THINGS = 3
"""Things named in one sentence."""
MOST_WORDS = 25
"""Words of on-screen text read at once; the rest is left out at a line's end."""
_LEADS = ("next,", "now")
"""How what comes back is told, in turn."""
_NUMBERS = {2: "two"}


def about_things(claims: Sequence[Claim]) -> tuple[str, ...]:
    """The same statement, short to long. ``claims`` are not empty and hold no text."""
    subject = _joined([_phrase(claim) for claim in claims])
    faced = f"the face of {subject}" if len(claims) == 1 and claims[0].face else subject
    returns = max(claim.returns for claim in claims)
    if returns:
        lead = _LEADS[returns % len(_LEADS)]
        return _forms(f"{lead} {subject}", f"{lead} {faced}")
    lead = "now " if any(claim.cut for claim in claims) else ""
    verb = "is" if len(claims) == 1 and claims[0].count == 1 else "are"
    return _forms(subject, f"{lead}{subject} {verb} in view", f"{lead}{faced} {verb} in view")


def about_text(claims: Sequence[Claim]) -> tuple[str, ...]:
    """The lines read verbatim, top to bottom; a shorter form has the first line alone."""
    return _forms(f"Text: {claims[0].subject}", f"Text: {' '.join(c.subject for c in claims)}")


def sayable(claims: Sequence[Claim]) -> list[Claim]:
    """The first of ``claims``, as many as one description holds."""
    if claims[0].kind is not Kind.TEXT:
        return list(claims[:MOST_THINGS])
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
