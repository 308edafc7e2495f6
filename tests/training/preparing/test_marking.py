"""Who is known is boxed and named in segments, and nowhere else; the pictures without are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from streaming.characters.bank import Character, CharacterBank
from streaming.characters.cast import Casting
from streaming.characters.faces import Face, Pixels, Vector
from streaming.describers.facts.box import Box
from tests.streaming.clips import number_of
from tests.training import filmed
from training.augmentations import apply
from training.example import Kind
from training.preparing.prepare import prepare
from training.preparing.run import Watcher
from training.preparing.wishes import Wishes
from training.skipped import Skips
from training.sources.manifests import manifest_materials

pytestmark = pytest.mark.media


class OneFace:
    """Finds a face in the upper left of every picture."""

    sure = 0.5

    def find(self, pixels: Pixels) -> list[Face]:
        return [Face(Box(0.1, 0.05, 0.4, 0.35), 0.9)]


class SamePerson:
    """Takes everybody for the same person."""

    same = 0.9

    def embed(self, pixels: Pixels, faces: Sequence[Face]) -> list[Vector]:
        return [np.ones(4, np.float32) for _ in faces]


def test_segments_name_who_is_seen_and_windows_nobody(tmp_path: Path) -> None:
    filmed.film(tmp_path / "tt1.mp4")
    source = filmed.manifest(tmp_path, filmed.entry("tt1"))
    Image.new("RGB", (40, 40)).save(tmp_path / "nm1.jpg")
    bank = CharacterBank({"tt1": (Character("nm1", "Anna"),)})
    casting = Casting(bank, tmp_path, OneFace(), SamePerson())
    skips = Skips()
    materials = manifest_materials(source, None, skips)
    work = prepare(
        *(materials, tmp_path / "data", Wishes(share=0.0, casting="Anna"), skips),
        watcher=Watcher(),
        jobs=1,
        casting=casting,
    )
    examples = asyncio.run(work)[0].split("train")
    assert {example.kind for example in examples} == set(Kind)
    for example in examples:
        if example.kind is not Kind.SEGMENT:
            assert (example.names, example.plain) == ((), ())
            continue
        assert example.names == ("Anna (red box)",)
        for shown, plain in zip(example.window.frames, example.plain, strict=True):
            assert shown.jpeg != plain.jpeg
            assert number_of(plain.jpeg) == min(plain.t * filmed.FPS // 1000, 299)
        changed = (apply(example, ["face"], np.random.default_rng(s)) for s in range(20))
        bare = next(one for one in changed if not one.names)
        assert bare.window.frames == example.plain
