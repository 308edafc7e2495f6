"""Which learning rate validates best (StrAD, C.2): trials of whole runs, by Optuna.

The study is an SQLite file; a sweep that is broken off goes on with the trial it was at, which goes
on where its own run was.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import optuna
from optuna.distributions import FloatDistribution
from optuna.trial import FrozenTrial, Trial, TrialState

from strad.errors import InputError
from streaming.prompt.profiles import profile as profile_named
from training.claim import claimed
from training.config import FitConfig
from training.data import Splits
from training.fitting import Fitted, fit, made_of, resolved
from training.journal import DivergedError, Told
from training.modalities import without
from training.run_folder import RunFolder
from training.trainer import Clock

RATE = "learning_rate"
STUDY = "study.sqlite"
_ENDED = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)
_FIRST_WHOLE = 3
"""Trials that are never pruned, so that there is something to compare with."""


@dataclass(frozen=True, slots=True)
class SweepConfig:
    """The paper's: 10 trials, log-uniform from 1e-6 to 1e-4."""

    run: FitConfig
    """What all trials share; ``run.run`` is the sweep's folder."""
    trials: int = 10
    lowest: float = 1e-6
    highest: float = 1e-4

    def __post_init__(self) -> None:
        """Raises InputError for a range that is none."""
        if not 0 < self.lowest <= self.highest < math.inf:
            raise InputError(f"the rates from {self.lowest:g} to {self.highest:g} are no range")


@dataclass(frozen=True, slots=True)
class Tried:
    """One trial."""

    number: int
    rate: float
    state: str
    """``complete``, ``pruned`` (it was worse than most at the same step), or ``diverged``."""
    losses: tuple[tuple[int, float], ...]
    """Step and validation loss."""

    @property
    def best(self) -> float:
        """The lowest of its losses."""
        return min((loss for _, loss in self.losses), default=math.inf)


class _PrunedError(Exception):
    """A trial is not worth going on with."""


def sweep(config: SweepConfig, data: Splits, told: Told, clock: Clock) -> list[Tried]:
    """All trials, those of an earlier go included. Raises InputError, WorkError."""
    shared = replace(config.run, learning_rate=0.0, samples=0)
    asked = resolved(shared)
    profile = without(profile_named(asked.profile), asked.drop)
    with claimed(shared.run, shared, made_of(profile, data)):
        return _tried_all(config, data, told, clock)


def _tried_all(config: SweepConfig, data: Splits, told: Told, clock: Clock) -> list[Tried]:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = _study(config)
    for trial in _left(study, config):
        rate = _rate(trial, config)
        _try(study, trial, replace(config.run, learning_rate=rate, samples=0), data, told, clock)
    return [_tried(trial) for trial in study.get_trials() if trial.state in _ENDED]


def _rate(trial: Trial, config: SweepConfig) -> float:
    """Its own; one that was killed before it had any is given one."""
    if RATE in trial.params:
        return float(trial.params[RATE])
    return float(trial.suggest_float(RATE, config.lowest, config.highest, log=True))


def _study(config: SweepConfig) -> optuna.Study:
    storage = f"sqlite:///{(config.run.run / STUDY).resolve()}"
    sampler = optuna.samplers.TPESampler(seed=config.run.seed)
    pruner = optuna.pruners.MedianPruner(n_startup_trials=_FIRST_WHOLE)
    return optuna.create_study(
        storage=storage,
        study_name=RATE,
        sampler=sampler,
        pruner=pruner,
        direction="minimize",
        load_if_exists=True,
    )


def _left(study: optuna.Study, config: SweepConfig) -> Iterator[Trial]:
    """What was broken off, then new ones."""
    for begun in study.get_trials(states=(TrialState.RUNNING,)):
        study.sampler = optuna.samplers.TPESampler(seed=config.run.seed + begun.number)
        yield Trial(study, begun._trial_id)
    while (done := len(study.get_trials(states=_ENDED))) < config.trials:
        study.sampler = optuna.samplers.TPESampler(seed=config.run.seed + done)
        yield study.ask({RATE: FloatDistribution(config.lowest, config.highest, log=True)})


def _try(
    study: optuna.Study, trial: Trial, config: FitConfig, data: Splits, told: Told, clock: Clock
) -> None:
    run = config.run / f"trial-{trial.number}"
    told_before = {step for step in study.trials[trial.number].intermediate_values}

    def watched(what: str, step: int, steps: int, figures: Mapping[str, float]) -> None:
        told(f"trial {trial.number}, rate {config.learning_rate:.2g}", step, steps, figures)
        if "validation_loss" in figures and step not in told_before:
            trial.report(figures["validation_loss"], step)
            if trial.should_prune():
                raise _PrunedError

    value, state = None, TrialState.FAIL
    try:
        found: Fitted = fit(replace(config, run=run), data, watched, clock)
        value, state = found.validation_loss, TrialState.COMPLETE
    except _PrunedError:
        state = TrialState.PRUNED
    except DivergedError:
        pass
    study.tell(trial.number, value, state=state)
    shutil.rmtree(RunFolder(run).checkpoints, ignore_errors=True)


def _tried(trial: FrozenTrial) -> Tried:
    names = {TrialState.COMPLETE: "complete", TrialState.PRUNED: "pruned"}
    return Tried(
        trial.number,
        float(trial.params[RATE]),
        names.get(trial.state, "diverged"),
        tuple(sorted(trial.intermediate_values.items())),
    )


def best_of(tried: list[Tried]) -> Tried:
    """The trial that validated best. Raises InputError where none came to its end."""
    whole = [one for one in tried if one.state == "complete"]
    if not whole:
        raise InputError("no trial came to its end: sweep lower rates, --highest")
    return min(whole, key=lambda one: one.best)
