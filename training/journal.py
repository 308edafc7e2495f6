"""What a run writes while it trains: log, TensorBoard, samples, ``best`` and ``last``."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from strad.errors import InputError
from training.run_folder import COLUMNS, RunFolder, write_state
from training.sample_scores import Answered, scores
from training.trainer import LessonTrainer

Told = Callable[[str, int, int, Mapping[str, float]], None]
"""Told of progress: what, steps done, steps in all, figures."""


class DivergedError(InputError):
    """The loss is no number any more."""

    code = "diverged"


@dataclass(eq=False)
class Journal(TrainerCallback):  # type: ignore[misc]
    """One run's. Only the first process writes."""

    trainer: LessonTrainer
    folder: RunFolder
    about: Mapping[str, Any]
    """What ``state.json`` says beside the run's figures: the base, the profile and more."""
    sample: Callable[[], Sequence[Answered]]
    told: Told
    writer: Any = None
    """TensorBoard's, or None."""
    loss: float | None = None
    found: dict[str, float] = field(default_factory=dict)
    """The newest scores of samples."""

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: Mapping[str, Any] | None = None,
        **_: object,
    ) -> None:
        """A step's figures. Raises DivergedError."""
        if logs is None or "loss" not in logs:
            return
        took, waited = self.trainer.step_times()
        self.loss = float(logs["loss"])
        row = {
            "loss": self.loss,
            "learning_rate": float(logs.get("learning_rate", 0.0)),
            "gradient": float(logs.get("grad_norm", 0.0)),
            "data_wait_share": waited / took if took > 0 else 0.0,
            "seconds": took,
        }
        self._write(state, row)
        if not math.isfinite(self.loss) or not math.isfinite(row["gradient"]):
            raise self._diverged(state)

    def on_epoch_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: object
    ) -> None:
        """Which epoch comes."""
        self.trainer.begin_epoch(int(state.epoch or 0))

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: object
    ) -> None:
        """The last step is evaluated and kept, whatever its number."""
        if state.global_step >= state.max_steps:
            control.should_evaluate = control.should_save = True

    def on_evaluate(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        metrics: Mapping[str, float] | None = None,
        **_: object,
    ) -> None:
        """Samples are answered and scored; the best so far is kept. Raises DivergedError."""
        loss = float((metrics or {}).get("eval_loss", math.nan))
        if not math.isfinite(loss):
            raise self._diverged(state)
        answers = self.sample()
        self.found = scores(answers) if answers else {}
        if state.is_world_process_zero:
            self._write(state, {"validation_loss": loss, **self.found})
            self._write_samples(state, answers)
        if state.best_metric is None or loss < state.best_metric:
            self._keep("best", state, loss)
        self._keep("last", state, loss)
        self.trainer.step_times()

    def _keep(self, name: str, state: TrainerState, loss: float) -> None:
        """All processes take part: a model in pieces is gathered as it is written."""
        making = self.folder.folder / f".{name}.adapter"
        self.trainer.save_model(str(making))
        if not state.is_world_process_zero:
            return
        facts = {
            "step": state.global_step,
            "epoch": state.epoch,
            "validation_loss": loss,
            "loss": self.loss,
            "scores": self.found,
            **self.about,
        }

        def write(folder: Path) -> None:
            (making / "training_args.bin").unlink(missing_ok=True)
            making.rename(folder / "adapter")
            write_state(folder, facts)

        self.folder.keep(name, write)

    def _write(self, state: TrainerState, figures: dict[str, float]) -> None:
        if not state.is_world_process_zero:
            return
        step = {"step": state.global_step, "epoch": round(state.epoch or 0.0, 4)}
        self.folder.append({**step, **{k: v for k, v in figures.items() if k in COLUMNS}})
        self.told("training", state.global_step, state.max_steps, figures)
        if self.writer is not None:
            for name, value in figures.items():
                self.writer.add_scalar(name, value, state.global_step)
            self.writer.flush()

    def _write_samples(self, state: TrainerState, answers: Sequence[Answered]) -> None:
        said = [
            {"key": one.key, "kind": one.kind.value, "right": one.right, "said": one.said}
            for one in answers
        ]
        line = {"step": state.global_step, "scores": self.found, "samples": said}
        with self.folder.samples.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _diverged(self, state: TrainerState) -> DivergedError:
        return DivergedError(
            f"at step {state.global_step} the loss is no number any more: train again in another "
            "folder with a lower --learning-rate, or with --precision float32; "
            f"{self.folder.folder}/best is what was best before"
        )
