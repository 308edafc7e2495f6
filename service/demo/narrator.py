"""The demo clip's speaker: text to sound by piper, a program of its own, never imported.

piper-tts is GPL-3.0-or-later. It is run as a separate process, reads a text file and leaves WAV
files behind; nothing of it is part of this program. With its noise turned off it says a line the
same way every time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import wave
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from service.demo.photographs import INSTALL
from strad.errors import MissingModelError, WorkError
from strad_engines.weights import Weights

RATE = 48_000
"""Samples a second of what it says: what Opus carries."""

PATIENCE = 120.0
"""Seconds that all lines together may take; one takes about 0.2."""

Sound = NDArray[np.float32]
"""Mono, -1 to 1, ``RATE`` samples a second."""


def speak(lines: Sequence[str]) -> list[Sound]:
    """Every line as sound. Raises MissingModelError, or WorkError when the program fails."""
    voice = Weights(hub=False).folder("joe") / "en_US-joe-medium.onnx"
    if find_spec("piper") is None:
        raise MissingModelError(f"the demo's voice needs the program piper: {INSTALL}")
    with tempfile.TemporaryDirectory(prefix="strad-demo-") as name:
        folder = Path(name)
        (folder / "lines.txt").write_text("\n".join(lines) + "\n", "utf-8")
        _run_piper(voice, folder)
        files = sorted(folder.glob("*.wav"), key=lambda path: int(path.stem))
        if len(files) != len(lines):
            raise WorkError(f"piper spoke {len(files)} of {len(lines)} lines")
        return [read_wav(file) for file in files]


def _run_piper(voice: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "piper", "--model", str(voice)]
    command += ["--input-file", str(folder / "lines.txt"), "--output-dir", str(folder)]
    command += ["--noise-scale", "0", "--noise-w-scale", "0"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise WorkError(f"piper took longer than {PATIENCE:.0f} s") from error
    if done.returncode != 0:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise WorkError(f"piper failed: {' '.join(last) or done.returncode}")


def read_wav(path: Path) -> Sound:
    """A 16-bit WAV file as mono sound at ``RATE``. Raises OSError, wave.Error."""
    with wave.open(str(path), "rb") as file:
        channels, rate = file.getnchannels(), file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    return resample(samples.reshape(-1, channels)[:, 0], rate)


def resample(samples: NDArray[np.int16], rate: int) -> Sound:
    """The same sound at ``RATE`` samples a second."""
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples)[None], "s16", "mono")
    frame.sample_rate = rate
    resampler = av.AudioResampler("flt", "mono", RATE)
    parts = [*resampler.resample(frame), *resampler.resample(None)]
    return np.concatenate([part.to_ndarray()[0] for part in parts]).astype(np.float32)
