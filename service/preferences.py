"""Preferences: what of the log one viewer is told, and in which of a description's lengths. Pure.

A form other than the placed one is told only if it fits the time that the AD was given. How long
it takes is reckoned from the placed one, which the voice has measured: by its words, at its pace.
"""

from __future__ import annotations

from functools import lru_cache

from service.eventlog.entry import Entry
from strad.speech import count_words
from strad.wire.asking import Extra, FormChoice, Wishes
from strad.wire.viewing import Ad, parse_logged
from streaming.placement import Limits

MAX_RATE = Limits().max_rate
"""No form is told that would have to be spoken faster."""


class Preferences:
    """One viewer's wishes, which may change while it watches."""

    def __init__(self, wishes: Wishes) -> None:
        self.wishes = wishes

    def told(self, entry: Entry) -> str | None:
        """The message's JSON as this viewer gets it; None where it wishes to hear less."""
        if not isinstance(entry.message, Ad):
            return entry.json
        if not self.wants(entry.message):
            return None
        if self.wishes.form is FormChoice.PLACED:
            return entry.json
        return _in_form(entry.json, self.wishes.form)

    def wants(self, ad: Ad) -> bool:
        """Whether it is of a kind that the viewer wishes to hear."""
        return self.wishes.kinds is None or ad.kind in self.wishes.kinds

    def wishes_for(self, extra: Extra) -> bool:
        return extra in self.wishes.extras


@lru_cache(maxsize=256)
def _in_form(json: str, choice: FormChoice) -> str:
    """The AD's JSON with the form that was chosen: made once, however many viewers choose it."""
    ad = parse_logged(json)
    told = fitted(ad, choice) if isinstance(ad, Ad) else ad
    return json if told is ad else told.to_json()


def fitted(ad: Ad, choice: FormChoice) -> Ad:
    """``ad`` with the form that was chosen, where it fits [start, end); else as it is."""
    match choice:
        case FormChoice.PLACED:
            return ad
        case FormChoice.SHORT:
            rates = {form: rate for form, rate in _rates(ad).items() if rate <= ad.rate}
            return _with_form(ad, min(rates, key=lambda f: count_words(f), default=ad.text), rates)
        case FormChoice.LONG:
            most = 1.0 if ad.provisional else MAX_RATE
            rates = {form: rate for form, rate in _rates(ad).items() if rate <= max(most, ad.rate)}
            return _with_form(ad, max(rates, key=lambda f: count_words(f), default=ad.text), rates)


def _rates(ad: Ad) -> dict[str, float]:
    """How fast each form must be spoken to fit, reckoned from the placed one."""
    words = count_words(ad.text)
    if words == 0:
        return {}
    return {form: max(1.0, ad.rate * count_words(form) / words) for form in ad.forms if form}


def _with_form(ad: Ad, form: str, rates: dict[str, float]) -> Ad:
    if form == ad.text:
        return ad
    return ad.model_copy(update={"text": form, "rate": round(rates[form], 3)})
