"""Pictures changed as augmentations want: subtitle bars, crops, light and colour. Pure."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image, ImageDraw, ImageEnhance, ImageFont, UnidentifiedImageError

from strad.errors import InputError
from streaming.media import VideoFrame

QUALITY = 85


def under_subtitles(frame: VideoFrame, text: str) -> VideoFrame:
    """The picture with ``text`` on a dark bar at its foot."""
    image = _opened(frame)
    pen = ImageDraw.Draw(image)
    wide, high = image.size
    font = ImageFont.load_default(max(9, high // 16))
    left, top, right, bottom = pen.textbbox((0, 0), text, font=font)
    x, y = (wide - (right - left)) // 2, high - (bottom - top) - high // 12
    pen.rectangle((max(0, x - 6), y - 4, min(wide, x + right + 6), y + bottom + 4), fill="black")
    pen.text((x, y), text, fill="white", font=font)
    return _closed(frame, image)


def cropped_and_graded(
    frame: VideoFrame, ratio: float, light: float, contrast: float, colour: float
) -> VideoFrame:
    """The middle of the picture in the shape ``ratio`` (width by height), graded; its size is new.

    The three factors are 1 where nothing changes. At most a quarter of either side is cut off.
    """
    image = _opened(frame)
    wide, high = image.size
    across = max(0.75 * wide, min(wide, high * ratio))
    down = max(0.75 * high, min(high, wide / ratio))
    x, y = (wide - across) / 2, (high - down) / 2
    image = image.crop((round(x), round(y), round(x + across), round(y + down)))
    image = ImageEnhance.Brightness(image).enhance(light)
    image = ImageEnhance.Contrast(image).enhance(contrast)
    return _closed(frame, ImageEnhance.Color(image).enhance(colour))


def _opened(frame: VideoFrame) -> Image.Image:
    try:
        return Image.open(io.BytesIO(frame.jpeg)).convert("RGB")
    except (UnidentifiedImageError, OSError) as error:
        raise InputError(f"the picture at {frame.t} ms can't be read: {error}") from None


def _closed(frame: VideoFrame, image: Image.Image) -> VideoFrame:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY)
    return replace(frame, jpeg=out.getvalue(), width=image.width, height=image.height)
