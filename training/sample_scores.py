"""How good sample answers are, by strad-eval's own metrics. Pure.

Windows are laid on one line of time, far apart, and scored as one programme; segments as pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strad.decision import Decision, Describe
from strad.timeline import to_seconds
from strad_eval.metrics.cider import cider_d
from strad_eval.metrics.rouge_l import rouge_l
from strad_eval.readings import Readings
from strad_eval.timed import pair_up, quality
from strad_eval.tokens.ptb import tokenize
from strad_eval.unit import Event, Unit
from training.example import Kind

APART = 1_000.0
"""Seconds between one window's line and the next one's."""
TIMED = ("cider", "rouge_l", "recall", "precision", "soda_d")


@dataclass(frozen=True, slots=True)
class Answered:
    """An example's answer, and the right one."""

    key: str
    kind: Kind
    right: str
    """To the letter."""
    said: str
    wanted: Decision
    got: Decision
    """What ``said`` means."""


def scores(answers: Sequence[Answered]) -> dict[str, float]:
    """By name; what is not defined for these answers is left out.

    ``exact`` and ``wait_f1`` from 0 to 1, the rest as strad-eval has them; ``segment_`` of
    segments, the others of a stream's windows.
    """
    windows = [one for one in answers if one.kind is not Kind.SEGMENT]
    segments = [one for one in answers if one.kind is Kind.SEGMENT]
    found = {"exact": _exact(answers), **_waits(windows), **_timed(windows), **_segments(segments)}
    return {name: value for name, value in found.items() if value == value}


def _exact(answers: Sequence[Answered]) -> float:
    return _mean([float(one.said.strip() == one.right) for one in answers])


def _waits(windows: Sequence[Answered]) -> dict[str, float]:
    """WAIT's F1: how well silence is kept. 1 where none was wanted and none kept."""
    pairs = [(isinstance(w.wanted, Describe), isinstance(w.got, Describe)) for w in windows]
    both = sum(not wanted and not got for wanted, got in pairs)
    either = sum(not wanted for wanted, _ in pairs) + sum(not got for _, got in pairs)
    if not windows:
        return {}
    return {"wait_f1": 2 * both / either if either else 1.0}


def _timed(windows: Sequence[Answered]) -> dict[str, float]:
    references = _events([(n, one.wanted) for n, one in enumerate(windows)])
    predictions = _events([(n, one.got) for n, one in enumerate(windows)])
    if not references:
        return {}
    span = (0.0, APART * (len(windows) + 1))
    readings = Readings()
    unit = Unit("samples", 0, span, references, predictions)
    tables = quality(pair_up([unit], readings), readings)
    return {name: float(np.nanmean(tables[name])) for name in TIMED if name in tables}


def _events(decisions: Sequence[tuple[int, Decision]]) -> tuple[Event, ...]:
    events = []
    for n, one in decisions:
        if isinstance(one, Describe):
            text, start = one.forms[-1], n * APART + to_seconds(one.when.start) % APART
            end = start + to_seconds(one.when.end - one.when.start)
            events.append(Event(start, end, text, tokenize(text)))
    return tuple(events)


def _segments(segments: Sequence[Answered]) -> dict[str, float]:
    if not segments:
        return {}
    pairs = [(_tokens(one.wanted), _tokens(one.got)) for one in segments]
    return {
        "segment_cider": _mean(cider_d(pairs)),
        "segment_rouge_l": _mean([rouge_l(*pair) for pair in pairs]),
    }


def _tokens(decision: Decision) -> str:
    return tokenize(decision.forms[-1]) if isinstance(decision, Describe) else ""


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
