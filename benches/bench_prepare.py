"""Preparing examples against a loader that opens and seeks the film for every window, in one run.

The other side gets what it decodes for nothing: it makes the same pictures and sound of the same
windows and segments, in this process, and neither plans, packs nor writes. Judged by CPU seconds,
which the machine's other work doesn't change; wall seconds are told. Then the same with a film six
times as long: the memory of our process and of the decoder must not grow with it.

Exit status: 0 all targets met, 1 one missed.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import av
import numpy as np

from streaming.decoding.jpeg import JpegEncoder
from streaming.ingest import IngestOptions
from training.dataset import SPLITS, Dataset
from training.preparing.prepare import prepare
from training.preparing.run import Watcher
from training.preparing.wishes import Wishes
from training.skipped import Skips
from training.sources.manifests import manifest_materials

FPS, SIZE, GOP, SECONDS = 25, (1280, 720), 250, 60
EVERY = 8
"""Seconds from one description to the next: StrAD has 9,131 in 22.3 hours."""
LOOPS = 10
"""Minutes of the film: of three, a second or so to start the decoder is a quarter of the cost."""
ROUNDS = 2
FASTER = 4.0
MOST_GROWTH = 24.0
"""MiB of memory that a film six times as long may take more."""


class Cost(NamedTuple):
    """Seconds."""

    cpu: float
    wall: float


def main() -> int:
    """Measure, print, judge."""
    with tempfile.TemporaryDirectory() as folder:
        once = textured(Path(folder) / "once.mp4")
        film = described(Path(folder), once, LOOPS, "film")
        ours, theirs, count = compare(film, Path(folder))
        source = described(Path(folder), once, 3, "short")
        growth = [peak(source, Path(folder) / "a")]
        growth.append(peak(described(Path(folder), once, 18, "long"), Path(folder) / "b"))
    gain, faster = theirs.cpu / ours.cpu, theirs.wall / ours.wall
    width, height = SIZE
    print(f"{count} examples of {LOOPS} min, {width}x{height}, a keyframe in {GOP / FPS:g} s")
    print(f"  prepare:          {ours.cpu:6.2f} s of CPU, {ours.wall:6.2f} s")
    print(f"  seeking for each: {theirs.cpu:6.2f} s of CPU, {theirs.wall:6.2f} s")
    print(f"  gain {gain:.1f} times in CPU (wanted {FASTER:g}), {faster:.1f} times in wall time")
    more = growth[1] - growth[0]
    print(f"  memory: {growth[0]:.0f} MiB, and {more:+.1f} MiB for a film six times as long")
    return 0 if gain >= FASTER and more <= MOST_GROWTH else 1


def compare(source: Path, folder: Path) -> tuple[Cost, Cost, int]:
    """The cheapest round of each side, taken in turns, and how many examples there are."""
    ours, theirs, count = list[Cost](), list[Cost](), 0
    for n in range(ROUNDS):
        made, cost = measured(lambda n=n: prepared(source, folder / f"data{n}"))
        ours.append(cost)
        _, cost = measured(lambda made=made: seeking(made, source.parent))
        theirs.append(cost)
        count = len(made.entries)
    return min(ours), min(theirs), count


def measured(work: object) -> tuple[Dataset, Cost]:
    """What it gave, and what it cost with its children."""
    before, begun = spent(), time.perf_counter()
    made = work()  # type: ignore[operator]
    return made, Cost(spent() - before, time.perf_counter() - begun)


def spent() -> float:
    """CPU seconds of this process and the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def prepared(source: Path, folder: Path) -> Dataset:
    """As ``strad-train prepare`` does."""
    skips = Skips()
    found = manifest_materials(source, None, skips)
    wishes = Wishes(share=0.0)
    work = prepare(found, folder, wishes, skips, watcher=Watcher(), jobs=1)
    return asyncio.run(work)[0]


def seeking(dataset: Dataset, folder: Path) -> None:
    """Open the film, seek, decode, and encode the pictures, for every example of the data set."""
    looks = IngestOptions()
    encoder = JpegEncoder(looks.max_width, looks.jpeg_quality, looks.max_pixels)
    for split in SPLITS:
        for example in dataset.split(split):
            window = example.window
            times = [frame.t for frame in window.frames]
            cut(folder / f"{example.film}.mp4", window.when.start, window.when.end, times, encoder)


