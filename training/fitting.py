"""One training run, from a base model and data to ``best`` and ``last``, also in several goes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch.utils.tensorboard import SummaryWriter
from transformers.trainer_callback import PrinterCallback

from strad.errors import InputError, StradError, WorkError
from streaming.describers.strad_ft.trained import prompt_sha256
from streaming.prompt.profile import Profile
from streaming.prompt.profiles import profile as profile_named
from training.base_model import Base, family_named, in_bfloat16, learner, load_base
from training.claim import claimed
from training.collator import Collator
from training.config import FitConfig
from training.data import Opened, Splits
from training.example import Example
from training.families.known import profile_for
from training.journal import Journal, Told
from training.lessons import Lessons, Teaching
from training.modalities import without
from training.patience import is_over, state_of, stopping
from training.run_folder import RunFolder
from training.sample_scores import Answered
from training.sampling import Sampler, chosen
from training.trainer import Clock, LessonTrainer, arguments

_TOLD_OF_DISKS = ("I/O error", "PytorchStreamWriter", "unexpected pos")
"""How safetensors and torch, whose errors have no number, say that they can't write."""


class TooLittleMemoryError(InputError):
    """The model does not fit with what was asked for."""

    code = "too-little-memory"


@dataclass(frozen=True, slots=True)
class Fitted:
    """What came of a run."""

    folder: RunFolder
    steps: int
    validation_loss: float
    """The best."""
    resumed_at: int | None
    """The step that it was gone on from."""
    ended_early: bool


def resolved(config: FitConfig) -> FitConfig:
    """With the family's profile and rate where none were asked for. Raises InputError."""
    _, family = family_named(config.base)
    return replace(
        config,
        profile=profile_for(family, config.profile),
        learning_rate=config.learning_rate or family.learning_rate,
    )


def fit(config: FitConfig, data: Splits, told: Told, clock: Clock) -> Fitted:
    """Train. Raises InputError and WorkError, one line each. Minutes to days."""
    config = resolved(config)
    profile = without(profile_named(config.profile), config.drop)
    with claimed(config.run, config, made_of(profile, data)) as folder:
        return fitted_before(folder) or _fitted(config, folder, profile, data, told, clock)


def made_of(profile: Profile, data: Splits) -> dict[str, str]:
    """What weights depend on beside the choices: a run goes on over the same alone."""
    return {"data_sha256": data.digest, "prompt_sha256": prompt_sha256(profile)}


def fitted_before(folder: RunFolder) -> Fitted | None:
    """A run that came to its end."""
    done = folder.done()
    return Fitted(folder, resumed_at=int(done["steps"]), **done) if done else None


def _fitted(
    config: FitConfig,
    folder: RunFolder,
    profile: Profile,
    data: Splits,
    told: Told,
    clock: Clock,
) -> Fitted:
    bf16 = in_bfloat16(config.precision, config.device)
    base = load_base(config.base, dtype="bfloat16" if bf16 else "float32")
    teaching = Teaching(base.family, base.processor, profile, config.augmentations, config.seed)
    lessons = Lessons(data.train, teaching)
    if not len(lessons):
        raise InputError(f"there is nothing to train on in {config.data}")
    validated = Lessons(_first(data.validation, config), replace(teaching, augmentations=()))
    if not len(validated):
        raise InputError(f"{config.data} has no validation split: prepare it with more films")
    args = arguments(config, folder, len(lessons), bf16=bf16)
    pad = base.processor.tokenizer.pad_token_id
    trainer = LessonTrainer(
        model=learner(base, config),
        args=args,
        data_collator=Collator(base.family, pad or 0),
        train_dataset=lessons,
        eval_dataset=validated,
        clock=clock,
    )
    sample = _sampling(trainer, base, profile, data.validation(), config, clock)
    journal = Journal(trainer, folder, _about(config, base, profile, data), sample, told)
    return _run(trainer, journal, config)


def _first(opened: Opened, config: FitConfig) -> Opened:
    most = config.most_validated
    if not most:
        return opened

    def first() -> Sequence[Example]:
        return chosen(opened(), most, config.seed)

    return first


def _about(config: FitConfig, base: Base, profile: Profile, data: Splits) -> dict[str, Any]:
    return {
        "base": base.found.name,
        "family": base.family.kind,
        "merged_first": base.family.merged_first,
        "profile": config.profile,
        "drop": [one.value for one in config.drop],
        "data": str(config.data),
        **made_of(profile, data),
        "seed": config.seed,
    }


def _sampling(
    trainer: LessonTrainer,
    base: Base,
    profile: Profile,
    validation: Sequence[Example],
    config: FitConfig,
    clock: Clock,
) -> Callable[[], Sequence[Answered]]:
    shown = chosen(validation, config.samples, config.seed)
    asker = Sampler(base.family.kind, base.processor, base.ends, profile, clock)

    def sample() -> Sequence[Answered]:
        # A model in pieces can't be asked by one process alone.
        if not shown or not trainer.is_world_process_zero() or trainer.is_fsdp_enabled:
            return ()
        model = trainer.accelerator.unwrap_model(trainer.model)
        was_learning = model.training
        model.eval()
        try:
            with trainer.accelerator.autocast():
                return asker.answers(model.get_base_model(), shown)
        finally:
            model.train(was_learning)

    return sample


def _run(trainer: LessonTrainer, journal: Journal, config: FitConfig) -> Fitted:
    folder, newest = journal.folder, journal.folder.newest()
    first = trainer.is_world_process_zero()
    if first:
        folder.go_on_from(newest[1] if newest else 0)
        journal.writer = _writer(folder, newest)
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(journal)
    try:
        _train(trainer, config, newest[0] if newest else None)
    finally:
        if journal.writer is not None:
            journal.writer.close()
    state = trainer.state
    best = state.best_metric if state.best_metric is not None else math.nan
    done = {
        "steps": state.global_step,
        "validation_loss": float(best),
        "ended_early": state.global_step < state.max_steps,
    }
    if first:
        folder.end(done)
    return Fitted(folder, resumed_at=newest[1] if newest else None, **done)


def _train(trainer: LessonTrainer, config: FitConfig, checkpoint: Path | None) -> None:
    if checkpoint is not None and is_over(config.patience, checkpoint):
        trainer.state = state_of(checkpoint)
        return
    if config.patience:
        trainer.add_callback(stopping(config.patience, checkpoint))
    try:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    except torch.OutOfMemoryError as error:
        raise TooLittleMemoryError(_too_little(config)) from error
    except (RuntimeError, SafetensorError) as error:
        if (in_words := _in_words(error, config)) is None:
            raise
        raise in_words from error


def _writer(folder: RunFolder, newest: tuple[Path, int] | None) -> SummaryWriter:
    return SummaryWriter(str(folder.tensorboard), purge_step=newest[1] + 1 if newest else None)


def _in_words(error: Exception, config: FitConfig) -> StradError | None:
    why = str(error)
    if "can't allocate memory" in why:
        return TooLittleMemoryError(_too_little(config))
    if any(told in why for told in _TOLD_OF_DISKS):
        return WorkError(f"{config.run}: can't be written: the disk is full or fails")
    return None


def _too_little(config: FitConfig) -> str:
    less = "--at-once 1" if config.at_once > 1 else "a smaller base model"
    more = "" if config.checkpointing else ", --checkpointing"
    return f"too little memory to train {config.base} so: try {less}{more}, or several GPUs (FSDP)"
