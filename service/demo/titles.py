"""Draws titles: words as a transparent layer to be laid over a frame, and the card under them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from service.demo.screenplay import Caption

Size: TypeAlias = tuple[int, int]
Colour: TypeAlias = tuple[int, int, int]

FONTS = ("", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSans.ttf", "DejaVuSerif-Bold.ttf")
"""The empty one is the font inside Pillow; the others ship with matplotlib."""


class Look(NamedTuple):
    """The colours of a card, top and bottom, and of its words."""

    top: Colour
    bottom: Colour
    ink: Colour


LOOKS = (
    Look((12, 12, 16), (28, 30, 38), (245, 245, 240)),
    Look((18, 34, 58), (30, 66, 96), (250, 250, 250)),
    Look((236, 230, 214), (216, 206, 184), (38, 30, 24)),
    Look((64, 18, 24), (36, 8, 12), (250, 236, 210)),
)


def card(caption: Caption, size: Size) -> Image.Image:
    """The background of a title card: a soft vertical gradient."""
    look = LOOKS[caption.style % len(LOOKS)]
    strip = Image.new("RGB", (1, 2))
    strip.putpixel((0, 0), look.top)
    strip.putpixel((0, 1), look.bottom)
    return strip.resize(size, Image.Resampling.BILINEAR)


def layer(caption: Caption, size: Size) -> Image.Image:
    """The words, RGBA, to be laid over a frame of this size."""
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    if caption.place == "card":
        _draw_card(draw, caption, size)
    elif caption.place == "corner":
        _draw_corner(draw, caption, size)
    else:
        _draw_lower_third(draw, caption, size)
    return image


def _draw_card(draw: ImageDraw.ImageDraw, caption: Caption, size: Size) -> None:
    ink = (*LOOKS[caption.style % len(LOOKS)].ink, 255)
    width, height = size
    step = height * 0.2
    y = height / 2 - step * (len(caption.lines) - 1) / 2
    for line in caption.lines:
        font = _font(draw, line, caption.style, 0.11 * height, 0.84 * width)
        draw.text((width / 2, y), line, fill=ink, font=font, anchor="mm")
        y += step


def _draw_lower_third(draw: ImageDraw.ImageDraw, caption: Caption, size: Size) -> None:
    width, height = size
    text = " ".join(caption.lines)
    font = _font(draw, text, caption.style, 0.085 * height, 0.8 * width)
    left, top = 0.05 * width, 0.78 * height
    right = left + draw.textlength(text, font=font) + 0.05 * width
    box = (left, top, right, top + 0.15 * height)
    draw.rectangle(box, fill=(10, 12, 20, 215))
    draw.rectangle((left, top, left + 5, box[3]), fill=(230, 180, 60, 255))
    middle = (left + 0.025 * width, (top + box[3]) / 2)
    draw.text(middle, text, fill=(255, 255, 255, 255), font=font, anchor="lm")


def _draw_corner(draw: ImageDraw.ImageDraw, caption: Caption, size: Size) -> None:
    width, height = size
    text = " ".join(caption.lines)
    font = _font(draw, text, caption.style, 0.075 * height, 0.7 * width)
    length = draw.textlength(text, font=font)
    left = 0.05 * width if caption.style % 2 else 0.91 * width - length
    top = 0.06 * height
    box = (left, top, left + length + 0.04 * width, top + 0.125 * height)
    draw.rectangle(box, fill=(245, 245, 240, 235))
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    draw.text(middle, text, fill=(20, 20, 26, 255), font=font, anchor="mm")


def _font(
    draw: ImageDraw.ImageDraw, text: str, style: int, pixels: float, room: float
) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The style's font, as large as asked or as fits the room."""
    font = _load(FONTS[style % len(FONTS)], pixels)
    length = draw.textlength(text, font=font)
    return font if length <= room else _load(FONTS[style % len(FONTS)], pixels * room / length)


def _load(name: str, pixels: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    spec = find_spec("matplotlib") if name else None
    if spec is None or not spec.submodule_search_locations:
        return ImageFont.load_default(pixels)
    folder = Path(next(iter(spec.submodule_search_locations)))
    return ImageFont.truetype(folder / "mpl-data/fonts/ttf" / name, pixels)
