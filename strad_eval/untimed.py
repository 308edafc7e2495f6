"""The figures that need no matching at thresholds: diagnostics, what listeners feel, style."""

from __future__ import annotations

from collections.abc import Sequence

from strad_eval.matching.iou import overlaps
from strad_eval.material import Programme
from strad_eval.metrics.density import density
from strad_eval.metrics.gap_use import gap_use
from strad_eval.metrics.late import late
from strad_eval.metrics.near_repeats import near_repeats
from strad_eval.metrics.overlap import overlap
from strad_eval.metrics.repetition import repetition
from strad_eval.metrics.share import Share
from strad_eval.metrics.speech_rate import speech_rate
from strad_eval.metrics.spill import spill
from strad_eval.metrics.style import style
from strad_eval.readings import Readings
from strad_eval.style.early_names import first_said
from strad_eval.unit import Unit, spans_of


def diagnostics(
    units: Sequence[Unit], programmes: Sequence[Programme], readings: Readings
) -> dict[str, list[Share]]:
    """Every such figure, one share a unit."""
    said = {
        p.id: None if p.lines is None else first_said((span[0], text) for span, text in p.lines)
        for p in programmes
    }
    rows = [_of_unit(unit, said[unit.video], readings) for unit in units]
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


def _of_unit(unit: Unit, said: dict[str, float] | None, readings: Readings) -> dict[str, Share]:
    pairs = overlaps(spans_of(unit.references), spans_of(unit.predictions))
    spilt = spill(unit, readings.words_a_minute)
    lateness = late(unit, pairs, readings.late_s)
    rate = speech_rate(unit, readings.fast_words_a_minute)
    dense = density(unit)
    used = gap_use(unit, readings.least_gap_s)
    return {
        "rep": repetition(unit),
        "ol": overlap(unit, readings.overlap_guard_s),
        "spill": spilt.events,
        "spill_seconds": spilt.seconds,
        "late": lateness.events,
        "start_error": lateness.start_error,
        "words_a_minute": rate.words_a_minute,
        "too_fast": rate.too_fast,
        "density": dense.events,
        "density_seconds": dense.seconds,
        "density_words": dense.words,
        "near_repeats": near_repeats(unit, readings.near_repeat, readings.near_repeat_back),
        "gap_use": used.predicted,
        "gap_use_reference": used.reference,
        **{f"style:{rule}": share for rule, share in style(unit, said).items()},
    }
