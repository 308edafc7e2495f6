"""The arithmetic on METEOR's counts, against the jar's own EVAL."""

from __future__ import annotations

import random
import subprocess

import numpy as np
import pytest

from strad_eval.java import LOCALE, find_jars
from strad_eval.meteor.jar import MeteorJar
from strad_eval.meteor.statistics import aggregate, score
from tests.strad_eval.toy import needs_java

pytestmark = pytest.mark.eval

# The jar's counts of "a man runs" against "the man is running", and its score.
RUNS = "4 3 2 1 0 0 0 0 0 0 0 0 0 0 0 0 1 2 2 1 1 3 3"


MODE = ("-", "-", "-stdio", "-l", "en", "-norm")


def _row(text: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[float(part) for part in text.split()]])


def test_the_worked_example() -> None:
    # Paraphrase weighs 0.6. P = 0.6*(0.75*1+0.25*2)/(0.75*2+0.25*2) = 0.75/2 = 0.375;
    # R = 0.6*(0.75*2+0.25*1)/(0.75*2+0.25*1) = 0.6; F = 1/(0.15/0.375+0.85/0.6) = 0.550459;
    # frag = 1/3; penalty = 0.6*(1/3)^0.2 = 0.481645; score = 0.550459*(1-0.481645) = 0.285333.
    assert score(_row(RUNS))[0] == pytest.approx(0.285333062, abs=1e-9)


def test_a_whole_match_in_one_chunk_has_no_penalty() -> None:
    assert score(_row("2 2 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 1 2 2"))[0] == 1.0


def test_nothing_matched_scores_nothing_and_nothing_asked_is_no_number() -> None:
    assert score(np.zeros((1, 23)))[0] == 0.0
    assert np.isnan(aggregate(np.empty((0, 23))))


@needs_java
@pytest.mark.slow
def test_it_equals_the_jars_own_scores_on_random_pairs(jar: MeteorJar) -> None:
    draw = random.Random(4)
    words = "the a man woman walks walking runs into room door window she he sits sofa couch is of"
    pairs = [(_sentence(draw, words), _sentence(draw, words)) for _ in range(300)]
    # Pairs that match whole count no chunk in a sum, which only a mixture shows.
    counts = jar.counts([*pairs, *((reference, reference) for reference, _ in pairs[:20])])
    stats = [" ".join(map(str, row)) for row in counts.tolist()]
    said = _evaluate([*(f"EVAL ||| {line}" for line in stats), "EVAL ||| " + " ||| ".join(stats)])
    single, pooled = said[: 2 * len(stats) : 2], said[-1]
    np.testing.assert_allclose(score(counts), [float(e) for e in single], atol=1e-12)
    assert aggregate(counts) == pytest.approx(float(pooled), abs=1e-12)


def _sentence(draw: random.Random, words: str) -> str:
    return " ".join(draw.choices(words.split(), k=draw.randint(0, 9)))


def _evaluate(lines: list[str]) -> list[str]:
    """What the jar itself makes of counts."""
    jars = find_jars()
    done = subprocess.run(
        [jars.java, *LOCALE, "-jar", jars.meteor.name, *MODE],
        cwd=jars.meteor.parent,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.splitlines()
