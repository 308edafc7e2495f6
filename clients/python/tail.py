"""The tail of a file: its bytes from the start, and then what is still being written to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import BinaryIO

from strad.errors import InputError

CHUNK = 64 * 1024
LOOK_EVERY = 0.2
"""Wall seconds between two looks at a file that has not grown."""


async def read_file(
    path: Path, *, follow: bool = False, still: float = 10.0, finished: asyncio.Event | None = None
) -> AsyncGenerator[bytes, None]:
    """The file's bytes.

    With ``follow``, goes on as the file grows, until it has not grown for ``still`` wall seconds,
    or ``finished`` is set and all is read. Raises InputError.
    """
    file = open_file(path)
    try:
        async for chunk in _tail(file, path, still if follow else 0.0, finished):
            yield chunk
    finally:
        file.close()


async def _tail(
    file: BinaryIO, path: Path, still: float, finished: asyncio.Event | None
) -> AsyncIterator[bytes]:
    clock = asyncio.get_running_loop().time
    grown = clock()
    while True:
        chunk = await asyncio.to_thread(file.read, CHUNK)
        if chunk:
            yield chunk
            grown = clock()
        elif clock() >= grown + still or (finished is not None and finished.is_set()):
            return
        else:
            _check_not_cut(file, path)
            await asyncio.sleep(LOOK_EVERY)


def _check_not_cut(file: BinaryIO, path: Path) -> None:
    try:
        size = path.stat().st_size
    except OSError:
        return  # moved or deleted: what is written is still read through the open file
    if size < file.tell():
        raise InputError(f"{path}: became shorter while it was read")


def open_file(path: Path) -> BinaryIO:
    """The file, for reading. Raises InputError: missing, a directory, not readable."""
    if path.is_dir():
        raise InputError(f"{path}: is a directory, not a media file")
    try:
        return path.open("rb")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: can't be read: {why}") from None
