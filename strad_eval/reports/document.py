"""The report as a document: what --json writes, what the other reports and ``compare`` read."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from strad.errors import FormatError
from strad.json_positions import line_of
from strad.record import check_json
from strad.text_file import read_text
from strad_eval.catalogue import entry, in_order
from strad_eval.metrics.llm_ad_eval import prompts_of
from strad_eval.readings import as_dict
from strad_eval.reports.shape import ReportShape
from strad_eval.stream import Matched, StreamScore
from strad_eval.tally import Tally

VERSION = 1
Document: TypeAlias = dict[str, Any]
"""JSON as Python has it. NaN is None."""


def stream_document(
    result: StreamScore,
    *,
    compat: str,
    inputs: Mapping[str, Mapping[str, str]],
    versions: Mapping[str, str],
) -> Document:
    """All of a stream score but the texts of unmatched events. Values are not multiplied."""
    header = result.material.header
    return {
        "strad_eval": "stream",
        "version": VERSION,
        "name": result.material.name,
        "strad_score": result.is_strad,
        "protocol": header.protocol if header else None,
        "describer": header.describer if header else None,
        "draft": header.draft if header else False,
        "counts": _counts(result),
        "figures": {name: _figure(result.tally, name) for name in in_order(result.tally.names)},
        "not_scored": list(result.not_scored),
        "doubts": dict(result.material.doubts.counts),
        "doubts_said": result.material.doubts.lines(),
        "compat": compat,
        "readings": as_dict(result.readings),
        "prompts": prompts_of(result.tally.names),
        "models": dict(result.models),
        "versions": dict(versions),
        "inputs": {name: dict(value) for name, value in inputs.items()},
        "units": _units(result.tally),
        "matched": [_matched(pair) for pair in result.matched],
    }


def dump(document: Document) -> str:
    """The document as JSON text; the same score gives the same bytes."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def load(path: Path) -> Document:
    """A document read back. Raises FormatError for anything else."""
    text = read_text(path)
    check_json(text, file=str(path))
    try:
        ReportShape.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, problem["loc"]))
        said = f"not a report of strad-eval stream: {where}: {problem['msg']}"
        raise FormatError(said, file=str(path), line=line_of(text, problem["loc"])) from None
    document: Document = json.loads(text)
    return document


def _counts(result: StreamScore) -> dict[str, int]:
    programmes = result.material.programmes
    return {
        "videos": len(programmes),
        "chunks": len(result.tally.units),
        "references": sum(len(p.references) for p in programmes),
        "predictions": sum(len(p.predictions) for p in programmes),
        "matched": len(result.matched),
    }


def _figure(tally: Tally, name: str) -> Document:
    about = entry(name)
    figure: Document = {
        "title": about.title,
        "group": about.group,
        "better": about.better,
        "value": _number(tally.value(name)),
        "shown_times": about.shown,
        "unit": about.unit,
        "undefined_chunks": tally.undefined(name),
    }
    if name in tally.means:
        at = zip(tally.thresholds[name], tally.by_threshold(name), strict=True)
        figure["by_threshold"] = {str(threshold): _number(value) for threshold, value in at}
    by_video = tally.grouped(name, lambda unit: unit.video)
    by_genre = tally.grouped(name, lambda unit: unit.genre)
    figure["by_video"] = {video: _number(value) for video, value in by_video.items()}
    figure["by_genre"] = {genre: _number(value) for genre, value in by_genre.items()}
    return figure


def _units(tally: Tally) -> list[Document]:
    return [
        {
            "video": unit.video,
            "chunk": unit.chunk,
            "genre": unit.genre,
            "references": len(unit.references),
            "predictions": len(unit.predictions),
            "means": {
                name: [_number(value) for value in table[row].tolist()]
                for name, table in tally.means.items()
            },
            "shares": {
                name: [shares[row].part, shares[row].whole] for name, shares in tally.shares.items()
            },
        }
        for row, unit in enumerate(tally.units)
    ]


def _matched(pair: Matched) -> Document:
    return {
        "video": pair.video,
        "reference": [pair.reference.start, pair.reference.end, pair.reference.text],
        "prediction": [pair.prediction.start, pair.prediction.end, pair.prediction.text],
        "iou": pair.iou,
        "meteor": pair.meteor,
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
