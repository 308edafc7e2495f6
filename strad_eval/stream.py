"""The stream score: a system's descriptions of whole videos, with the papers' figures and ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from strad.efficiency import WindowLog
from strad.errors import FormatError, WorkError
from strad_eval.chunks import units_of
from strad_eval.java import MissingJavaError, find_jars
from strad_eval.matching.in_order import best_pairs
from strad_eval.material import Material
from strad_eval.meteor.jar import MeteorJar
from strad_eval.meteor.statistics import score
from strad_eval.metrics.failed import failed
from strad_eval.metrics.lag import lag
from strad_eval.metrics.rtf import rtf
from strad_eval.metrics.share import Share
from strad_eval.pair_values import Ask, counted_pairs, pair_table
from strad_eval.readings import Readings
from strad_eval.tally import Tally
from strad_eval.timed import Paired, meteor_quality, pair_up, quality
from strad_eval.unit import Event, Unit
from strad_eval.untimed import diagnostics


@dataclass(frozen=True, slots=True)
class Matched:
    """One prediction with the reference it was matched to, for people to read."""

    video: str
    reference: Event
    prediction: Event
    iou: float
    meteor: float | None
    """None where METEOR was not to be had."""


@dataclass(slots=True)
class StreamScore:
    """What came out. Figures by name (``catalogue``), and all that a reader must know of them."""

    material: Material
    readings: Readings
    tally: Tally
    matched: list[Matched] = field(default_factory=list)
    not_scored: list[str] = field(default_factory=list)
    """One line for each figure that could not be had, saying why."""
    models: dict[str, str] = field(default_factory=dict)
    """Name and hash of every model that took part."""

    @property
    def is_strad(self) -> bool:
        """Whether this may be called a StrAD score: the protocol's predictions and readings."""
        header = self.material.header
        return header is not None and header.protocol == "strad" and self.readings == Readings()


@dataclass(frozen=True, slots=True)
class EfficiencyLog:
    """The windows of a run, each with its line in the file."""

    file: str
    windows: Sequence[tuple[int, WindowLog]]


def score_stream(
    material: Material,
    readings: Readings,
    logged: EfficiencyLog | None = None,
    ask: Ask | None = None,
) -> StreamScore:
    """Every figure of the set. Without Java all but METEOR and SODA, and a line that says so.

    ``ask`` has models score the pairs, for the figures that need them.
    """
    with ExitStack() as running:
        jar, missing = _meteor(running)
        units = units_of(material.programmes, readings)
        _doubt(material, units)
        units = [unit for unit in units if unit.references or unit.predictions] or units[:1]
        paired = pair_up(units, readings)
        tally = Tally(units, quality(paired, readings))
        tally.shares.update(diagnostics(units, material.programmes, readings))
        if jar is not None:
            try:
                tally.means.update(meteor_quality(paired, readings, jar))
            except WorkError as error:
                jar, missing = None, [f"METEOR and SODA are not scored: {error}"]
        matched = [pair for one in paired for pair in _matched(one, readings, jar)]
    result = StreamScore(material, readings, tally, matched, missing)
    if ask is not None:
        _ask(result, paired, ask)
    _note_thresholds(tally, readings)
    if logged is not None:
        _efficiency(result, logged)
    return result


def _meteor(running: ExitStack) -> tuple[MeteorJar | None, list[str]]:
    """The process, loading its tables while the rest is computed; or why there is none."""
    try:
        jar = running.enter_context(MeteorJar(find_jars()))
        jar.start()
    except MissingJavaError as error:
        return None, [f"METEOR and SODA are not scored: {error}"]
    return jar, []


def _doubt(material: Material, units: Iterable[Unit]) -> None:
    for unit in units:
        if not unit.references and not unit.predictions:
            material.doubts.note("chunks without anything")
        elif not unit.references:
            material.doubts.note("chunks without references")


def _ask(result: StreamScore, paired: Sequence[Paired], ask: Ask) -> None:
    told = ask(counted_pairs(paired, result.readings))
    for name, values in told.values.items():
        result.tally.means[name] = pair_table(paired, result.readings, values)
    for what, times in told.doubts.items():
        result.material.doubts.note(what, times)
    result.not_scored += told.absent
    result.models.update(told.models)


def _note_thresholds(tally: Tally, readings: Readings) -> None:
    for name in tally.means:
        soda = name.startswith("soda")
        tally.thresholds[name] = readings.soda_tious if soda else readings.tious


def _matched(one: Paired, readings: Readings, jar: MeteorJar | None) -> list[Matched]:
    """SODA's matching at its lowest threshold; by IoU alone without METEOR."""
    pairs = one.pairs.at(min(readings.soda_tious))
    references, predictions = one.unit.references, one.unit.predictions
    texts = [
        (predictions[p].tokens, references[g].tokens)
        for g, p in zip(pairs.g.tolist(), pairs.p.tolist(), strict=True)
    ]
    worth = score(jar.counts(texts)) if jar is not None else None
    # A pair of nothing in common still shows how it was timed.
    weight = pairs.iou * (worth + 1e-6) if worth is not None else pairs.iou
    return [
        Matched(
            one.unit.video,
            references[int(pairs.g[row])],
            predictions[int(pairs.p[row])],
            float(pairs.iou[row]),
            None if worth is None else float(worth[row]),
        )
        for row in best_pairs(pairs.g, pairs.p, weight, len(predictions))
    ]


def _efficiency(result: StreamScore, logged: EfficiencyLog) -> None:
    readings, tally = result.readings, result.tally
    known = _by_video(result, logged)
    stride = readings.stride_s if readings.rtf_over == "stride" else None
    emitted = readings.lag_from == "emitted"
    first = _first_units(tally.units)
    for name, of in (
        ("rtf", {v: rtf(part, stride) for v, part in known.items()}),
        ("lag", {v: lag(part, emitted=emitted) for v, part in known.items()}),
        ("failed", {v: failed(part) for v, part in known.items()}),
    ):
        # A video's windows are not cut into chunks: its first unit stands for it.
        nothing = Share(0.0, 0.0)
        tally.shares[name] = [
            of[unit.video] if row in first else nothing for row, unit in enumerate(tally.units)
        ]


def _by_video(result: StreamScore, logged: EfficiencyLog) -> dict[str, list[WindowLog]]:
    """The windows that count, video by video."""
    places = Counter((window.video_id, window.cursor) for _, window in logged.windows)
    result.material.doubts.note("duplicate windows", places.total() - len(places))
    first_s = result.readings.efficiency_first_s
    known: dict[str, list[WindowLog]] = {p.id: [] for p in result.material.programmes}
    for line, window in logged.windows:
        if window.video_id in known:
            if not first_s or window.cursor <= first_s:
                known[window.video_id].append(window)
        elif result.readings.unknown_ids == "refuse" and result.readings.missing == "zero":
            what = f"no video {window.video_id!r} in {result.material.name}"
            raise FormatError(what, file=logged.file, line=line)
    return known


def _first_units(units: Sequence[Unit]) -> set[int]:
    seen: dict[str, int] = {}
    for row, unit in enumerate(units):
        seen.setdefault(unit.video, row)
    return set(seen.values())
