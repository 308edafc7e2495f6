"""eSpeak NG, run as a program of its own, one run an utterance."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence

from clients.terminal.manner import Manner
from strad.errors import WorkError

LONGEST = 120.0
"""Seconds an utterance may take."""

LAST = 2.0
"""Seconds a program that was told to stop has to do so."""


class SpeechError(WorkError):
    """The program that speaks failed."""

    code = "failed"


class Espeak:
    """``program``: its path, and what always goes before our own arguments."""

    def __init__(self, program: Sequence[str]) -> None:
        self._program = tuple(program)

    async def say(self, text: str, language: str, manner: Manner) -> None:
        """Return when it is said. Raises SpeechError."""
        voice = manner.voice or language
        said = text.replace("\0", " ").encode(errors="replace")
        code, why = await self._run(said, voice, manner)
        if code and not manner.voice and voice != "en":
            # A language it has no voice for: better said than not.
            code, why = await self._run(said, "en", manner)
        if code or why.startswith("error:"):  # without a sound device it says so, and exits with 0
            raise SpeechError(f"espeak-ng can't speak: {why or f'it exits with {code}'}")

    async def _run(self, said: bytes, voice: str, manner: Manner) -> tuple[int, str]:
        how = ("-s", str(manner.rate), "-a", str(manner.volume), "-v", voice, "--stdin")
        try:
            program = await asyncio.create_subprocess_exec(
                *self._program, *how, stdin=PIPE, stdout=DEVNULL, stderr=PIPE
            )
        except OSError as error:
            raise SpeechError(f"{self._program[0]}: {error.strerror or error}") from None
        try:
            async with asyncio.timeout(LONGEST):
                _, problem = await program.communicate(said)
        except TimeoutError:
            raise SpeechError(f"espeak-ng spoke for more than {LONGEST:g} s") from None
        finally:
            await _silence(program)
        lines = problem.decode(errors="replace").strip().splitlines()
        return program.returncode or 0, lines[-1][:200] if lines else ""


async def _silence(program: Process) -> None:
    if program.returncode is not None:
        return
    program.kill()  # it has nothing to put in order, and sound that it had given out goes on else
    async with asyncio.timeout(LAST):
        await program.wait()
