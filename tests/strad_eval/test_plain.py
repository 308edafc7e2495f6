"""Our figures against the reference programs' procedures, on random sets."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.metrics.cider import Frequencies, cider_d
from strad_eval.metrics.rouge_l import rouge_l
from strad_eval.readings import STRAD
from strad_eval.timed import meteor_quality, pair_up, quality
from strad_eval.unit import Event, Unit
from tests.strad_eval.plain import caption_scores, pairs_at, recall_precision, soda_f
from tests.strad_eval.toy import event, needs_java, needs_library

pytestmark = pytest.mark.eval

WORDS = (
    *("a", "the", "man", "woman", "dog", "walks", "runs", "opens", "door", "window", "he"),
    *("she", "sits", "on", "sofa", "smiles", "at", "it"),
)
_SENTENCE = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
_PAIRS = st.lists(st.tuples(_SENTENCE, _SENTENCE), min_size=1, max_size=12)
_EVENT = st.builds(
    lambda start, long, text: event(start / 4, (start + long) / 4, text),
    st.integers(0, 120),
    st.integers(1, 20),
    _SENTENCE,
)
_EVENTS = st.lists(_EVENT, min_size=1, max_size=12).map(
    lambda e: tuple(sorted(e, key=lambda one: one.start))
)


@needs_library
@given(_PAIRS)
def test_cider_is_pycocoevalcaps(pairs: list[tuple[str, str]]) -> None:
    from pycocoevalcap.cider.cider_scorer import CiderScorer

    theirs = CiderScorer()
    for reference, description in pairs:
        theirs += (description, [reference])
    if not any(reference for reference, _ in pairs):
        return  # theirs raises on references without a single word
    mean, each = theirs.compute_score()
    np.testing.assert_allclose(cider_d(pairs), each, atol=1e-9)
    assert np.mean(cider_d(pairs)) == pytest.approx(mean, abs=1e-9)


@needs_library
@given(_SENTENCE.filter(bool), _SENTENCE)
def test_rouge_l_is_pycocoevalcaps(reference: str, description: str) -> None:
    from pycocoevalcap.rouge.rouge import Rouge

    theirs = Rouge().calc_score([description], [reference])
    assert rouge_l(reference, description) == pytest.approx(theirs, abs=1e-12)


def test_cider_golden_values() -> None:
    same = [("a man runs away",) * 2, ("she sits down there",) * 2]
    assert cider_d(same) == pytest.approx([10.0, 10.0])
    # Of a two-word sentence only n = 1 and 2 exist: half of 10.
    short = [("he smiles",) * 2, ("she sits down there",) * 2]
    assert cider_d(short) == pytest.approx([5.0, 10.0])
    assert cider_d([("he smiles", "he smiles")]) == [0.0]
    assert cider_d([]) == []


def test_frequencies_of_a_whole_set_give_a_single_pair_a_score() -> None:
    known = Frequencies(["a man runs away", "she sits down there"])
    assert cider_d([("a man runs away", "a man runs away")], known) == pytest.approx([10.0])


@given(_EVENTS, _EVENTS)
def test_soda_recall_and_precision_are_the_definitions(
    gold: tuple[Event, ...], said: tuple[Event, ...]
) -> None:
    unit = Unit("v", 0, (0.0, 60.0), gold, said)
    tables = quality(pair_up([unit], STRAD), STRAD)
    for column, tiou in enumerate(STRAD.tious):
        f = soda_f(unit, tiou, lambda _g, _p: 1.0)[2]
        assert tables["soda_d"][0, column] == pytest.approx(f, abs=1e-9)
        want = recall_precision(unit, tiou)
        assert tables["recall"][0, column] == pytest.approx(want[0])
        assert tables["precision"][0, column] == pytest.approx(want[1])


@needs_java
@pytest.mark.slow
def test_a_random_set_scores_as_the_reference_programs_do(jar: object) -> None:
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    from strad_eval.meteor.jar import MeteorJar
    from strad_eval.meteor.statistics import score

    assert isinstance(jar, MeteorJar)
    units = random_units(3, 25, seed=11)
    paired = pair_up(units, STRAD)
    ours = {**quality(paired, STRAD), **meteor_quality(paired, STRAD, jar)}
    meteor = Meteor()
    scorers = {"cider": Cider(), "meteor": meteor, "rouge_l": Rouge()}

    def worth(gold: Event, said: Event) -> float:
        return float(score(jar.counts([(said.tokens, gold.tokens)]))[0])

    for row, unit in enumerate(units):
        for column, tiou in enumerate(STRAD.tious):
            theirs = caption_scores(pairs_at(unit, tiou), PTBTokenizer(), scorers)
            for name, value in theirs.items():
                assert ours[name][row, column] == pytest.approx(value, abs=1e-6), name
            f = soda_f(unit, tiou, worth)[2]
            assert ours["soda"][row, column] == pytest.approx(f, abs=1e-9)
    meteor.meteor_p.stdin.close()
    meteor.meteor_p.kill()
    meteor.meteor_p.wait()
    meteor.meteor_p.stdout.close()
    meteor.meteor_p.stderr.close()


def random_units(videos: int, each: int, seed: int) -> list[Unit]:
    """Videos with as many references, and predictions near them, as a system might give."""
    draw = random.Random(seed)
    units = []
    for video in range(videos):
        gold, said = [], []
        for n in range(each):
            start = n * 8 + draw.uniform(0, 3)
            text = draw.choices(WORDS, k=draw.randint(2, 9))
            gold.append(event(start, start + draw.uniform(1, 4), " ".join(text) + "."))
            if draw.random() < 0.85:
                at = start + draw.uniform(-2, 2)
                new = [w if draw.random() < 0.6 else draw.choice(WORDS) for w in text]
                said.append(event(max(0.0, at), at + draw.uniform(1.5, 4), " ".join(new) + "."))
        units.append(Unit(f"v{video}", 0, (0.0, each * 8.0), tuple(gold), _sorted(said)))
    return units


def _sorted(events: list[Event]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=lambda one: one.start))
