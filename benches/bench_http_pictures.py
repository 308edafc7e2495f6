"""Frames over HTTP to a vLLM server: as one video, new each window, or as images seen before.

A server remembers what it encoded by content. Of a window moved by 2 s, 6 of 8 images are old, and
the video is another one; but the video is half the tokens, and two frames in one. Which wins? A
real Qwen3.5 tower in front of a tiny language model, so that pictures are what costs.

Needs ``make models-env``; elsewhere it says so and measures nothing. It states, it has no target.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from benches.bench_vision_cache import FRAMES, STRIDE, pictures
from strad_engines.messages import Image, Message, Part, Sampling, Text, Video
from strad_engines.open_engine import open_engine

WINDOWS = 8


def as_video(frames: Sequence[Image]) -> tuple[Part, ...]:
    """One video."""
    return (Video(tuple(frames)),)


def as_images(frames: Sequence[Image]) -> tuple[Part, ...]:
    """Each image after its time."""
    return tuple(
        part for n, frame in enumerate(frames) for part in (Text(f"<{n}.0 seconds>"), frame)
    )


async def seconds(url: str, chats: Sequence[tuple[Message, ...]]) -> list[float]:
    """Wall seconds of each request, its answer one token long."""
    spent: list[float] = []
    async with open_engine(f"openai:{url}", "base") as opened:
        for chat in chats:
            begun = time.perf_counter()
            await opened.engine.generate(chat, Sampling(1), deadline_s=300)
            spent.append(time.perf_counter() - begun)
    return spent


def main() -> int:
    """Print the figures."""
    if any(find_spec(module) is None for module in ("torch", "transformers", "vllm")):
        print("nothing measured: torch, transformers and vLLM are not installed here")
        return 0
    from strad_engines.transformers_engine.dummy import SHAPES, write_dummy
    from tests.models.vllm_server import VllmServer, serving

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
    windows = [shown[at : at + FRAMES] for at in range(0, STRIDE * WINDOWS, STRIDE)]
    with tempfile.TemporaryDirectory() as folder:
        write_dummy("tower", Path(folder), ["Describe or wait."] * 50)
        with serving(VllmServer(Path(folder), Path(folder) / "server.log")) as server:
            for name, layout in (("one video", as_video), ("8 images", as_images)):
                chats = [
                    (Message("user", (*layout(window), Text("Describe or wait."))),)
                    for window in windows
                ]
                spent = asyncio.run(seconds(server.url, chats))
                first, rest = spent[0], statistics.median(spent[2:])
                print(f"{name}: first window {first:.2f} s, then {rest:.2f} s each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
