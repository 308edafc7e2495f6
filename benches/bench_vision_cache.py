"""What remembering pictures saves: a real Qwen3.5 tower, windows of 8 s every 2 s, pairs of frames.

Needs torch and transformers (``make models-env``, then ``.venv-models/bin/python`` with this file);
elsewhere it says so and measures nothing. Exit status: 0 target met or nothing measured, 1 missed.
"""

from __future__ import annotations

import asyncio
import io
import logging
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from strad_engines.messages import Image, Message, Sampling, Text, Video

LEAST_GAIN = 2.0
WINDOWS, STRIDE, FRAMES = 12, 2, 8
WIDTH, HEIGHT = 320, 180
STILL_FROM = 20
"""Seconds from which the picture stands still."""


def pictures(count: int) -> list[Image]:
    """Noise that differs every second, as JPEGs; the last of it stands still."""
    from PIL import Image as Pictures

    rng = np.random.default_rng(0)
    made: list[Image] = []
    for second in range(count):
        if second > STILL_FROM:
            made.append(made[-1])
            continue
        coarse = rng.integers(0, 255, (HEIGHT // 20, WIDTH // 20, 3), np.uint8)
        out = io.BytesIO()
        Pictures.fromarray(coarse).resize((WIDTH, HEIGHT)).save(out, "JPEG", quality=80)
        made.append(Image(out.getvalue()))
    return made


async def vision_seconds(folder: Path, cache_mib: int, windows: Sequence[Video]) -> list[float]:
    """Wall seconds on pictures, window by window, by the engine's own account."""
    from strad_engines.transformers_engine.engine import TransformersEngine
    from strad_engines.transformers_engine.loading import Loading

    spent: list[float] = []
    async with TransformersEngine(str(folder), Loading(cache_mib=cache_mib)) as engine:
        for video in windows:
            chat = (Message("user", (video, Text("Describe or wait."))),)
            found = await engine.generate(chat, Sampling(1), deadline_s=300)
            spent.append(dict(found.stages)["vision"])
        print(f"  cache of {cache_mib} MiB: {engine.seen}")
    return spent


def main() -> int:
    """Print the figures and compare them with the target."""
    if any(find_spec(module) is None for module in ("torch", "transformers", "llguidance")):
        print("nothing measured: torch, transformers and llguidance are not installed here")
        return 0
    from strad_engines.transformers_engine.dummy import SHAPES, write_dummy

    logging.disable(logging.WARNING)
    real = SHAPES["qwen35-0.8b"]
    SHAPES["tower"] = replace(
        SHAPES["tiny"],
        vision_depth=real.vision_depth,
        vision_hidden=real.vision_hidden,
        vision_intermediate=real.vision_intermediate,
        vision_heads=real.vision_heads,
        pixels=real.pixels,
    )
    shown = pictures(STRIDE * WINDOWS + FRAMES)
    windows = [Video(tuple(shown[at : at + FRAMES])) for at in range(0, STRIDE * WINDOWS, STRIDE)]
    with tempfile.TemporaryDirectory() as folder:
        write_dummy("tower", Path(folder), ["Describe or wait."] * 50)
        without = asyncio.run(vision_seconds(Path(folder), 0, windows))[1:]
        cached = asyncio.run(vision_seconds(Path(folder), 256, windows))[1:]
    moving = (STILL_FROM - FRAMES) // STRIDE
    gain = statistics.median(without[:moving]) / statistics.median(cached[:moving])
    print(f"vision, {FRAMES} frames of {WIDTH}x{HEIGHT}, tower of {real.vision_depth} layers:")
    print(f"  each window anew: {statistics.median(without[:moving]):.3f} s")
    print(f"  remembered:       {statistics.median(cached[:moving]):.3f} s, a new pair each window")
    print(f"  a still picture:  {statistics.median(cached[-2:]):.4f} s")
    print(f"gain {gain:.1f} times, wanted at least {LEAST_GAIN:g}")
    return 0 if gain >= LEAST_GAIN else 1


if __name__ == "__main__":
    sys.exit(main())
