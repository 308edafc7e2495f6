"""Any media file as bytes that can be streamed: copied into Matroska by a guarded child process."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from clients.python.pace import Pace
from service.remuxer import ENDED, FAILED, HEAD
from strad.errors import DecoderError
from strad.timeline import Ms
from strad.wire.answering import Error
from streaming.ingest import KEPT_ENVIRONMENT, end_child

STALL = 60.0
"""Wall seconds without a piece after which the child has hung."""

MAX_PIECE = 256 * 1024**2


async def remuxed(path: Path, pace: Pace) -> AsyncIterator[bytes]:
    """The file as Matroska, at the speed it plays or as fast as it is taken.

    Raises MediaError and its kinds, InputError, DecoderError when the child crashed or hung.
    """
    async with remuxed_since(path, pace, 0) as (_, pieces):
        async for piece in pieces:
            yield piece


@asynccontextmanager
async def remuxed_since(
    path: Path, pace: Pace, since: Ms, *, seen: Ms = 0
) -> AsyncIterator[tuple[Ms, AsyncIterator[bytes]]]:
    """Where in the file it begins, which is hardly after ``since``, and its bytes from there.

    With ``Pace.LIVE`` what lies before ``since``, or was ``seen``, is sent at once. Raises as
    ``remuxed``.
    """
    process = await _start(os.path.abspath(path), since)  # noqa: ASYNC240 - touches no disk
    try:
        pieces = _pieces(process, path)
        begins, _ = await anext(pieces)
        yield begins, _paced(pieces, pace, max(since, seen))
    finally:
        await end_child(process)


async def _paced(
    pieces: AsyncIterator[tuple[Ms, bytes]], pace: Pace, since: Ms
) -> AsyncIterator[bytes]:
    clock = asyncio.get_running_loop().time
    begun = clock()
    async for reached, piece in pieces:
        if pace is Pace.LIVE:
            await asyncio.sleep(max(0.0, begun + (reached - since) / 1000 - clock()))
        if piece:
            yield piece


async def _start(path: str, since: Ms) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "service.remuxer", path, str(since)),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=DEVNULL,
        env=_environment(),
        start_new_session=True,
    )


async def _pieces(process: Process, path: Path) -> AsyncIterator[tuple[Ms, bytes]]:
    assert process.stdout is not None
    while True:
        try:
            async with asyncio.timeout(STALL):
                kind, size, reached = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
                if size > MAX_PIECE:
                    raise DecoderError(f"{path}: the copying child sent nonsense")
                data = await process.stdout.readexactly(size)
        except TimeoutError:
            raise DecoderError(f"{path}: copying it hung for {STALL:g} s") from None
        except asyncio.IncompleteReadError:
            raise DecoderError(f"{path}: the process that copied it died") from None
        if kind == ENDED:
            return
        if kind == FAILED:
            code, _, message = data.decode(errors="replace").partition(" ")
            raise Error(code=code, message=message[:2_000]).as_exception()
        yield reached, data


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in KEPT_ENVIRONMENT}
    return kept | {"PYTHONPATH": str(Path(__file__).parent.parent)}
