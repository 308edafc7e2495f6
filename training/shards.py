"""Shards: tar files in WebDataset's layout, written in one go, read at any place.

The files of a sample follow each other and share a key. A sample's bytes are the same in every
shard, so that samples are moved from one to another without being read. Times and owners are
zero: the same examples make the same bytes.
"""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from strad.errors import FormatError, WorkError

BLOCK = tarfile.BLOCKSIZE
LARGEST = 1 << 30
"""Bytes after which another shard is begun."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sample lies."""

    shard: str
    """The file's name."""
    offset: int
    size: int


def packed(key: str, files: Mapping[str, bytes]) -> bytes:
    """The sample as a piece of a tar file."""
    pieces: list[bytes] = []
    for name, data in files.items():
        head = tarfile.TarInfo(f"{key}.{name}")
        head.size = len(data)
        pieces += [head.tobuf(tarfile.USTAR_FORMAT), data, bytes(-len(data) % BLOCK)]
    return b"".join(pieces)


def unpacked(piece: bytes, where: str) -> dict[str, bytes]:
    """The sample's files, without the key. Raises FormatError for what is no such piece."""
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=BytesIO(piece + bytes(2 * BLOCK)), mode="r:") as tar:
            for member in tar:
                content = tar.extractfile(member)
                _, _, name = member.name.partition(".")
                files[name] = content.read() if content else b""
    except (tarfile.TarError, OSError) as error:
        raise FormatError(f"not a piece of a tar file: {error}", file=where) from None
    return files


def read_piece(folder: Path, place: Place) -> bytes:
    """A sample's bytes. Raises WorkError where the shard isn't what it was."""
    path = folder / place.shard
    try:
        with path.open("rb") as file:
            file.seek(place.offset)
            piece = file.read(place.size)
    except OSError as error:
        raise WorkError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    if len(piece) != place.size:
        raise WorkError(f"{path}: is shorter than its index says: prepare it again")
    return piece


class ShardWriter:
    """Writes samples to ``NAME-00000.tar`` and on. Leave it, and they are whole."""

    def __init__(self, folder: Path, name: str, *, largest: int = LARGEST) -> None:
        self._folder = folder
        self._name = name
        self._largest = largest
        self._file: IO[bytes] | None = None
        self._offset = 0
        self._shard = ""
        self.shards: list[str] = []

    def add(self, piece: bytes) -> Place:
        """Write one sample. Raises WorkError when the disk fails or is full."""
        if self._file is None or (self._offset and self._offset + len(piece) > self._largest):
            self._begin()
        assert self._file
        self._write(piece)
        place = Place(self._shard, self._offset, len(piece))
        self._offset += len(piece)
        return place

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _begin(self) -> None:
        self._end()
        self._shard = f"{self._name}-{len(self.shards):05}.tar"
        self.shards.append(self._shard)
        path = self._folder / self._shard
        try:
            self._file = path.open("wb")
        except OSError as error:
            raise WorkError(f"{path}: can't be written: {(error.strerror or '').lower()}") from None
        self._offset = 0

    def _end(self) -> None:
        if self._file is not None:
            try:
                self._write(bytes(2 * BLOCK))
            finally:
                self._file.close()
                self._file = None

    def _write(self, data: bytes) -> None:
        assert self._file
        try:
            self._file.write(data)
        except OSError as error:
            path = self._folder / self._shard
            raise WorkError(f"{path}: can't be written: {(error.strerror or '').lower()}") from None
