"""A job's description: the file gone through window by window, and what that leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from service.described import Description
from service.equipment import Equipment
from service.plan import make_plan
from service.pull.request import Asked
from service.report import Report
from service.settings import Settings
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.webvtt import draft_note, write_webvtt
from strad.wire.publishing import Container
from streaming.config import Pace
from streaming.ingest import IngestOptions
from streaming.session import Session
from streaming.sources import FileSource

WEBVTT, JSONL = "descriptions.vtt", "descriptions.jsonl"


def describe_file(
    path: Path, asked: Asked, settings: Settings, equipment: Equipment
) -> Description:
    """A run over ``path``. Raises InputError for what is asked and not to be had here."""
    patient = replace(equipment, ears=partial(equipment.ears, patient=True))
    plan = make_plan(asked.hello(Container.WEBM), settings, patient)
    config = replace(plan.config, pace=Pace.EVERY_WINDOW)
    width = equipment.width
    return Description(
        source=FileSource(path),
        config=config,
        ears=plan.ears,
        describer=plan.describer,
        voice=equipment.voice,
        captions=None,
        session=Session(config, describer=plan.describer.name, draft=plan.describer.draft),
        report=Report(config.stride),
        ingest=IngestOptions(max_width=width) if width is not None else None,
    )


def results(done: Description, job: str) -> Mapping[str, str]:
    """The files of a finished run, by name."""
    cues, describer = done.report.cues(), done.describer
    notes = [draft_note(describer.name)] if describer.draft else []
    header = PredictionsHeader(
        strad="predictions", version=1, describer=describer.name, draft=describer.draft
    )
    return {
        WEBVTT: write_webvtt(cues, notes=notes, language=done.config.language),
        JSONL: PREDICTIONS.write([Prediction.of(job, cue) for cue in cues], header),
    }
