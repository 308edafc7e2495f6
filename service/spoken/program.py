"""The programs that speak: eSpeak NG and piper, each a process of its own for every text.

Both are GPL: they are run, never imported. The text goes in by stdin, never as an argument.
"""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import sys
import tempfile
import wave
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from service.settings import Speech
from strad.errors import InputError, MissingModelError, NotFoundError, WorkError

LAST = 2.0
"""Wall seconds a program that was told to stop has to do so."""

ESPEAK = ("espeak-ng", "espeak")


class SpeakingProgram(Protocol):
    """Says a text into a file."""

    def command(self, language: str, file: Path) -> Sequence[str]:
        """Raises NotFoundError where it has no voice for ``language``."""
        ...


@dataclass(frozen=True, slots=True)
class Espeak:
    """``path``: where it is. ``voice``: one of its own; empty: that of each language."""

    path: str
    voice: str

    def command(self, language: str, file: Path) -> Sequence[str]:
        return (self.path, "-v", self.voice or language, "-w", str(file), "--stdin")


@dataclass(frozen=True, slots=True)
class Piper:
    """``model``: its .onnx file, which speaks one ``language``."""

    model: Path
    language: str

    def command(self, language: str, file: Path) -> Sequence[str]:
        if primary(language) != primary(self.language):
            raise NotFoundError(f"the service's voice speaks {self.language}, not {language}")
        return (sys.executable, "-P", "-m", "piper", "--model", str(self.model), "-f", str(file))


def primary(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()


def find_program(speech: Speech) -> SpeakingProgram:
    """What the settings name. Raises MissingModelError, InputError."""
    if speech.program == "espeak-ng":
        path = next((found for name in ESPEAK if (found := shutil.which(name))), None)
        if path is None:
            raise MissingModelError(
                "setting speech.program: espeak-ng is not installed: apt-get install espeak-ng"
            )
        return Espeak(path, speech.voice)
    if find_spec("piper") is None:
        raise MissingModelError(
            "setting speech.program: piper is not installed: pip install piper-tts"
        )
    model = Path(speech.voice)
    return Piper(model, language_of(model))


def language_of(model: Path) -> str:
    """What a piper voice speaks, as the file beside it says. Raises InputError."""
    try:
        about = json.loads(Path(f"{model}.json").read_bytes())
        language = about["language"]["code"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(
            f"setting speech.voice: {model} is no voice of piper with its .onnx.json beside it"
        ) from None
    return str(language)


async def sound_of(program: SpeakingProgram, text: str, language: str, seconds: float) -> bytes:
    """``text`` as a WAV file, made within so many wall ``seconds``.

    Raises NotFoundError where there is no voice for ``language``, WorkError.
    """
    with tempfile.TemporaryDirectory(prefix="strad-spoken-") as folder:
        file = Path(folder) / "said.wav"
        code = await _run(program.command(language, file), text, seconds)
        return await asyncio.to_thread(_read, file, code, language)


def spoken(text: str) -> str:
    """One line, in which eSpeak NG finds no ``[[phonemes]]`` of its own."""
    return " ".join(text.replace("\0", "").replace("[", " ").replace("]", " ").split())


async def _run(command: Sequence[str], text: str, seconds: float) -> int:
    said = spoken(text).encode(errors="replace") + b"\n"
    try:
        program = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
        )
    except OSError as error:
        raise WorkError(f"the speaking program: {error.strerror or error}") from None
    try:
        async with asyncio.timeout(seconds):
            await program.communicate(said)
    except TimeoutError:
        raise WorkError(f"the speaking program took more than {seconds:g} s") from None
    finally:
        await _end(program)
    return program.returncode or 0


async def _end(program: Process) -> None:
    if program.returncode is not None:
        return
    program.kill()  # it has nothing to put in order
    async with asyncio.timeout(LAST):
        await program.wait()


def _read(file: Path, code: int, language: str) -> bytes:
    """Written anew, so that its head says how long it is."""
    if code or not file.exists():
        raise NotFoundError(f"the service has no voice that speaks {language}")
    out = io.BytesIO()
    try:
        with wave.open(str(file), "rb") as said, wave.open(out, "wb") as copy:
            copy.setparams(said.getparams())
            copy.writeframes(said.readframes(said.getnframes()))
    except (wave.Error, EOFError) as error:
        raise WorkError(f"the speaking program wrote no WAV: {error}") from None
    return out.getvalue()
