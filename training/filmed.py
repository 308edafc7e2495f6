"""A manifest's videos, asked before days of training: can all be described, and which are they."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path

from strad.errors import InputError
from strad.manifest import read_manifest
from strad.text_file import read_text
from strad_eval.provenance import fingerprint
from training.material import Material


def check_filmed(manifest: Path, films: Sequence[Material]) -> None:
    """Raises FormatError where ``manifest`` can't be scored with, InputError where media lack."""
    read = read_manifest(read_text(manifest), file=str(manifest))
    if not read.videos:
        raise InputError(f"{manifest} has no video that can be described")
    there: Collection[str] = {film.id for film in films}
    missing = [video.id for video in read.videos if video.id not in there]
    if missing:
        raise InputError(
            f"{manifest}: no media of {len(missing)} of {len(read.videos)} videos ({missing[0]}): "
            "say where they lie (--media), or leave these out of the manifest"
        )


def films_sha256(films: Sequence[Material]) -> str:
    """Of the videos' bytes, wherever they lie: another cut or encoding has another.

    Reads all of them. Raises InputError for one that can't be read.
    """
    whole = hashlib.sha256()
    for film in films:
        whole.update(repr((film.id, fingerprint(film.media)["sha256"])).encode())
    return whole.hexdigest()
