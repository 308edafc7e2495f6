"""The vision tower's own course: pairs of pictures told apart by a head that is thrown away after.

A language model learns to see through a random tower only slowly; this takes 20 s. It sees single
pairs, as the tower does, and no text. Each of a pair's tokens must tell all of it, so that whoever
looks at any of them can.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.nn import functional

from strad_engines.messages import Image
from strad_engines.pixels import Pixels, pixels
from tests.models import shapes

RATE, BATCH = 1e-3, 32
_PARTS = (len(shapes.COLOURS), len(shapes.SHAPES), len(shapes.MOTIONS), 2)
"""What is told of a pair: colour, form, motion, and whether there is anything."""


def teach_tower(tower: Any, processor: Any, size: Any, steps: int, seed: int) -> None:
    """Train the tower alone."""
    head = torch.nn.Linear(tower.config.out_hidden_size, sum(_PARTS))
    taught = [*tower.parameters(), *head.parameters()]
    optimiser = torch.optim.AdamW(taught, lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    rng = np.random.default_rng(seed)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 30, 1.5 * (1 - step / steps) + 0.05)
        pairs, told = zip(*(_pair(rng) for _ in range(BATCH)), strict=True)
        seen = _patches(processor, pairs, size)
        encoded = tower(seen["pixel_values_videos"], grid_thw=seen["video_grid_thw"])
        tokens = encoded.pooler_output.shape[0] // BATCH
        told_each = torch.tensor(told).repeat_interleave(tokens, dim=0)
        loss = _loss(head(encoded.pooler_output), told_each)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(taught, 1.0)
        optimiser.step()
        optimiser.zero_grad()


def _pair(rng: np.random.Generator) -> tuple[list[Pixels], tuple[int, int, int, int]]:
    blank = rng.random() < 0.1
    shape, step = shapes.any_shape(rng), int(rng.integers(0, 3))
    grey = int(rng.integers(120, 137))
    shown = [shapes.picture(None if blank else shape, at / 3, grey) for at in (step, step + 1)]
    told = (
        list(shapes.COLOURS).index(shape.colour),
        shapes.SHAPES.index(shape.form),
        shapes.MOTIONS.index(shape.motion),
        int(blank),
    )
    return [pixels(Image(shapes.jpeg(picture, rng))) for picture in shown], told


def _patches(processor: Any, pairs: tuple[list[Pixels], ...], size: Any) -> Any:
    share = size.pixels // 4  # of four pairs
    return processor.video_processor(
        videos=[np.stack(pair) for pair in pairs],
        do_sample_frames=False,
        size={"shortest_edge": 2 * 32 * 32, "longest_edge": share},
        return_tensors="pt",
    )


def _loss(scores: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
    parts = scores.split(_PARTS, dim=1)
    seen = told[:, 3] == 0
    known = [functional.cross_entropy(parts[n][seen], told[seen, n]) for n in range(3)]
    return sum(known, functional.cross_entropy(parts[3], told[:, 3]))
