"""What a model's card tells, gathered from the run, its data set and its reports."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from strad.errors import FormatError
from strad_engines.checkpoint import read_json
from streaming.describers.strad_ft.trained import prompt_sha256
from training.dataset import SPLITS, VALIDATION, Dataset
from training.exporting.form import Form, Wanted
from training.exporting.model_card import CardFacts, Rows
from training.exporting.parity import Parity
from training.exporting.trained_run import TrainedRun

_SETTINGS = (
    "learning_rate",
    "epochs",
    "most_steps",
    "batch",
    "rank",
    "alpha",
    "dropout",
    "warmup",
    "weight_decay",
    "clip",
    "augmentations",
    "precision",
    "seed",
)
_MOST_FILMS = 40
"""Held-out films that are named one by one."""


def card_facts(
    run: TrainedRun,
    data: Dataset,
    wanted: Wanted,
    found: Parity,
    *,
    name: str,
    licence: str = "",
    report: Mapping[str, Any] | None = None,
) -> CardFacts:
    """All of it; ``report`` is what ``strad-eval stream --json`` wrote of it."""
    return CardFacts(
        name=name,
        base=run.base_told,
        profile=run.profile.name,
        prompt=run.profile.text,
        sha256=prompt_sha256(run.profile),
        merged=wanted.form is Form.MERGED,
        rank=int(run.config.get("rank") or 16),
        digest=data.digest,
        same=found.same,
        windows=found.windows,
        licence=licence,
        release=wanted.release,
        sources=_sources(data.about),
        splits=[(split, _spread(data, split)) for split in SPLITS],
        validation=_films(data),
        settings=_settings(run),
        losses=_losses(run),
        scores=[*_sampled(run.state.get("scores") or {}), *_reported(report)],
    )


def report_of(path: Path) -> Mapping[str, Any]:
    """A report of ``strad-eval stream --json``. Raises InputError, FormatError."""
    read = read_json(path)
    figures = read.get("figures")
    if read.get("strad_eval") != "stream" or not isinstance(figures, dict):
        raise FormatError("not a report of strad-eval stream", file=str(path))
    for name, one in figures.items():
        if not _is_figure(one):
            raise FormatError(f"not a figure of strad-eval stream: {name}", file=str(path))
    return read


def _is_figure(one: object) -> bool:
    """Whether it can be shown."""
    return (
        isinstance(one, dict)
        and isinstance(one.get("title"), str)
        and isinstance(one.get("value"), int | float | None)
        and isinstance(one.get("shown_times"), int | float)
    )


def _sources(about: Mapping[str, Any]) -> Rows:
    """What the examples come from, by name, and the licence that was stated for it."""
    told = [Path(str(one)).name for one in about.get("sources") or ()]
    corrected = about.get("corrections") or ()
    prepared = len(told) - len(corrected)  # each correction has added its film at the end
    stated = [about.get("licence")] * prepared + [one.get("licence") for one in corrected]
    return [(name, str(of or "not stated")) for name, of in zip(told, stated, strict=False)]


def _spread(data: Dataset, split: str) -> str:
    kinds = Counter(str(entry.kind) for entry in data.entries if entry.split == split)
    each = ", ".join(f"{many:,} {kind}" for kind, many in sorted(kinds.items()))
    return f"{kinds.total():,}" + (f" ({each})" if each else "")


def _films(data: Dataset) -> str:
    films = sorted({entry.film for entry in data.entries if entry.split == VALIDATION})
    more = "" if len(films) <= _MOST_FILMS else f" and {len(films) - _MOST_FILMS} more"
    count = "1 film" if len(films) == 1 else f"{len(films)} films"
    return f"{count}: {', '.join(films[:_MOST_FILMS])}{more}" if films else "none"


def _settings(run: TrainedRun) -> Rows:
    config = run.config
    rows = [(name, _shown(config[name])) for name in _SETTINGS if name in config]
    return [*rows, ("steps until the best weights", _shown(run.state.get("step", "unknown")))]


def _losses(run: TrainedRun) -> Rows:
    """Of training, first and last; of validation, at the step whose weights these are."""
    rows: list[tuple[str, str]] = []
    log = run.folder / "log.csv"
    if log.is_file():
        with log.open(newline="", encoding="utf-8") as lines:
            steps = [row for row in csv.DictReader(lines) if row.get("loss")]
        for what, at in (("training, first step", 0), ("training, last step", -1)):
            rows += [(f"{what} ({steps[at]['step']})", _shown(float(steps[at]["loss"])))] * bool(
                steps
            )
    found = run.state.get("validation_loss")
    return [*rows, *([("validation", _shown(found))] if found is not None else [])]


def _sampled(scores: Mapping[str, Any]) -> Rows:
    return [
        (f"{name}, sample answers in training", _shown(value)) for name, value in scores.items()
    ]


def _reported(report: Mapping[str, Any] | None) -> Rows:
    """As strad-eval shows them."""
    if report is None:
        return ()
    return [
        (f"{one['title']}, {report.get('name', '')}", _shown(one["value"] * one["shown_times"]))
        for one in report["figures"].values()
        if one.get("value") is not None
    ]


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)
