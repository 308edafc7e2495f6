"""Tiny checkpoints, made once and kept under ``build/tiny-models`` by what they are made of.

Whoever needs one first makes it; others wait, in whatever process they are. A changed recipe,
prompt or library is another checkpoint. They are taught by code of their own (``tests.models``),
not by the product's, which is judged with them: no test would find a fault that both had.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from tests import tree

KEPT = tree.ROOT / "build" / "tiny-models"
_MADE_OF = (
    "tests/models/lessons.py",
    "tests/models/shapes.py",
    "tests/models/tiny_*.py",
    "tests/models/tower.py",
    "tests/models/training.py",
)
_LIBRARIES = ("torch", "transformers", "peft")


def kept(name: str, recipe: str, make: Callable[[Path], None]) -> Path:
    """The folder of checkpoint ``name``; made where it is not there yet, or not of this recipe."""
    target = KEPT / f"{name}-{_fingerprint(recipe)}"
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.is_dir():
            making = KEPT / f".{name}.making"
            shutil.rmtree(making, ignore_errors=True)
            make(making)
            os.replace(making, target)
    return target


def _fingerprint(recipe: str) -> str:
    digest = hashlib.sha256(recipe.encode())
    for library in _LIBRARIES:
        digest.update(f"{library} {metadata.version(library)}".encode())
    for path in sorted(path for pattern in _MADE_OF for path in tree.ROOT.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
