"""What one viewer is told: less of it, or another length that still fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.allowance import Allowance
from service.eventlog.entry import Entry
from service.preferences import MAX_RATE, Preferences, fitted
from strad.decision import Kind
from strad.speech import count_words
from strad.wire.asking import FormChoice, Wishes
from strad.wire.viewing import Withdraw
from tests.service.ads import ad

pytestmark = pytest.mark.unit


def words(n: int) -> str:
    return " ".join(f"word{i}" for i in range(n))


def test_only_the_kinds_that_are_wished_are_told() -> None:
    preferences = Preferences(Wishes(kinds=(Kind.TEXT, Kind.NAME)))
    entries = [Entry.of(ad(n, n, n + 1, kind=kind)) for n, kind in enumerate(Kind, 1)]
    told = [preferences.told(entry) for entry in entries]
    assert told == [e.json if e.message.kind in ("text", "name") else None for e in entries]  # type: ignore[union-attr]


def test_whoever_wishes_no_kind_still_learns_how_the_stream_goes() -> None:
    preferences = Preferences(Wishes(kinds=()))
    withdraw = Entry.of(Withdraw(seq=2, id="ad-1", at=1.0, reason="speech"))
    assert preferences.told(Entry.of(ad(1, 0, 1))) is None
    assert preferences.told(withdraw) == withdraw.json


def test_the_short_form_takes_less_time_and_is_spoken_no_faster() -> None:
    given = ad(1, 10, 14, words(12), words(3), rate=1.2)
    short = fitted(given, FormChoice.SHORT)
    assert (short.text, short.rate) == (words(3), 1.0)
    assert (short.start, short.end) == (given.start, given.end)


def test_the_long_form_is_told_where_a_little_haste_makes_it_fit() -> None:
    given = ad(1, 10, 14, words(10), longer=(words(12), words(20)))
    long = fitted(given, FormChoice.LONG)
    assert (long.text, long.rate) == (words(12), 1.2)


def test_a_provisional_ad_grows_no_longer() -> None:
    given = ad(1, 10, 14, words(10), longer=(words(12),), provisional=True)
    assert fitted(given, FormChoice.LONG) == given


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=3),
    st.integers(0, 2),
    st.floats(1.0, MAX_RATE),
    st.sampled_from(FormChoice),
)
def test_whatever_form_is_told_fits(
    lengths: list[int], placed: int, rate: float, choice: FormChoice
) -> None:
    forms = tuple(words(n) for n in sorted(lengths))
    text = forms[min(placed, len(forms) - 1)]
    given = ad(1, 10, 14, text, rate=round(rate, 3)).model_copy(update={"forms": forms})
    told = fitted(given, choice)
    pace = given.rate * 4.0 / count_words(given.text)  # seconds a word takes the voice
    assert count_words(told.text) * pace / told.rate <= 4.0 + 0.01
    assert told.rate <= max(MAX_RATE, given.rate)
    assert told.text in forms


def test_an_allowance_fills_with_time() -> None:
    allowance = Allowance(3, 1.0)
    assert [allowance.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [allowance.take(t) for t in (0.5, 1.0, 1.1, 100.0)] == [False, True, False, True]
    assert [allowance.take(100.0) for _ in range(3)] == [True, True, False]
