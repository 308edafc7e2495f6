"""Who is asked what, in what order; and what a form comes to."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from strad.errors import InputError
from strad_eval.material import Programme
from strad_eval.study.answer import missing, rating_of
from strad_eval.study.pages import trial_page
from strad_eval.study.plan import Study, excerpts_of
from strad_eval.study.trial import trials_of
from strad_eval.unit import Event
from tests.strad_eval.study.toy_study import toy

pytestmark = pytest.mark.eval

GOOD = {"clear": "5", "fitting": "4", "amount": "3", "wanted": "1"}


def test_everybody_is_asked_everything_in_an_order_of_their_own() -> None:
    study = toy()
    first, second = trials_of(study, "aaaa0000"), trials_of(study, "bbbb1111")
    assert first == trials_of(study, "aaaa0000")
    assert [t.id for t in first] != [t.id for t in second]
    assert sorted(t.id for t in first) == sorted(t.id for t in second)
    # 4 excerpts: 3 systems to rate, 3 pairs to compare; the ratings first.
    assert [t.kind for t in first] == ["scales"] * 12 + ["ab"] * 12


def test_sides_and_first_systems_are_balanced_over_people() -> None:
    sides: Counter[str] = Counter()
    first: Counter[str] = Counter()
    for number in range(200):
        trials = trials_of(toy(), f"{number:08x}")
        first[trials[0].systems[0]] += 1
        sides[next(t for t in trials if set(t.systems) == {"good", "poor"}).systems[0]] += 1
    assert all(40 < count < 95 for count in first.values())
    assert all(70 < count < 130 for count in sides.values())


def test_an_excerpt_seldom_follows_itself() -> None:
    trials = trials_of(toy(), "aaaa0000")
    for part in (trials[:12], trials[12:]):
        again = sum(a.excerpt.id == b.excerpt.id for a, b in pairwise(part))
        assert again <= 1


def test_another_seed_is_another_order() -> None:
    other = toy().model_copy(update={"seed": 1})
    assert [t.id for t in trials_of(toy(), "a")] != [t.id for t in trials_of(other, "a")]


def test_no_page_names_a_system_and_all_text_is_escaped() -> None:
    study = toy()
    for trial in trials_of(study, "aaaa0000"):
        page = trial_page(study, trial, "aaaa0000", (1, 2), "/media/0")
        for name in ("good", "poor", "odd", "<b>", "<anybody>"):
            assert name not in page
        assert "&lt;anybody&gt;" in page
        assert page.count("<fieldset") == page.count("<legend>") == (1 if trial.kind == "ab" else 4)


def test_incomplete_forms_say_what_they_lack() -> None:
    study = toy()
    rated, compared = trials_of(study, "a")[0], trials_of(study, "a")[-1]
    assert missing(study, rated, GOOD) == []
    assert missing(study, rated, {**GOOD, "clear": "6", "amount": "x"}) == ["clear", "amount"]
    assert missing(study, rated, {**GOOD, "wanted": "\u00b2"}) == ["wanted"]
    assert missing(study, compared, {"preferred": "C"}) == ["preferred"]
    page = trial_page(study, rated, "a", (1, 2), None, {**GOOD, "clear": ""}, ["clear"])
    assert "<title>Error: Page 1 of 2</title>" in page
    assert 'aria-describedby="e-clear"' in page
    assert 'href="#q-clear"' in page
    assert page.count(" checked") == 3


def test_a_rating_holds_what_was_said_and_how() -> None:
    study = toy()
    trial = trials_of(study, "a")[0]
    sent = {**GOOD, "heard": "1", "seconds": "12.5", "comment": "  fine  "}
    rating = rating_of(study, trial, "a", 3, sent)
    assert rating.scales == {"clear": 5, "fitting": 4, "amount": 3, "wanted": 1}
    assert (rating.place, rating.heard, rating.seconds, rating.comment) == (3, True, 12.5, "fine")
    odd = rating_of(study, trial, "a", 3, {**GOOD, "seconds": "nan", "comment": "x" * 9000})
    assert odd.seconds is None
    assert len(odd.comment or "") == 2000
    choice = rating_of(study, trials_of(study, "a")[-1], "a", 24, {"preferred": "neither"})
    assert (choice.preferred, choice.scales) == ("neither", None)


def _programme(name: str, *starts: float) -> Programme:
    events = tuple(Event(start, start + 2, f"At {start}.") for start in starts)
    return Programme(name, 300.0, None, events, events[:1], True, (((0.0, 1.0), "Hi."),))


def test_excerpts_are_drawn_where_there_are_references_and_videos_take_turns() -> None:
    programmes = (_programme("a", 5, 65, 70, 125, 185), _programme("b", 250))
    drawn = excerpts_of({"x": programmes}, length=60.0, count=3, seed=0)
    assert Counter(excerpt.video for excerpt in drawn) == {"a": 2, "b": 1}
    assert all(excerpt.reference for excerpt in drawn)
    (last,) = (excerpt for excerpt in drawn if excerpt.video == "b")
    assert (last.start, last.end) == (240.0, 300.0)
    assert drawn == excerpts_of({"x": programmes}, length=60.0, count=3, seed=0)
    assert len(excerpts_of({"x": programmes}, length=60.0, count=99, seed=0)) == 5
    with pytest.raises(InputError, match="nothing to rate"):
        excerpts_of({"x": (_programme("a"),)}, length=60.0, count=1, seed=0)


def test_a_study_that_hangs_together_wrongly_is_refused() -> None:
    study = toy()
    excerpts = [excerpt.model_dump() for excerpt in study.excerpts]
    for change in (
        {"excerpts": (*excerpts, excerpts[0])},
        {"excerpts": (excerpts[0], {**excerpts[1], "systems": {}})},
        {"scales": ({"id": "a", "question": "?", "labels": ("x",)},)},
        {"scales": ({"id": "a", "question": "?", "labels": ("x", "y")},) * 2},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            Study.model_validate({**study.model_dump(), **change})