def cut(film: Path, start: int, end: int, times: list[int], encoder: JpegEncoder) -> None:
    """One window, by seeking to the keyframe before it."""
    with av.open(str(film)) as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        video.thread_count = audio.thread_count = 1
        resampler = av.AudioResampler("s16", "mono", 16_000)
        container.seek(start * 1000, backward=True)
        shown, left, heard = None, list(times), False
        for packet in container.demux(video, audio):
            for frame in packet.decode():
                t = float(frame.time or 0) * 1000
                if isinstance(frame, av.AudioFrame):
                    resampler.resample(frame)
                    heard = t >= end
                    continue
                while left and shown is not None and left[0] < t:
                    encoder.encode(shown, 1.0)
                    left.pop(0)
                shown = frame
            if not left and heard:
                return


def textured(path: Path) -> Path:
    """A minute that pans over a texture: much movement, little that repeats."""
    rng = np.random.default_rng(0)
    coarse = rng.integers(0, 255, (140, 340, 3), np.uint8)
    texture = np.kron(coarse, np.ones((8, 8, 1), np.uint8))
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=FPS)
        video.width, video.height = SIZE
        video.pix_fmt, video.gop_size = "yuv420p", GOP
        video.options = {"preset": "veryfast", "x264-params": "scenecut=0:threads=2"}
        sound = out.add_stream("aac", rate=48_000, layout="mono")
        for n in range(SECONDS * FPS):
            x, y = n % 1_400, n // 3 % 400
            picture = np.ascontiguousarray(texture[y : y + SIZE[1], x : x + SIZE[0]])
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = n, Fraction(1, FPS)
            out.mux(video.encode(frame))
            samples = (rng.standard_normal((1, 48_000 // FPS)) * 800).astype(np.int16)
            tone = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
            tone.sample_rate, tone.pts = 48_000, n * (48_000 // FPS)
            out.mux(sound.encode(tone))
        out.mux(video.encode())
        out.mux(sound.encode())
    return path


def described(folder: Path, once: Path, times: int, name: str) -> Path:
    """The minute so many times over, with descriptions, as a manifest."""
    with av.open(str(once)) as given, av.open(str(folder / f"{name}.mp4"), "w") as out:
        tracks = {s.index: out.add_stream_from_template(s) for s in given.streams}
        data = [(p.stream.index, bytes(p), p.pts, p.dts, p.duration, p.is_keyframe, p.time_base)
                for p in given.demux() if p.dts is not None]  # fmt: skip
        for n in range(times):
            for index, payload, pts, dts, duration, key, base in data:
                packet = av.Packet(payload)
                shift = int(n * Fraction(SECONDS * 2 + 1, 2) / base)  # sound is a little longer
                packet.pts, packet.dts = pts + shift, dts + shift
                packet.duration, packet.is_keyframe, packet.time_base = duration, key, base
                packet.stream = tracks[index]
                out.mux(packet)
    length = times * SECONDS
    starts = range(3, length - EVERY, EVERY)
    ad = [{"start": t, "end": t + 2.5, "text": f"Thing {t} goes by."} for t in starts]
    said = [{"start": t + 3, "end": t + 4, "text": "So there."} for t in starts]
    video = {"id": name, "source": {"path": f"{name}.mp4"}, "duration": length}
    path = folder / f"{name}.json"
    entry = {**video, "ad": ad, "transcript": said}
    path.write_text(json.dumps({"version": 1, "name": name, "videos": [entry]}))
    return path


def peak(source: Path, folder: Path) -> float:
    """MiB at most, of the process and of its decoder together, in a process of its own."""
    command = [sys.executable, __file__, str(source), str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return float(done.stdout)


def peak_here(source: Path, folder: Path) -> float:
    """Of this process and the largest child."""
    prepared(source, folder)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_maxrss for one in used) / 1024


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(peak_here(Path(sys.argv[1]), Path(sys.argv[2])))
        sys.exit(0)
    sys.exit(main())
