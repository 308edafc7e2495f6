"""From files to a score and its document: what ``stream``, ``bundle`` and ``verify`` share."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from strad.errors import FormatError
from strad_eval.inputs.content import Content, Options
from strad_eval.inputs.formats import read_any
from strad_eval.inputs.strad_files import read_efficiency_file
from strad_eval.material import Predictions, bring_together
from strad_eval.pair_values import Ask
from strad_eval.provenance import fingerprint, versions
from strad_eval.readings import readings
from strad_eval.reports.document import Document, stream_document
from strad_eval.stream import EfficiencyLog, StreamScore, score_stream


@dataclass(frozen=True, slots=True)
class Files:
    """What to score."""

    references: Path
    predictions: Path
    efficiency: Path | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """How to read the metrics: a preset and changes to it."""

    compat: str = "strad"
    changes: tuple[str, ...] = ()


def score_files(
    files: Files, choice: Choice, ask: Ask | None = None
) -> tuple[StreamScore, Document]:
    """Read, score and write up. Raises the readers' errors, with file and line."""
    chosen = readings(choice.compat, choice.changes)
    options = Options(reversed_times=chosen.reversed_times)
    references = read_any(files.references, options)
    given = _predictions(references, files, options)
    if references.manifest is None:
        raise FormatError("it holds no reference descriptions", file=str(files.references))
    listed = Predictions(given.header, tuple(given.predictions or ()), str(files.predictions))
    material = bring_together(references.manifest, listed, chosen)
    material.doubts.note("reversed times", references.swapped + given.swapped)
    material.doubts.note("widened times before 0", references.cut + given.cut)
    logged = None
    if files.efficiency is not None:
        logged = EfficiencyLog(str(files.efficiency), read_efficiency_file(files.efficiency))
    result = score_stream(material, chosen, logged, ask)
    inputs = {
        field.name: fingerprint(path)
        for field in dataclasses.fields(files)
        if (path := getattr(files, field.name)) is not None
    }
    document = stream_document(result, compat=choice.compat, inputs=inputs, versions=versions())
    return result, document


def _predictions(references: Content, files: Files, options: Options) -> Content:
    """The predictions. A file of one video's cues is for the one video there is references to."""
    videos = references.manifest.videos if references.manifest else ()
    if len(videos) == 1:
        options = dataclasses.replace(options, video_id=videos[0].id)
    given = read_any(files.predictions, options)
    if given.predictions is None:
        raise FormatError("it holds no predictions", file=str(files.predictions))
    return given
