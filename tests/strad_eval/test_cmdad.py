"""Published annotations, where they lie beside the project: what scores of them must be."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from strad_eval.chunks import units_of
from strad_eval.inputs.content import Options
from strad_eval.inputs.formats import read_any
from strad_eval.material import Predictions, bring_together
from strad_eval.meteor.jar import MeteorJar
from strad_eval.readings import STRAD
from strad_eval.tally import Tally
from strad_eval.timed import meteor_quality, pair_up, quality
from strad_eval.tokens.ptb import tokenize
from strad_eval.unit import Event, Unit
from tests.strad_eval.toy import needs_java

CMDAD = Path(__file__).parents[3] / "shared/data/ad/cmdad_anno.csv"
pytestmark = [
    pytest.mark.eval,
    pytest.mark.slow,
    pytest.mark.skipif(not CMDAD.is_file(), reason=f"needs {CMDAD}"),
]

Change = Callable[[tuple[Event, ...]], tuple[Event, ...]]


@pytest.fixture(scope="module")
def units() -> list[Unit]:
    """The 150 clips with the most descriptions, so that four runs of METEOR stay short."""
    manifest = read_any(CMDAD, Options()).manifest
    assert manifest is not None
    material = bring_together(manifest, Predictions(None, ()), STRAD)
    found = units_of(material.programmes, STRAD)
    return sorted(found, key=lambda unit: -len(unit.references))[:150]


def _scores(units: list[Unit], change: Change, jar: MeteorJar) -> dict[str, float]:
    given = [dataclasses.replace(u, predictions=change(u.references)) for u in units]
    paired = pair_up(given, STRAD)
    tally = Tally(given, {**quality(paired, STRAD), **meteor_quality(paired, STRAD, jar)})
    return {name: tally.value(name) for name in tally.names}


def _themselves(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return events


def _neighbours(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Each at its time with the next one's words."""
    after = (*events[1:], events[0])
    return tuple(
        dataclasses.replace(e, text=n.text, tokens=n.tokens)
        for e, n in zip(events, after, strict=True)
    )


def _halves(events: tuple[Event, ...]) -> tuple[Event, ...]:
    cut = [" ".join(e.text.split()[: max(1, len(e.text.split()) // 2)]) for e in events]
    return tuple(
        dataclasses.replace(e, text=text, tokens=tokenize(text))
        for e, text in zip(events, cut, strict=True)
    )


@needs_java
def test_scores_fall_from_themselves_to_halves_to_neighbours(
    units: list[Unit], jar: MeteorJar
) -> None:
    same = _scores(units, _themselves, jar)
    halves = _scores(units, _halves, jar)
    neighbours = _scores(units, _neighbours, jar)
    # Times are the references' own in all three: what overlaps is found, always.
    for found in (same, halves, neighbours):
        assert found["recall"] == found["precision"] == 1.0
        assert found["soda_d"] == pytest.approx(1.0, abs=1e-6)
    assert same["soda"] == pytest.approx(1.0, abs=1e-6)
    assert same["soda"] > 1.5 * halves["soda"] > 4 * neighbours["soda"] > 0
    # Overlapping (widened) references pair with each other too: not all pairs are equal.
    for name in ("cider", "meteor", "rouge_l"):
        assert same[name] > 1.5 * halves[name] > 1.5 * neighbours[name], name


def test_every_row_is_read_and_counted() -> None:
    manifest = read_any(CMDAD, Options()).manifest
    assert manifest is not None
    assert len(manifest.videos) == 591
    assert sum(len(video.ad) for video in manifest.videos) == 7316
