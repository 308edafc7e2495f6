"""Small films with descriptions and words, as manifests have them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.streaming.clips import Recipe, clip

FPS = 10
SOUND = (3.0, 5.0)
"""When there is a tone."""


def film(path: Path, seconds: float = 30, **recipe: Any) -> Path:
    """Each picture carries its own number."""
    path.write_bytes(_made(seconds, tuple(recipe.items())))
    return path


@cache
def _made(seconds: float, recipe: tuple[tuple[str, Any], ...]) -> bytes:
    given = dict(recipe)
    made = Recipe(seconds=seconds, fps=FPS, gop=25, size=(96, 54), beeps=(SOUND,), **given)
    return clip(made)


def entry(name: str, seconds: float = 30, seed: int = 0) -> dict[str, Any]:
    """A description every nine seconds or so, and some words between."""
    rng, t = Random(seed), 2.5
    ad, words = [], []
    while t < seconds - 4:
        end = round(t + rng.uniform(1.2, 3), 3)
        ad.append({"start": t, "end": end, "text": f"Thing {seed} passes at {t:g}."})
        words.append({"start": end + 1, "end": end + 2.4, "text": "So there."})
        t = round(t + rng.uniform(7, 10), 3)
    return {
        "id": name,
        "source": {"path": f"{name}.mp4"},
        "duration": seconds,
        "ad": ad,
        "transcript": words,
    }


def manifest(folder: Path, *entries: dict[str, Any]) -> Path:
    """A manifest of these."""
    path = folder / "manifest.json"
    path.write_text(json.dumps({"version": 1, "name": "films", "videos": entries}))
    return path


def films(folder: Path, count: int, seconds: float = 30) -> Path:
    """A manifest with so many films."""
    for n in range(count):
        film(folder / f"film{n}.mp4", seconds)
    return manifest(folder, *(entry(f"film{n}", seconds, n) for n in range(count)))
