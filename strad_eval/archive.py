"""A bundle: one ZIP that holds what a score was made from, so that anyone can make it again."""

from __future__ import annotations

import json
import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from strad.errors import FormatError, InputError

REFERENCES, PREDICTIONS, EFFICIENCY = "references", "predictions", "efficiency"
REPORT, HARDWARE = "report.json", "hardware.json"
LARGEST = 1 << 30
"""Bytes of all members, unpacked; more is refused, whatever the archive claims."""
# Compressed data that is broken raises its own errors, a name that is no UTF-8 a ValueError.
_BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_ENDINGS = {".json", ".jsonl", ".ndjson", ".csv", ".vtt", ".srt"}


def pack(path: Path, report: str, hardware: Mapping[str, str], files: Mapping[str, Path]) -> None:
    """Write the bundle; the same content gives the same bytes. ``path`` must be free to write."""
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, REPORT, report.encode())
        _add(archive, HARDWARE, (json.dumps(dict(hardware), indent=1) + "\n").encode())
        for name, file in files.items():
            ending = file.suffix.lower()
            _add(archive, name + (ending if ending in _ENDINGS else ".txt"), file.read_bytes())


def unpack(path: Path, into: Path) -> dict[str, Path]:
    """Its members by name without ending, as files in the folder ``into``.

    Raises FormatError for what is no bundle. No name in the archive becomes a path.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            known = [(name, info) for info in archive.infolist() if (name := _known(info.filename))]
            twice = [name for name, times in Counter(n for n, _ in known).items() if times > 1]
            if twice:
                raise FormatError(f"it holds two files of {twice[0]}", file=str(path))
            left = LARGEST
            found = {}
            for name, info in known:
                found[name] = _extract(archive, info, into / info.filename, left, path)
                left -= found[name].stat().st_size
            return found
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    except _BROKEN as error:
        raise FormatError(f"not a bundle: {error}", file=str(path)) from None


def _known(filename: str) -> str | None:
    stem, _, ending = filename.partition(".")
    if filename in (REPORT, HARDWARE):
        return stem
    fits = stem in (REFERENCES, PREDICTIONS, EFFICIENCY) and f".{ending}" in {*_ENDINGS, ".txt"}
    return stem if fits else None


def _extract(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, to: Path, left: int, path: Path
) -> Path:
    with archive.open(info) as member, to.open("xb") as out:
        while block := member.read(1 << 20):
            left -= len(block)
            if left < 0:
                raise FormatError(f"{info.filename} is too large", file=str(path))
            out.write(block)
    return to


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _LONG_AGO)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)
