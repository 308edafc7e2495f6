"""A question's pictures and sound out of a video file, decoded by a program of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from strad.errors import InputError, MediaError
from strad_engines.messages import Audio, Image
from strad_eval.asking.frames import inside
from strad_eval.mcq.item import Item

TIMEOUT_S = 300.0
SIZE = 448
"""Most pixels of a side."""
ENDINGS = (".mp4", ".mkv", ".webm", ".mov", ".avi")
_PROGRAM = Path(__file__).with_name("media_program.py")


def video_of(folder: Path, item: Item) -> Path:
    """The video's file in the folder, with any usual ending."""
    for ending in ENDINGS:
        path = inside(folder, f"{item.video}{ending}")
        if path.is_file():
            return path
    raise InputError(f"{folder}: no video {item.video} ({', '.join(ENDINGS)}) in it")


def decoded(
    path: Path, item: Item, frames: int, *, sound: bool, timeout_s: float = TIMEOUT_S
) -> tuple[tuple[Image, ...], Audio | None]:
    """Evenly spaced pictures of the question's segment, or of all, and its sound as 16 kHz WAV.

    Raises MediaError for what can't be decoded or takes too long.
    """
    with tempfile.TemporaryDirectory() as out:
        asked: dict[str, object] = {
            "path": str(path),
            "span": item.segment,
            "frames": frames,
            "size": SIZE,
            "sound": sound,
            "out": out,
        }
        _run(asked, path, timeout_s)
        pictures = tuple(Image(file.read_bytes()) for file in sorted(Path(out).glob("*.jpg")))
        return pictures, Audio((Path(out) / "sound.wav").read_bytes()) if sound else None


def _run(asked: dict[str, object], path: Path, timeout_s: float) -> None:
    try:
        done = subprocess.run(
            [sys.executable, str(_PROGRAM)],
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=timeout_s,
        )
    except subprocess.TimeoutExpired:
        raise MediaError(f"{path}: not decoded in {timeout_s:.0f} s") from None
    try:
        error = json.loads(done.stdout).get("error")
    except ValueError:
        error = f"the decoding program ended with status {done.returncode}"
    if error:
        raise MediaError(f"{path}: {' '.join(str(error).split())}")
