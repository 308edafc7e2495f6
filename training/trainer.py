"""transformers' Trainer, with our order of examples and the time spent waiting for data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import torch
from transformers import Trainer, TrainingArguments

from training.config import FitConfig
from training.lessons import Lessons, Shuffled
from training.run_folder import RunFolder

Clock = Callable[[], float]
"""Wall seconds since whenever."""


FIXED: dict[str, Any] = {
    "optim": "adamw_torch",
    "lr_scheduler_type": "cosine",
    "gradient_checkpointing_kwargs": {"use_reentrant": False},
    "eval_strategy": "steps",
    "save_strategy": "steps",
    "save_total_limit": 2,
    "prediction_loss_only": True,
    "metric_for_best_model": "eval_loss",
    "greater_is_better": False,
    "logging_steps": 1,
    "logging_nan_inf_filter": False,
    "report_to": "none",
    "disable_tqdm": True,
    "remove_unused_columns": False,
    "label_names": ["labels"],
    "ddp_find_unused_parameters": True,
    "log_level": "error",
    "log_level_replica": "error",
}
"""What is the same in every run."""


class LessonTrainer(Trainer):  # type: ignore[misc]
    """Trains on ``Lessons``; knows how long it waited for them."""

    def __init__(self, *, clock: Clock, **of_trainer: object) -> None:
        super().__init__(**of_trainer)
        self._clock = clock
        self._order: Shuffled | None = None
        self._waited, self._since = 0.0, clock()

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: torch.device
    ) -> tuple[list[Any], torch.Tensor | int | None]:
        """The next step's batches; the time it takes is waiting."""
        begun = self._clock()
        found = super().get_batch_samples(epoch_iterator, num_batches, device)
        self._waited += self._clock() - begun
        return cast("tuple[list[Any], torch.Tensor | int | None]", found)

    def step_times(self) -> tuple[float, float]:
        """Seconds since it was last asked, and those of them spent waiting for data."""
        now = self._clock()
        took = now - self._since, self._waited
        self._since, self._waited = now, 0.0
        return took

    def _get_train_sampler(self, train_dataset: Lessons | None = None) -> Shuffled:
        lessons: Lessons = self.train_dataset if train_dataset is None else train_dataset
        self._order = Shuffled(len(lessons), self.args.seed)
        return self._order

    def begin_epoch(self, epoch: int) -> None:
        """Told to the order itself: of several processes going on, the loader does not reach it."""
        if self._order is not None:
            self._order.set_epoch(epoch)


def arguments(config: FitConfig, folder: RunFolder, count: int, *, bf16: bool) -> TrainingArguments:
    """The run as the Trainer is told it. ``count``: examples to train on.

    Raises InputError where the batch can't be made by so many processes.
    """
    told = TrainingArguments(
        output_dir=str(folder.checkpoints),
        per_device_train_batch_size=config.at_once,
        per_device_eval_batch_size=config.at_once,
        num_train_epochs=config.epochs,
        max_steps=config.most_steps or -1,
        warmup_steps=config.warmup,
        learning_rate=config.learning_rate,
        weight_decay=config.weight_decay,
        max_grad_norm=config.clip,
        bf16=bf16,
        use_cpu=config.device == "cpu",
        gradient_checkpointing=config.checkpointing,
        **FIXED,
        seed=config.seed,
        data_seed=config.seed,
        dataloader_num_workers=config.workers,
        dataloader_persistent_workers=config.workers > 0,
        dataloader_prefetch_factor=4 if config.workers else None,
        dataloader_pin_memory=config.device != "cpu" and torch.cuda.is_available(),
    )
    told.gradient_accumulation_steps = config.accumulated(told.world_size)
    told.eval_steps = told.save_steps = evaluate_each(config, count)
    return told


def evaluate_each(config: FitConfig, count: int) -> int:
    """Steps between two evaluations."""
    an_epoch = -(-count // config.batch)
    return config.evaluate_every or max(1, an_epoch // config.evaluations)
