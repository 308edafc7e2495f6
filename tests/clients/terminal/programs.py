"""Programs that speak, as tests have them: one that writes down what it says, and a dispatcher."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

RECORDER = """#!/bin/sh
# Says nothing, and writes down what it was to say: arguments, then the text.
printf '%s\\n' "$*" >> '{folder}/args'
cat >> '{folder}/said'
printf '\\n' >> '{folder}/said'
{then}
"""


def recorder(folder: Path, then: str = "") -> Path:
    """A program that takes espeak-ng's place. ``then``: what it does at last, as shell."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "espeak-ng"
    program.write_text(RECORDER.format(folder=folder, then=then), encoding="utf-8")
    program.chmod(0o755)
    return program


def said_by(folder: Path) -> list[str]:
    """What a recorder was to say, so far."""
    path = folder / "said"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


class Dispatcher:
    """Speaks SSIP, as far as a client needs it; an utterance lasts until it is told to end."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.said: list[str] = []
        self.ends = True
        """Whether utterances end by themselves, at once."""
        self._number = 0
        self._writer: Any = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        text: list[str] | None = None
        while line := (await reader.readline()).decode().rstrip("\r\n"):
            if text is not None:
                if line == ".":
                    self._speak("\n".join(t.removeprefix(".") for t in text))
                    text = None
                else:
                    text.append(line)
                continue
            self.commands.append(line)
            if line == "SPEAK":
                text = []
                self._tell("230 OK RECEIVING DATA")
            elif line == "CANCEL SELF":
                self._tell("210 OK CANCELED")
                self._event(703, "CANCELED")
            elif line.startswith("SET SELF SYNTHESIS_VOICE none"):
                self._tell("411 ERR NO SUCH VOICE")
            else:
                self._tell("200 OK")
        writer.close()

    def _speak(self, text: str) -> None:
        self._number += 1
        self.said.append(text)
        self._tell(f"225-{self._number}", "225 OK MESSAGE QUEUED")
        self._event(701, "BEGIN")
        if self.ends:
            self._event(702, "END")

    def _event(self, code: int, what: str) -> None:
        self._tell(f"{code}-{self._number}", f"{code}-1", f"{code} {what}")

    def _tell(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())


@asynccontextmanager
async def dispatching(path: Path) -> AsyncIterator[Dispatcher]:
    """A dispatcher that listens at ``path``."""
    dispatcher = Dispatcher()
    async with await asyncio.start_unix_server(dispatcher.serve, path):
        yield dispatcher
