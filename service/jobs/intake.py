"""The intake: a job's file, written as it comes, within a size, a pace and a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from strad.errors import InputError, PeerGoneError, WorkError

SILENCE = 30.0
"""Wall seconds without a byte after which the sender is gone."""

HELD = 1024 * 1024
"""Bytes held before they are written."""


async def receive(chunks: AsyncIterator[bytes], path: Path, most: int, seconds: float) -> int:
    """Write all of ``chunks`` to ``path``; how many bytes there were.

    Raises InputError past ``most`` bytes or for none, PeerGoneError for a sender that is silent or
    takes over ``seconds``, WorkError for a disk that is full. What was written then stays.
    """
    taken, held = 0, bytearray()
    try:
        async with asyncio.timeout(seconds):
            with await asyncio.to_thread(path.open, "wb") as file:
                async for chunk in _lively(chunks):
                    taken += len(chunk)
                    held += chunk
                    if taken > most:
                        raise InputError(f"a file may have {most} bytes")
                    if len(held) >= HELD:
                        await asyncio.to_thread(file.write, bytes(held))
                        held.clear()
                await asyncio.to_thread(file.write, bytes(held))
    except TimeoutError:
        raise PeerGoneError(f"the file did not come within {seconds:g} s") from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise WorkError(f"the file can't be kept: {why}") from None
    if not taken:
        raise InputError("no file: the body is empty")
    return taken


async def _lively(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    while True:
        try:
            async with asyncio.timeout(SILENCE):
                chunk = await anext(chunks)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise PeerGoneError(f"nothing came for {SILENCE:g} s") from None
        yield chunk
