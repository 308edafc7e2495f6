"""Takes pictures and sound out of a video: a program of its own, for no video is to be trusted.

It is run by the path of this file and imports nothing of ours. In: JSON, ``path``, ``span`` (start
and end in s, or null for all of it), ``frames`` (how many, evenly spaced), ``size`` (most pixels of
a side), ``sound`` (whether it is wanted), ``out`` (a folder). It writes ``0000.jpg`` and so on and
``sound.wav`` there. Out: JSON, ``{}`` or ``{"error": ...}``.
"""

from __future__ import annotations

import importlib
import json
import sys
import wave
from pathlib import Path
from typing import Any

RATE = 16_000


def main() -> None:
    """Read, decode, write."""
    asked = json.loads(sys.stdin.buffer.read())
    try:
        av = importlib.import_module("av")
    except ImportError as error:
        sys.stdout.write(json.dumps({"error": f"{error}: pip install 'strad[serve]'"}))
        return
    try:
        with av.open(asked["path"]) as container:
            start, end = asked["span"] or (0.0, _duration(container))
            count = asked["frames"]
            times = [start + (end - start) * (at + 0.5) / count for at in range(count)]
            _pictures(container, times, asked["size"], Path(asked["out"]))
        if asked["sound"]:
            with av.open(asked["path"]) as container:
                _sound(av, container, start, end, Path(asked["out"]) / "sound.wav")
    except (OSError, ValueError, LookupError) as error:  # PyAV's errors are among these
        sys.stdout.write(json.dumps({"error": str(error)}))
        return
    sys.stdout.write("{}")


def _duration(container: Any) -> float:  # noqa: ANN401
    if container.duration is None:
        raise ValueError("it does not say how long it is")
    return float(container.duration) / 1e6


def _pictures(container: Any, times: list[float], size: int, out: Path) -> None:  # noqa: ANN401
    """At each time the picture that is shown then; the last one where the video has ended."""
    if not times:
        return
    if not container.streams.video:
        raise ValueError("it has no picture")
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    begin = float((stream.start_time or 0) * stream.time_base)
    for index, time in enumerate(times):
        container.seek(int((begin + time) / stream.time_base), stream=stream)
        found = None
        for frame in container.decode(stream):
            if found is not None and frame.time is not None and frame.time - begin > time:
                break
            found = frame
        if found is None:
            raise ValueError(f"no picture at {time:g} s")
        image = found.to_image()
        image.thumbnail((size, size))
        image.save(out / f"{index:04d}.jpg", quality=90)


def _sound(av: Any, container: Any, start: float, end: float, path: Path) -> None:  # noqa: ANN401
    """16 kHz, one channel, 16 bits."""
    if not container.streams.audio:
        raise ValueError("it has no sound")
    stream = container.streams.audio[0]
    begin = float((stream.start_time or 0) * stream.time_base)
    container.seek(int((begin + start) / stream.time_base), stream=stream)
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with wave.open(str(path), "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(2)
        target.setframerate(RATE)
        for frame in container.decode(stream):
            at = (frame.time if frame.time is not None else begin) - begin
            if at >= end:
                break
            for part in resampler.resample(frame):
                _write(target, bytes(part.planes[0])[: part.samples * 2], at, start, end)


def _write(target: wave.Wave_write, data: bytes, at: float, start: float, end: float) -> None:
    first = max(0, round((start - at) * RATE))
    last = max(0, round((end - at) * RATE))
    target.writeframes(data[first * 2 : last * 2])


if __name__ == "__main__":
    main()
