"""Real faces in packaged photographs: the right name, or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import skimage
from PIL import Image

from strad.errors import DescriberError, MissingModelError
from strad_engines.model_table import MODELS, ModelFile, Piece
from strad_engines.weights import Weights
from streaming.characters.bank import Character, CharacterBank
from streaming.characters.cast import Casting
from streaming.characters.colours import Marked
from streaming.characters.drawing import pixels_of
from streaming.characters.faces import FaceEmbedder, FaceFinder
from streaming.characters.identify import identify, portraits_of
from streaming.characters.loading import EMBEDDER, load_faces
from streaming.media import VideoFrame
from tests.streaming.characters.people import (
    CALLER,
    COLLINS,
    HOPPER,
    call,
    frame,
    jpeg,
    needs_caller,
    otherwise,
    photograph,
    pixels,
    portraits,
)

pytestmark = pytest.mark.media

Faces = tuple[FaceFinder, FaceEmbedder]
NOBODY = {
    "cat": Image.open(Path(skimage.__file__).parent / "data" / "chelsea.png").convert("RGB"),
    "grey": Image.new("RGB", (320, 180), (128, 128, 128)),
    "tiny": Image.new("RGB", (8, 8)),
}


@pytest.fixture(scope="module")
def faces() -> Faces:
    return load_faces(Weights(hub=False))


def named(image: Image.Image, faces: Faces, *known: Character) -> list[str]:
    pictures = [(one, pixels(photograph(one))) for one in known]
    cast = portraits_of(pictures, *faces, most=10)
    return [found.character.role for found in identify(pixels(image), cast, *faces)]


@pytest.mark.parametrize("who", [COLLINS, HOPPER])
def test_a_face_is_known_in_other_light_and_from_the_other_side(
    who: Character, faces: Faces
) -> None:
    image = otherwise(photograph(who))
    assert named(image, faces, HOPPER, COLLINS) == [who.role]


@needs_caller
@pytest.mark.parametrize("number", [20, 40, 80])
def test_a_face_is_known_in_other_pictures_of_a_film(number: int, faces: Faces) -> None:
    assert named(call(number), faces, HOPPER, COLLINS, CALLER) == [CALLER.role]


@pytest.mark.parametrize("who", [COLLINS, HOPPER, pytest.param(CALLER, marks=needs_caller)])
def test_who_is_not_in_the_bank_stays_unknown(who: Character, faces: Faces) -> None:
    others = [one for one in (COLLINS, HOPPER) if one is not who]
    assert named(photograph(who), faces, *others) == []
    assert named(photograph(who), faces) == []


@pytest.mark.parametrize("what", NOBODY)
def test_where_no_face_is_nobody_is_known(what: str, faces: Faces) -> None:
    assert named(NOBODY[what], faces, COLLINS, HOPPER) == []


def test_a_portrait_without_a_face_makes_nobody_known(faces: Faces) -> None:
    assert portraits_of([(COLLINS, pixels(NOBODY["cat"]))], *faces, most=10) == ()


def test_two_in_one_picture_are_told_apart_and_drawn_in_their_colours(
    faces: Faces, tmp_path: Path
) -> None:
    both = Image.new("RGB", (960, 570))
    both.paste(photograph(HOPPER), (0, 0))
    both.paste(photograph(COLLINS), (480, 0))
    bank = CharacterBank({"tt1": (COLLINS, CALLER, HOPPER)})
    folder = portraits(tmp_path / "portraits", COLLINS, HOPPER)
    cast = Casting(bank, folder, *faces).cast("tt1")
    cat = frame(NOBODY["cat"], 1_000)
    shown, people = cast.mark([frame(both), cat])
    assert people == (Marked("The Astronaut", "red"), Marked("The Admiral", "green"))
    assert shown[1] == cat
    marked = pixels_of(shown[0].jpeg, "it").astype(int)
    plain = pixels_of(frame(both).jpeg, "it").astype(int)
    changed = np.abs(marked - plain).max(axis=2) > 120
    left, right = marked[:, :480][changed[:, :480]], marked[:, 480:][changed[:, 480:]]
    assert np.median(left, axis=0)[1] > np.median(left, axis=0)[0] + 100  # green: Hopper
    assert np.median(right, axis=0)[0] > np.median(right, axis=0)[1] + 100  # red: Collins
    assert 0.002 < changed.mean() < 0.2


def test_a_film_that_the_bank_does_not_know_is_left_as_it_is(faces: Faces, tmp_path: Path) -> None:
    casting = Casting(CharacterBank({"tt1": (COLLINS,)}), tmp_path, *faces)
    picture = frame(photograph(COLLINS))
    for film in ("tt2", "tt1"):  # unknown; known, but without portraits
        assert casting.cast(film).mark([picture]) == ((picture,), ())


def test_a_broken_picture_is_one_clear_error(faces: Faces, tmp_path: Path) -> None:
    folder = portraits(tmp_path / "portraits", COLLINS)
    cast = Casting(CharacterBank({"tt1": (COLLINS,)}), folder, *faces).cast("tt1")
    with pytest.raises(DescriberError, match="frame at 7 ms is no readable picture"):
        cast.mark([VideoFrame(7, jpeg(NOBODY["cat"])[:300], 8, 8, 0)])


def test_without_the_weights_it_is_said_what_to_install() -> None:
    elsewhere = ModelFile("x.dat", "0" * 64, (Piece("no_such_package", "x.dat"),))
    table = {EMBEDDER: replace(MODELS[EMBEDDER], files=(elsewhere,))}
    with pytest.raises(MissingModelError, match=r"strad\[faces\]"):
        load_faces(Weights(hub=False, table=table))
