"""The photographs the demo clip is made of, where they lie, and what each one shows.

All ship inside packages of the extra ``demo``; their licences are in docs/adr/0014-demo-clip.md.
What they show was labelled by eye, in pixels of the original.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from PIL import Image

from service.demo.labels import Box, Labelled
from service.demo.script import Thing
from strad.errors import MissingModelError

INSTALL = "pip install 'strad[demo]'"


@dataclass(frozen=True, slots=True)
class Photograph:
    """One photograph and all that is known of it."""

    name: str
    package: str
    path: str
    credit: str
    views: tuple[Box, ...]
    """16:9 rectangles that each show the subject; the camera moves between two of them."""
    half: Box | None
    """An 8:9 rectangle that shows the subject, for one side of a split screen."""
    labels: tuple[Labelled, ...]
    traits: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def file(self) -> Path:
        """Where it lies. The package is not imported. Raises MissingModelError."""
        spec = find_spec(self.package)
        folders = spec.submodule_search_locations if spec else None
        path = Path(next(iter(folders)), self.path) if folders else None
        if path is None or not path.is_file():
            raise MissingModelError(f"the demo's photographs are not here: {INSTALL}")
        return path

    def open(self) -> Image.Image:
        """The picture, RGB. Raises MissingModelError."""
        with Image.open(self.file()) as image:
            return image.convert("RGB")


def _view(left: float, top: float, width: float) -> Box:
    return Box(left, top, left + width, top + width * 9 / 16)


def _half(left: float, top: float, width: float) -> Box:
    return Box(left, top, left + width, top + width * 9 / 8)


def _thing(
    box: tuple[float, float, float, float],
    *names: str,
    subject: bool = False,
    count: int = 1,
    traits: tuple[str, ...] = (),
) -> Labelled:
    return Labelled(Box(*box), Thing(names=names, count=count, subject=subject, traits=traits))


_WOMAN = ("person", "woman", "lady")
_SKIMAGE = "scikit-image, "

# fmt: off
PHOTOGRAPHS = (
    Photograph(
        "astronaut", "skimage", "data/astronaut.png",
        _SKIMAGE + "astronaut: NASA, public domain",
        views=(_view(0, 0, 512), _view(40, 4, 400), _view(0, 60, 512), _view(70, 0, 330)),
        half=_half(70, 6, 290),
        labels=(
            _thing((180, 16, 305, 190), *_WOMAN, "astronaut", subject=True,
                   traits=("smiling", "smiles", "blonde", "young", "orange")),
            _thing((180, 40, 305, 180), "face", "smile", "head", "hair", subject=True,
                   traits=("smiling", "smiles")),
            _thing((30, 200, 370, 512), "spacesuit", "suit", "jacket", traits=("orange",)),
            _thing((0, 0, 105, 480), "flag"),
            _thing((355, 0, 455, 280), "space shuttle", "shuttle", "rocket", "model"),
            _thing((277, 345, 510, 512), "helmet", traits=("black", "white")),
        ),
        texts=("EILEEN M. COLLINS", "COLLINS ASHBY COLEMAN HAWLEY TOGNINI"),
    ),
    Photograph(
        "officer", "matplotlib", "mpl-data/sample_data/grace_hopper.jpg",
        "matplotlib, grace_hopper: US Navy, public domain",
        views=(_view(0, 40, 512), _view(0, 90, 512), _view(20, 66, 450), _view(0, 150, 512)),
        half=_half(115, 8, 310),
        labels=(
            _thing((140, 20, 390, 340), *_WOMAN, "officer", subject=True,
                   traits=("old", "elderly", "serious")),
            _thing((155, 110, 375, 330), "face", "head", "hair", subject=True,
                   traits=("old", "elderly", "serious")),
            _thing((150, 20, 370, 150), "cap", "hat"),
            _thing((170, 165, 355, 235), "glasses"),
            _thing((20, 330, 512, 600), "uniform", "jacket", "suit", traits=("dark", "black")),
            _thing((215, 410, 300, 470), "tie"),
            _thing((0, 0, 190, 400), "flag"),
            _thing((325, 485, 455, 530), "ribbons", "medals"),
        ),
        texts=("COMO HOPPER",),
    ),
    Photograph(
        "cameraman", "skimage", "data/camera.png",
        _SKIMAGE + "camera: Lav Varshney, CC0",
        views=(_view(0, 40, 512), _view(0, 60, 450), _view(0, 110, 512), _view(60, 50, 380)),
        half=_half(20, 50, 330),
        labels=(
            _thing((0, 65, 280, 400), "person", "man", "cameraman", "photographer", subject=True,
                   traits=("young", "dark", "filming", "bending", "leaning", "stooping")),
            _thing((160, 65, 270, 200), "face", "head", "hair", traits=("dark", "black")),
            _thing((0, 110, 230, 512), "coat", "jacket", traits=("dark", "black", "long")),
            _thing((255, 140, 320, 185), "camera", "video camera"),
            _thing((230, 190, 400, 512), "tripod"),
            _thing((300, 115, 512, 240), "building", "buildings", "tower", "city"),
            _thing((230, 240, 512, 512), "grass", "field", "lawn"),
            _thing((0, 0, 512, 180), "sky"),
        ),
        traits=("black", "white", "gray", "grey"),
    ),
    Photograph(
        "cat", "skimage", "data/chelsea.png",
        _SKIMAGE + "chelsea: Stefan van der Walt, CC0",
        views=(_view(0, 20, 451), _view(20, 10, 400), _view(0, 46, 440), _view(60, 20, 360)),
        half=_half(90, 0, 266),
        labels=(
            _thing((20, 0, 400, 300), "cat", "animal", "kitten", "tabby", "pet", subject=True,
                   traits=("ginger", "brown", "tabby", "orange", "striped")),
            _thing((100, 60, 320, 290), "eyes", "ears", "nose", "whiskers", "head", "fur",
                   traits=("green",)),
        ),
    ),
    Photograph(
        "coffee", "skimage", "data/coffee.png",
        _SKIMAGE + "coffee: Rachel Michetti, CC0",
        views=(_view(0, 10, 600), _view(60, 10, 480), _view(0, 60, 600), _view(80, 20, 400)),
        half=_half(110, 4, 345),
        labels=(
            _thing((172, 20, 410, 290), "cup", "coffee cup", "mug", "espresso", "coffee", "drink",
                   subject=True, traits=("red", "white", "full", "small")),
            _thing((78, 80, 480, 385), "saucer", "plate", "dish", traits=("red",)),
            _thing((325, 70, 425, 330), "spoon", traits=("silver",)),
            _thing((0, 0, 600, 400), "table", "dining table", "wood",
                   traits=("wooden", "brown")),
        ),
    ),
    Photograph(
        "rocket", "skimage", "data/rocket.jpg",
        _SKIMAGE + "rocket: SpaceX, public domain",
        views=(_view(0, 67, 640), _view(80, 110, 500), _view(0, 30, 640), _view(100, 140, 440)),
        half=None,
        labels=(
            _thing((300, 120, 345, 415), "rocket", "missile", "spacecraft", "launch pad",
                   subject=True, traits=("white", "tall")),
            _thing((20, 0, 90, 400), "tower", "towers", "mast", "pylon"),
            _thing((80, 330, 470, 427), "lights", "light", traits=("bright",)),
            _thing((0, 0, 640, 300), "sky", "night", "dusk", "evening", traits=("dark", "blue")),
        ),
        traits=("dark", "blue"),
        texts=("DSCOVR",),
    ),
    Photograph(
        "temple", "sklearn", "datasets/images/china.jpg",
        "scikit-learn, china.jpg: danielbuechele, CC BY 2.0",
        views=(_view(0, 20, 640), _view(30, 20, 500), _view(0, 60, 640), _view(60, 25, 420)),
        half=_half(50, 10, 350),
        labels=(
            _thing((75, 30, 370, 400), "temple", "pagoda", "building", "tower", "palace",
                   "roof", subject=True, traits=("red", "green", "chinese", "tall")),
            _thing((230, 150, 640, 330), "lake", "water", "sea"),
            _thing((0, 150, 640, 427), "tree", "trees", "bushes", traits=("green",)),
            _thing((0, 0, 640, 140), "sky", traits=("blue",)),
        ),
    ),
    Photograph(
        "flower", "sklearn", "datasets/images/flower.jpg",
        "scikit-learn, flower.jpg: vultilion, CC BY 2.0",
        views=(_view(0, 50, 640), _view(90, 50, 450), _view(0, 67, 640), _view(130, 70, 380)),
        half=_half(150, 40, 330),
        labels=(
            _thing((175, 85, 450, 355), "flower", "dahlia", "blossom", "petals", "plant",
                   subject=True, traits=("orange", "yellow")),
            _thing((0, 0, 640, 427), "leaves", "leaf", traits=("green", "dark")),
        ),
        traits=("dark", "green", "blurred"),
    ),
    Photograph(
        "moon", "skimage", "data/moon.png",
        _SKIMAGE + "moon: public domain",
        views=(_view(0, 20, 512), _view(60, 10, 420), _view(0, 200, 512)),
        half=None,
        labels=(
            _thing((0, 0, 512, 512), "moon", "surface", "crater", "craters", subject=True,
                   traits=("gray", "grey")),
        ),
        traits=("gray", "grey", "black", "white"),
    ),
    Photograph(
        "stars", "skimage", "data/hubble_deep_field.jpg",
        _SKIMAGE + "hubble_deep_field: NASA and ESA, public domain",
        views=(_view(0, 0, 1000), _view(0, 300, 1000), _view(200, 100, 640), _view(300, 400, 640)),
        half=None,
        labels=(
            _thing((0, 0, 1000, 872), "stars", "star", "galaxies", "galaxy", "space", "sky",
                   "night", subject=True, traits=("dark", "black")),
        ),
        traits=("dark", "black"),
    ),
)
# fmt: on

PEOPLE = frozenset({"astronaut", "officer", "cameraman"})
"""Photographs of one person each."""

SCENERY = frozenset({"rocket", "temple", "flower", "moon", "stars"})
"""Photographs of neither a person, an animal nor a thing of the household."""


def photograph(name: str) -> Photograph:
    """The one of this name. Raises KeyError."""
    return {photo.name: photo for photo in PHOTOGRAPHS}[name]
