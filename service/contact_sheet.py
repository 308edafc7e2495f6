"""A contact sheet: the pictures that a description was made from, on one page."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from strad.errors import InputError
from strad.text_file import refuse_output, write_text
from strad.timeline import Ms, to_seconds

COLUMNS, WIDTH, LABEL = 4, 320, 18


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture and its time."""

    t: Ms
    jpeg: bytes


def write_sheet(path: Path, title: str, pictures: Sequence[Picture], *, overwrite: bool) -> None:
    """As PNG or HTML, by the file's name. Raises InputError for another name, or no pictures."""
    if not pictures:
        raise InputError("no pictures were kept: record with --record-what media")
    if path.suffix.lower() == ".html":
        write_text(path, _page(title, pictures), overwrite=overwrite)
    elif path.suffix.lower() == ".png":
        refuse_output(path, overwrite=overwrite, option="--overwrite")
        path.write_bytes(_png(pictures))
    else:
        raise InputError(f"{path}: a contact sheet is a .png or an .html")


def _page(title: str, pictures: Sequence[Picture]) -> str:
    figures = "".join(
        f'<figure><img width="{WIDTH}" alt="Picture at {to_seconds(p.t):.1f} s" '
        f'src="data:image/jpeg;base64,{base64.b64encode(p.jpeg).decode()}">'
        f"<figcaption>{to_seconds(p.t):.1f} s</figcaption></figure>"
        for p in pictures
    )
    style = "body{font:1rem sans-serif}main{display:flex;flex-wrap:wrap}figure{margin:.5rem}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{style}</style><h1>{html.escape(title)}</h1><main>{figures}</main></html>\n"
    )


def _png(pictures: Sequence[Picture]) -> bytes:
    from PIL import Image, ImageDraw

    shown = [Image.open(io.BytesIO(p.jpeg)).convert("RGB") for p in pictures]
    height = max(round(image.height * WIDTH / image.width) for image in shown)
    rows = -(-len(shown) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * WIDTH, rows * (height + LABEL)), "black")
    draw = ImageDraw.Draw(sheet)
    for index, (picture, image) in enumerate(zip(pictures, shown, strict=True)):
        x, y = index % COLUMNS * WIDTH, index // COLUMNS * (height + LABEL)
        small = image.resize((WIDTH, round(image.height * WIDTH / image.width)))
        sheet.paste(small, (x, y))
        draw.text((x + 4, y + height + 3), f"{to_seconds(picture.t):.1f} s", fill="white")
    packed = io.BytesIO()
    sheet.save(packed, "PNG")
    return packed.getvalue()
