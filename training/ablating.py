"""Ablations (StrAD, table 3): each variant is trained, describes whole videos, and is scored.

A variant's folder holds its run, what it said and its report; what is there is not made again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from strad.counted import counted
from strad.efficiency import EFFICIENCY, EfficiencyHeader
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.text_file import write_text
from strad_engines.checkpoint import read_json
from strad_engines.open_engine import open_engine
from strad_engines.opened_engine import EngineOptions
from strad_eval.provenance import fingerprint
from strad_eval.reports.document import dump
from strad_eval.scoring import Choice, Files, score_files
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.prompt.profiles import profile as profile_named
from training.ablation_table import OF_SAMPLES, OF_STREAMS, Row
from training.claim import claimed
from training.config import FitConfig
from training.data import Splits
from training.describing import Described, describe
from training.exporting.weights import write_merged
from training.filmed import check_filmed, films_sha256
from training.fitting import Fitted, fit, fitted_before, made_of, resolved
from training.journal import Told
from training.material import Material
from training.modalities import without
from training.run_folder import RunFolder
from training.trainer import Clock
from training.variants import RUN, VARIANTS, Variant

REPORT, SAID, COST = "report.json", "predictions.jsonl", "efficiency.jsonl"


@dataclass(frozen=True, slots=True)
class Ablation:
    """What all variants share."""

    shared: FitConfig
    """``run`` is the ablation's folder."""
    data: Splits
    references: Path
    """A manifest."""
    films: Sequence[Material]
    """Its videos."""

    @contextmanager
    def begun(self) -> Iterator[Ablation]:
        """Its folder is made, or found to be this one's, and is its own until the end.

        Before anything is trained, raises InputError and FormatError where the folder is another's
        or a video can't be described or scored; WorkError where another run is in the folder.
        """
        check_filmed(self.references, self.films)
        shared = resolved(self.shared)
        parts = {
            **made_of(profile_named(shared.profile), self.data),
            "references_sha256": fingerprint(self.references)["sha256"],
            "films_sha256": films_sha256(self.films),
        }
        with claimed(shared.run, shared, parts):
            yield replace(self, shared=shared)

    def done(self) -> list[Row]:
        """The rows of all variants that came to their end, in this go or before."""
        return [
            row_of(variant, folder, fitted)
            for variant in VARIANTS.values()
            if ((folder := self.shared.run / variant.name) / REPORT).is_file()
            and (fitted := fitted_before(RunFolder(folder / RUN)))
        ]


async def ablate(
    ablation: Ablation,
    variant: Variant,
    told: Told,
    say: Callable[[str], None],
    clock: Clock,
) -> None:
    """One variant, for ``done``. Raises InputError, WorkError; what was done by then is kept."""
    folder = ablation.shared.run / variant.name
    folder.mkdir(parents=True, exist_ok=True)
    config = variant.config(ablation.shared)

    def of_variant(_: str, step: int, steps: int, figures: Mapping[str, float]) -> None:
        told(variant.name, step, steps, figures)

    fitted = fit(config, ablation.data, of_variant, clock)
    if not (folder / COST).is_file():
        say(f"{variant.name}: to describe: {counted(len(ablation.films), 'video')}")
        await _describe_all(ablation, config, fitted, folder)
    if not (folder / REPORT).is_file():
        files = Files(ablation.references, folder / SAID, folder / COST)
        _, document = score_files(files, Choice())
        for line in document["not_scored"]:
            say(f"{variant.name}: {line}")
        write_text(folder / REPORT, dump(document))


async def _describe_all(
    ablation: Ablation, config: FitConfig, fitted: Fitted, folder: Path
) -> None:
    """By the merged model and the engine that serves, asked as it was trained."""
    model = folder / "model"
    shutil.rmtree(model, ignore_errors=True)
    model.mkdir()
    write_merged(config.base, fitted.folder.folder / "best" / "adapter", model)
    profile = without(profile_named(config.profile), config.drop)
    settings = {"device": config.device} if config.device else {}
    options = EngineOptions(settings=settings)
    async with open_engine("transformers", str(model), options=options) as opened:
        describer = StradFtDescriber(
            opened.engine, profile, model=folder.name, counter=opened.counter
        )
        found = [await describe(film, describer) for film in ablation.films]
        await describer.aclose()
    _write(folder, describer.name, found)
    shutil.rmtree(model)


def _write(folder: Path, describer: str, found: Sequence[Described]) -> None:
    said = PredictionsHeader(
        strad="predictions", version=1, protocol="strad", describer=describer, draft=True
    )
    items = [Prediction.of(one.video, cue) for one in found for cue in one.cues]
    cost = EfficiencyHeader(strad="efficiency", version=1)
    windows = [window for one in found for window in one.windows]
    write_text(folder / SAID, PREDICTIONS.write(items, said), overwrite=True)
    write_text(folder / COST, EFFICIENCY.write(windows, cost), overwrite=True)


def row_of(variant: Variant, folder: Path, fitted: Fitted) -> Row:
    """The figures of its run and its report."""
    figures = read_json(folder / REPORT)["figures"]
    streamed = {
        name: value
        for name in OF_STREAMS
        if name in figures and (value := figures[name].get("value")) is not None
    }
    state = fitted.folder.state("best") or {}
    sampled = {k: v for k, v in (state.get("scores") or {}).items() if k in OF_SAMPLES}
    return Row(variant.name, {"validation_loss": fitted.validation_loss, **sampled, **streamed})
