"""SHA-256 of model files, remembered by size and modification time."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

from strad.errors import MissingModelError


def sha256_of(path: Path) -> str:
    """The file's SHA-256, as 64 hex digits. Reads all of it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Checksums:
    """Checks files against known hashes; one already checked is only looked at again if changed.

    ``record`` keeps what was checked from one start to the next: path -> size, mtime, SHA-256.
    A record that can't be read or written costs time, never correctness.
    """

    def __init__(self, record: Path) -> None:
        self._record = record

    def require(self, path: Path, sha256: str) -> None:
        """Raise MissingModelError unless ``path`` has this SHA-256."""
        found = self._remembered(path)
        if found is None:
            found = sha256_of(path)
            self._remember(path, found)
        if found != sha256:
            raise MissingModelError(
                f"{path} is damaged or another version: its SHA-256 is {found[:16]}..., "
                f"not {sha256[:16]}...; remove it or install it again"
            )

    def _remembered(self, path: Path) -> str | None:
        entry = self._load().get(str(path))
        match entry:
            case [size, mtime, str(digest)] if [size, mtime] == _stamp(path):
                return digest
            case _:
                return None

    def _load(self) -> dict[str, object]:
        try:
            loaded = json.loads(self._record.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return loaded if isinstance(loaded, dict) else {}

    def _remember(self, path: Path, digest: str) -> None:
        entries = {**self._load(), str(path): [*_stamp(path), digest]}
        try:
            self._record.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=self._record.parent, delete=False, encoding="utf-8"
            ) as file:
                json.dump(entries, file)
            os.replace(file.name, self._record)
        except OSError:
            return


def _stamp(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]
