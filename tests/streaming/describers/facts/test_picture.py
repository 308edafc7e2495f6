"""The same picture, a title over it, or another shot: told apart without a detector."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from strad.errors import DescriberError
from streaming.describers.facts.box import Box
from streaming.describers.facts.picture import Picture, another_shot, stands, unchanged
from streaming.media import VideoFrame
from tests.streaming.describers.facts.photos import card, frame, photo, zoom

pytestmark = pytest.mark.media


def test_compression_alone_is_no_change() -> None:
    cat = photo("chelsea.png").resize((640, 360))
    one, other = (Picture.of(frame(cat, 0, quality)) for quality in (70, 90))
    assert unchanged(one, other)


def test_a_small_title_is_a_change_but_no_cut() -> None:
    cat = photo("chelsea.png").resize((640, 360))
    titled = cat.copy()
    draw = ImageDraw.Draw(titled)
    draw.text((40, 320), "Chelsea", "white", ImageFont.load_default(20))
    one, other = Picture.of(frame(cat, 0)), Picture.of(frame(titled, 1000))
    assert not unchanged(one, other)
    assert not another_shot(one, other)


def test_a_zoom_is_no_cut_and_another_photograph_is() -> None:
    near, nearer = (Picture.of(one) for one in zoom(photo("astronaut.png"), 2))
    cat = Picture.of(zoom(photo("chelsea.png"), 1)[0])
    black = Picture.of(frame(Image.new("RGB", (640, 360)), 0))
    assert not another_shot(near, nearer)
    assert another_shot(cat, Picture.of(frame(card("One"), 0))) or another_shot(cat, near)
    assert not another_shot(black, black)


def test_a_broken_jpeg_is_a_typed_error() -> None:
    with pytest.raises(DescriberError, match="7 ms"):
        Picture.of(VideoFrame(7, b"\xff\xd8\xff\xe0", 640, 360, 0))


def test_cards_and_drawings_are_known_and_photographs_are_none() -> None:
    assert Picture.of(frame(card("Chapter One"), 0)).drawn
    assert not Picture.of(zoom(photo("coffee.png"), 1)[0]).drawn


def test_a_line_stands_while_the_picture_moves_behind_it_and_is_missed_when_it_goes() -> None:
    box = Box(0.2, 0.4, 0.8, 0.6)
    first, second = zoom(photo("chelsea.png"), 2)
    titled = [Picture.of(_titled(one)) for one in (first, second)]
    assert stands(box, titled[0], titled[1])
    assert not stands(box, titled[0], Picture.of(second))


def _titled(shown: VideoFrame) -> VideoFrame:
    picture = Image.open(io.BytesIO(shown.jpeg)).convert("RGB")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(48)
    draw.text((320, 180), "Chapter One", "white", font, anchor="mm", stroke_width=2)
    return frame(picture, shown.t)
