"""A training run on a terminal: steps, time left, loss; a line for each evaluation."""

from __future__ import annotations

import os
from collections.abc import Mapping

from rich.console import Console

from strad.terminal_bar import TerminalBar

SHOWN = ("validation_loss", "exact", "wait_f1", "cider", "segment_cider")


class ShownProgress(TerminalBar):
    """On standard error; of several processes only the first shows. Use as a context manager."""

    def __init__(self) -> None:
        super().__init__(Console(stderr=True, quiet=os.environ.get("RANK", "0") != "0"))

    def told(self, what: str, step: int, steps: int, figures: Mapping[str, float]) -> None:
        """A step was made, or an evaluation."""
        self.show(what, step, steps)
        if "loss" in figures:
            waited = figures.get("data_wait_share", 0)
            self.tell(f"loss {figures['loss']:.4f}, {waited:.0%} waiting")
        if "validation_loss" in figures:
            shown = [f"{k.replace('_', ' ')} {figures[k]:.4g}" for k in SHOWN if k in figures]
            about = "" if what == "training" else f"{what}: "
            self.say(f"{about}step {step} of {steps}: {', '.join(shown)}")
