"""One frame of each shot of a clip, taken by a program of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from strad.errors import MediaError
from strad.questions import Segment
from strad_engines.messages import Image

_PROGRAM = Path(__file__).with_name("key_frames_program.py")


@dataclass(frozen=True, slots=True)
class KeyFrame:
    """A frame from the middle of a shot."""

    at: float
    """Seconds of the video."""
    picture: Image


@dataclass(frozen=True, slots=True)
class Shots:
    """How shots are told apart: PySceneDetect's ContentDetector with its own defaults."""

    threshold: float = 27.0
    shortest_s: float = 0.6
    most: int = 16
    """Frames; of more shots, evenly spaced ones are taken."""
    size: int = 448
    """Most pixels of a side."""
    timeout_s: float = 300.0


def key_frames(path: Path, segment: Segment, shots: Shots) -> list[KeyFrame]:
    """In order of time. Raises MediaError for what can't be decoded or takes too long."""
    with tempfile.TemporaryDirectory() as out:
        asked = {
            "path": str(path),
            "span": segment,
            "threshold": shots.threshold,
            "shortest": shots.shortest_s,
            "most": shots.most,
            "size": shots.size,
            "out": out,
        }
        times = _run(asked, path, shots.timeout_s)
        return [
            KeyFrame(time, Image(Path(out, f"{place:04}.jpg").read_bytes()))
            for place, time in enumerate(times)
        ]


def _run(asked: dict[str, object], path: Path, timeout_s: float) -> list[float]:
    try:
        done = subprocess.run(
            [sys.executable, str(_PROGRAM)],
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise MediaError(f"{path}: no shots found in {timeout_s:.0f} s") from None
    try:
        told = json.loads(done.stdout)
    except ValueError:
        raise MediaError(f"{path}: the decoding program ended with status {done.returncode}") from (
            None
        )
    if "error" in told:
        raise MediaError(f"{path}: {' '.join(str(told['error']).split())}")
    return [float(time) for time in told["times"]]
