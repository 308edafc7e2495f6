"""Evaluations without gain, over all goes of a run: its checkpoint knows them, Trainer forgets."""

from __future__ import annotations

from pathlib import Path

from transformers import EarlyStoppingCallback, TrainerState

STATE = "trainer_state.json"


def stopping(patience: int, checkpoint: Path | None) -> EarlyStoppingCallback:
    """What ends a run early, as it was at the checkpoint that is gone on from."""
    found = EarlyStoppingCallback(patience)
    if checkpoint is not None:
        found.early_stopping_patience_counter = _without_gain(state_of(checkpoint))
    return found


def is_over(patience: int, checkpoint: Path) -> bool:
    """Whether it was the last before an early end. Without patience none is."""
    return 0 < patience <= _without_gain(state_of(checkpoint))


def state_of(checkpoint: Path) -> TrainerState:
    """What Trainer knew when it was written."""
    return TrainerState.load_from_json(str(checkpoint / STATE))


def _without_gain(state: TrainerState) -> int:
    stored = (state.stateful_callbacks or {}).get(EarlyStoppingCallback.__name__, {})
    return int(stored.get("attributes", {}).get("early_stopping_patience_counter", 0))
