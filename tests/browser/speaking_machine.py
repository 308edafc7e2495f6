"""A machine that speaks, for a browser with a window: a display, a silent sound card, a dispatcher.

Xvfb, PulseAudio with a null sink (sound takes its time there, and nobody hears it) and Speech
Dispatcher with eSpeak NG, each in a folder of its own and ended with the test.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

PROGRAMS = {
    "Xvfb": "xvfb",
    "pulseaudio": "pulseaudio",
    "speech-dispatcher": "speech-dispatcher",
    "espeak-ng": "espeak-ng",
}
"""Each program, and its Debian package."""

MODULE = Path("/usr/lib/speech-dispatcher-modules/sd_espeak-ng")
"""Of Debian's speech-dispatcher-espeak-ng."""

CONFIG = """AudioOutputMethod "pulse"
AddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"
DefaultModule espeak-ng
"""

SCREEN = ("-screen", "0", "1280x800x24", "-nolisten", "tcp")

LIMIT = 30.0
"""Seconds that a program may take to be there."""


def need_voices() -> None:
    """Skips the test where a program is missing."""
    missing = [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if not MODULE.exists():
        missing.append("speech-dispatcher-espeak-ng")
    if missing:
        pytest.skip(f"needs a machine that speaks: apt-get install {' '.join(missing)}")


@asynccontextmanager
async def speaking_machine(folder: Path) -> AsyncIterator[dict[str, str | float | bool]]:
    """The environment of a browser that is shown and speaks there. ``folder``: a short path."""
    here = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
    async with AsyncExitStack() as running:
        display = await running.enter_async_context(_display(here))
        sound = {**here, "PULSE_SERVER": f"unix:{folder / 'sound'}"}
        await running.enter_async_context(_program(_sound(folder), here, folder / "sound"))
        voices = _dispatcher(folder)
        await running.enter_async_context(_program(voices, sound, folder / "speechd"))
        yield {
            **sound,
            "DISPLAY": display,
            "SPEECHD_ADDRESS": f"unix_socket:{folder / 'speechd'}",
        }


def _sound(folder: Path) -> list[str]:
    listen = f"module-native-protocol-unix auth-anonymous=1 socket={folder / 'sound'}"
    words = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
    return [*words, f"--load={listen}", "--load=module-null-sink"]


def _dispatcher(folder: Path) -> list[str]:
    (folder / "config" / "modules").mkdir(parents=True)
    (folder / "config" / "speechd.conf").write_text(CONFIG)
    (folder / "config" / "modules" / "espeak-ng.conf").write_text("")
    words = ["speech-dispatcher", "-s", "-c", "unix_socket", "-S", str(folder / "speechd")]
    words += ["-t", "0", "-C", str(folder / "config"), "-L", str(folder)]
    return [*words, "-P", str(folder / "speechd.pid")]


@asynccontextmanager
async def _display(environment: dict[str, str]) -> AsyncIterator[str]:
    """A display whose number nobody had."""
    words = ("Xvfb", "-displayfd", "1", *SCREEN)
    program = await asyncio.create_subprocess_exec(
        *words, env=environment, stdout=PIPE, stderr=DEVNULL
    )
    try:
        assert program.stdout is not None
        async with asyncio.timeout(LIMIT):
            number = (await program.stdout.readline()).decode().strip()
        assert number, "Xvfb has no display to give"
        yield f":{number}"
    finally:
        await _end(program)


@asynccontextmanager
async def _program(
    words: list[str], environment: dict[str, str], socket: Path
) -> AsyncIterator[None]:
    """It runs, and its ``socket`` is there."""
    program = await asyncio.create_subprocess_exec(
        *words, env=environment, stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        async with asyncio.timeout(LIMIT):
            while not await asyncio.to_thread(socket.is_socket):
                assert program.returncode is None, f"{words[0]} ends with {program.returncode}"
                await asyncio.sleep(0.05)
        yield
    finally:
        await _end(program)


async def _end(program: Process) -> None:
    if program.returncode is None:
        program.terminate()
    async with asyncio.timeout(LIMIT):
        await program.wait()
