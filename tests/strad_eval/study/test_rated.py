"""Ratings that the study can't have asked for are refused before they count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from strad.errors import FormatError, InputError
from strad_eval.study.points import opinions, read_scores
from strad_eval.study.rated import read_rated
from tests.strad_eval.study.toy_study import toy

pytestmark = pytest.mark.eval

STUDY = toy(1)
HEADER = {"strad": "ratings", "version": 1, "study": STUDY.name, "seed": STUDY.seed}
FULL = {scale.id: 4 for scale in STUDY.scales}
GOOD = {
    "participant": "p",
    "trial": "t",
    "kind": "scales",
    "excerpt": "film@0",
    "systems": ["good"],
    "place": 1,
    "scales": FULL,
}
CHOICE = {**GOOD, "kind": "ab", "systems": ["good", "poor"], "scales": None, "preferred": "B"}


def _write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def test_what_was_asked_counts(tmp_path: Path) -> None:
    gone = {**GOOD, "trial": "x", "excerpt": "gone@0"}
    path = _write(tmp_path / "r", HEADER, GOOD, {**CHOICE, "trial": "u"}, gone)
    said = opinions(read_rated(path, STUDY))
    assert said.ratings["clear"] == {("good", "film@0"): [4.0]}
    assert said.choices == [("film@0", "poor", "good")]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (GOOD, ":3: the same page is answered twice"),
        ({**GOOD, "trial": "u", "systems": ["none"]}, "no system 'none'"),
        ({**GOOD, "trial": "u", "scales": {"clear": 99}}, "no step 99 of a scale 'clear'"),
        ({**GOOD, "trial": "u", "scales": {"clear": 0}}, "no step 0"),
        ({**GOOD, "trial": "u", "scales": {"taste": 1}}, "a scale 'taste'"),
        ({**GOOD, "trial": "u", "scales": None}, "not a rating of one system"),
        ({**CHOICE, "trial": "u", "systems": ["good", "good"]}, "not a choice of two systems"),
        ({**CHOICE, "trial": "u", "preferred": None}, "not a choice of two systems"),
    ],
)
def test_what_was_not_is_refused_with_its_line(
    line: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=complaint):
        read_rated(_write(tmp_path / "r", HEADER, GOOD, line), STUDY)


def test_another_studys_ratings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another study"):
        read_rated(_write(tmp_path / "r", {**HEADER, "seed": 9}, GOOD), STUDY)


def test_scores_that_stand_twice_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("system,excerpt,m\ngood,film@0,1\ngood,film@0,2\n")
    with pytest.raises(FormatError, match=":3: 'good' in 'film@0' stands there twice"):
        read_scores(path, STUDY)
