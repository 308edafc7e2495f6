"""A face has eyes, a nose and a mouth, and a body has limbs: what vouches for a person."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image

from streaming.describers.facts.blazeface import BlazeFace
from streaming.describers.facts.face_mesh import FaceMesh
from streaming.describers.facts.look import Detection
from streaming.describers.facts.models import FACE_PARTS, FACES, POSTURES
from streaming.describers.facts.part import Part, Turned
from streaming.describers.facts.picture import Picture
from streaming.describers.facts.posture import PostureFinder
from streaming.describers.facts.vocabulary import FACE_NETS
from tests.streaming.describers.facts.photos import (
    SIZE,
    WEIGHTS,
    frame,
    needs_detectors,
    photo,
    zoom,
)

pytestmark = pytest.mark.media


def _picture(name: str) -> Picture:
    return Picture.of(zoom(photo(name), 1)[0])


def _faces(picture: Picture) -> Sequence[Detection]:
    return BlazeFace(WEIGHTS.file(FACES), FaceMesh(WEIGHTS.file(FACE_PARTS))).find(picture)


@needs_detectors
def test_a_face_is_found_and_borne_out_by_its_parts() -> None:
    (face, *_) = _faces(_picture("astronaut.png"))
    assert face.by == FACE_NETS
    assert face.box.holds((0.44, 0.35))


@needs_detectors
def test_a_small_face_at_the_side_is_found_too() -> None:
    scene = Image.new("RGB", SIZE, (90, 110, 90))
    scene.paste(photo("astronaut.png").resize((300, 300)), (330, 40))
    (face, *_) = _faces(Picture.of(frame(scene, 0)))
    assert face.by == FACE_NETS
    assert face.box.holds(((330 + 132) / SIZE[0], (40 + 66) / SIZE[1]))


@needs_detectors
@pytest.mark.parametrize("name", ["moon.png", "gravel.png", "coffee.png"])
def test_what_has_no_face_bears_none_out(name: str) -> None:
    assert not any(face.by >= FACE_NETS for face in _faces(_picture(name)))


@needs_detectors
def test_a_body_is_found_by_its_limbs() -> None:
    finder = PostureFinder(WEIGHTS.file(POSTURES))
    assert len(finder.find(_picture("astronaut.png"))) == 1
    assert finder.find(_picture("brick.png")) == []


def test_a_part_is_shown_in_the_middle_of_a_square_and_its_places_are_known() -> None:
    pixels = np.full((100, 200, 3), 255, np.uint8)
    whole = Part.whole(pixels)
    square = whole.squared(pixels, 50)
    assert square.shape == (50, 50, 3)
    assert (square[0].max(), square[25].min()) == (-1, 1)
    assert whole.place(0.5, 0.5) == (100, 50)
    assert Part(100, 100, 100).place(0.0, 1.0) == (100, 100)


def test_a_turned_square_is_cut_out_upright() -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    pixels[:, 50:] = (0, 0, 255)
    upright = Turned((50, 50), 40, 0.0).cut_out(pixels, 32)
    quarter = Turned((50, 50), 40, np.pi / 2).cut_out(pixels, 32)
    assert upright[16, 30].tolist() == [1, 0, 0]
    assert upright[16, 2].max() == 0
    assert quarter[2, 16].tolist() == [1, 0, 0]
    assert quarter[30, 16].max() == 0
