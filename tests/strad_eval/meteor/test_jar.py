"""The METEOR process: its values, and what happens when it dies, hangs or babbles."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from strad.errors import WorkError
from strad_eval.java import Jars, find_jars
from strad_eval.meteor.jar import MeteorJar, Pair
from strad_eval.meteor.statistics import score
from strad_eval.metrics.repetition import as_compared
from tests.strad_eval.toy import needs_java

pytestmark = pytest.mark.eval

# (reference, hypothesis), tokenised: METEOR 1.5 -l en -norm.
VALUES = {
    ("a man runs", "the man is running"): 0.285333,
    ("she shuts the window", "he opens the door"): 0.05,
    ("he takes a seat on the sofa", "he sits down on the couch"): 0.200733,
    ("the car stops", "the car stops"): 1.0,
    ("the car stops", ""): 0.0,
    ("", "the car stops"): 0.0,
    ("", ""): 0.0,
    ("the car stops", "xyzzy"): 0.0,
    # The four cells of the toy set, un-swapped and swapped.
    ("a man walks into the room", "a man enters the room"): 0.322477,
    ("a man enters the room", "a man walks into the room"): 0.342723,
    ("she opens the window", "a woman opens a window"): 0.331256,
    ("a woman opens a window", "she opens the window"): 0.265319,
    ("he sits on the sofa and smiles", "he smiles"): 0.137339,
    ("he smiles", "he sits on the sofa and smiles"): 0.299065,
}


@needs_java
@pytest.mark.slow
@pytest.mark.parametrize("pair", VALUES)
def test_it_gives_the_published_values(pair: Pair, jar: MeteorJar) -> None:
    assert float(score(jar.counts([pair]))[0]) == pytest.approx(VALUES[pair], abs=1e-6)


# Tokens of two descriptions, and whether METEOR takes them for the same.
ALIKE = [
    ("he nods", "he nods", True),
    ("the u.s. army at 5 p.m.", "the us army at 5 pm", True),
    ("a well-known man", "a well known man", True),
    ("jean-paul-luc", "jean paul luc", True),
    ("a ph.d. student", "a phd student", True),
    ("-lrb- he nods -rrb-", "he nods", False),
    ("mr. x", "mr x", False),
    ("m. night", "m night", False),
    ("inc. x", "inc x", False),
    ("he 's here", "he is here", False),
    ("5.50 x", "5 50 x", False),
    ("a well- man", "a well man", False),
    ("colour", "color", False),
    ("walks", "walk", False),
    ("", "", False),
]


@needs_java
@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "same"), ALIKE)
def test_rep_without_java_is_meteor_1(a: str, b: str, same: bool, jar: MeteorJar) -> None:
    assert (float(score(jar.counts([(a, b)]))[0]) == 1.0) is same
    assert (bool(as_compared(a)) and as_compared(a) == as_compared(b)) is same


@needs_java
@pytest.mark.slow
def test_no_pair_is_asked_twice_and_order_is_kept(jar: MeteorJar) -> None:
    pairs = [("a b c", "a b"), ("x", "y"), ("a b c", "a b")] * 200
    counts = jar.counts(pairs)
    assert jar.counts(pairs[:2]).tolist() == counts[:2].tolist()
    assert np.array_equal(counts[0], counts[2])
    asked = jar.asked
    jar.counts(pairs)
    assert jar.asked == asked


@needs_java
@pytest.mark.slow
def test_separators_bars_and_emoji_cannot_break_the_protocol(jar: MeteorJar) -> None:
    nasty = "he ||| nods \u2028 \r\n \U0001f600 |||"
    counts = jar.counts([(nasty, nasty), ("the car stops", "the car stops")])
    assert score(counts).tolist() == [1.0, 1.0]


@needs_java
@pytest.mark.slow
def test_a_very_long_pair_neither_blocks_nor_breaks(jar: MeteorJar) -> None:
    long = " ".join(f"w{n}" for n in range(20_000))
    assert score(jar.counts([(long, "w1 w2"), ("a", "a")]))[1] == 1.0


@needs_java
@pytest.mark.slow
def test_a_machine_with_a_decimal_comma_gives_the_same_counts(
    monkeypatch: pytest.MonkeyPatch, jar: MeteorJar
) -> None:
    pair = ("a man runs", "the man is running")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Duser.language=de -Duser.country=DE")
    monkeypatch.setenv("LC_ALL", "de_DE.ISO-8859-1")
    with MeteorJar(find_jars()) as german:
        assert german.counts([pair]).tolist() == jar.counts([pair]).tolist()


def _java(tmp_path: Path, script: str) -> Jars:
    """A java that is this shell script."""
    java = tmp_path / "java"
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    return Jars(str(java), tmp_path / "meteor-1.5.jar", tmp_path / "none.jar")


ONE = "1.0 " * 23


def test_a_process_that_hangs_is_ended_and_named(tmp_path: Path) -> None:
    jars = _java(tmp_path, "exec sleep 60")
    with MeteorJar(jars, start_timeout_s=0.2) as jar, pytest.raises(WorkError, match="no answer"):
        jar.counts([("a", "b")])


def test_a_process_that_hangs_later_is_started_again_and_asked_once_more(tmp_path: Path) -> None:
    script = f'if [ -e "{tmp_path}/again" ]; then while read l; do echo "{ONE}"; done; fi\n'
    script += f'touch "{tmp_path}/again"; read l; echo "{ONE}"; exec sleep 60'
    with MeteorJar(_java(tmp_path, script), answer_timeout_s=0.3) as jar:
        assert jar.counts([("a", "b"), ("c", "d")]).tolist() == [[1.0] * 23] * 2


def test_a_process_that_dies_says_why(tmp_path: Path) -> None:
    jars = _java(tmp_path, "echo 'Could not reserve enough space for object heap' >&2; exit 1")
    with MeteorJar(jars) as jar, pytest.raises(WorkError, match="object heap"):
        jar.counts([("a", "b")])


def test_babble_is_not_taken_for_counts(tmp_path: Path) -> None:
    jars = _java(tmp_path, "while read l; do echo 'Error: specify SCORE or EVAL'; done")
    with MeteorJar(jars) as jar, pytest.raises(WorkError, match="Error: specify"):
        jar.counts([("a", "b")])
