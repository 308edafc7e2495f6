"""A question's sound from a folder of WAV files, one a video, cut to its segment."""

from __future__ import annotations

import io
import wave
from pathlib import Path

from strad.errors import InputError, MediaError
from strad_engines.messages import Audio
from strad_eval.asking.frames import inside
from strad_eval.mcq.item import Item


def sound_of(folder: Path, item: Item) -> Audio:
    """The WAV of ``folder/<video>.wav`` from the segment's start to its end."""
    path = inside(folder, f"{item.video}.wav")
    try:
        with wave.open(str(path), "rb") as source:
            return Audio(_cut(source, item, path))
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    except (wave.Error, EOFError) as error:
        raise MediaError(f"{path}: not a WAV file: {error}") from None


def _cut(source: wave.Wave_read, item: Item, path: Path) -> bytes:
    rate, length = source.getframerate(), source.getnframes()
    start, end = item.segment or (0.0, length / rate)
    first, last = min(length, round(start * rate)), min(length, round(end * rate))
    if first >= last:
        raise MediaError(f"{path}: no sound from {start:g} to {end:g} s")
    source.setpos(first)
    out = io.BytesIO()
    with wave.open(out, "wb") as target:
        target.setparams(source.getparams())
        target.writeframes(source.readframes(last - first))
    return out.getvalue()
