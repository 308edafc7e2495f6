"""Encoded pictures and sounds as arrays, for engines that run in this process."""

from __future__ import annotations

import io
import wave
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Audio, Image

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""Height, width, RGB."""
Samples: TypeAlias = npt.NDArray[np.float32]
"""Mono, in [-1, 1]."""


def pixels(image: Image) -> Pixels:
    """The picture's pixels. Raises EngineRefusedError for what is no picture."""
    from PIL import Image as Pictures
    from PIL import UnidentifiedImageError

    try:
        with Pictures.open(io.BytesIO(image.data)) as picture:
            return np.array(picture.convert("RGB"))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise EngineRefusedError(f"a picture can't be decoded: {error}") from None


def samples(audio: Audio) -> tuple[Samples, int]:
    """The sound, its channels mixed, and its samples a second. WAV of 16 bits only."""
    try:
        with wave.open(io.BytesIO(audio.data)) as sound:
            if audio.format != "wav" or sound.getsampwidth() != 2:
                raise EngineRefusedError("sound must be a WAV file of 16 bits a sample")
            pcm = np.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2")
            heard = pcm.reshape(-1, sound.getnchannels()).astype(np.float32).mean(axis=1)
            return heard / 32_768, sound.getframerate()
    except (wave.Error, EOFError) as error:
        raise EngineRefusedError(f"sound can't be read: {error}") from None
