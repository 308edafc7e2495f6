"""Speech Dispatcher, which screen readers speak through, over its own protocol (SSIP) and socket.

https://htmlpreview.github.io/?https://github.com/brailcom/speechd/blob/master/doc/ssip.html
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from clients.terminal.espeak import LONGEST, SpeechError
from clients.terminal.manner import Manner

ANSWER = 5.0
"""Seconds it may take to answer a command."""

USUAL, SLOW, FAST = 170, 80, 390
"""Words a minute at the rates 0, -100 and 100 of its eSpeak NG module; others differ somewhat."""


@dataclass(frozen=True, slots=True)
class SocketAddress:
    """Where it listens: a path, or a host and port."""

    path: str = ""
    host: str = ""
    port: int = 0

    @property
    def there(self) -> bool:
        """Whether there is something to connect to, as far as can be seen."""
        return bool(self.host) or Path(self.path).is_socket()


def socket_address(environment: Mapping[str, str] | None = None) -> SocketAddress:
    """As its own clients find it: by ``SPEECHD_ADDRESS``, else where it is by default."""
    env = os.environ if environment is None else environment
    kind, _, rest = env.get("SPEECHD_ADDRESS", "").partition(":")
    if kind == "inet_socket":
        host, _, port = rest.partition(":")
        return SocketAddress(host=host or "127.0.0.1", port=int(port) if port.isdigit() else 6560)
    if kind == "unix_socket" and rest:
        return SocketAddress(path=rest)
    folder = env.get("XDG_RUNTIME_DIR") or str(Path.home() / ".cache")
    return SocketAddress(path=f"{folder}/speech-dispatcher/speechd.sock")


class SpeechDispatcher:
    """One connection. Made by ``open_dispatcher``."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._set: dict[str, str] = {}
        self._owed = 0
        """Answers that are yet to come."""
        self._takes_text = False

    async def say(self, text: str, language: str, manner: Manner) -> None:
        """Return when it is said, or was cut off by whoever may. Raises SpeechError."""
        await self._become(language, manner)
        lines = [f".{line}" if line.startswith(".") else line for line in text.splitlines()]
        try:
            async with asyncio.timeout(LONGEST):
                await self.command("SPEAK")
                queued = await self.command("\r\n".join([*lines, "."]))
                await self._until_said(queued[0][4:])
        except TimeoutError:
            raise SpeechError(f"speech-dispatcher spoke for more than {LONGEST:g} s") from None
        except asyncio.CancelledError:
            await self._fall_silent()
            raise

    async def command(self, words: str) -> list[str]:
        """The lines of the answer. Raises SpeechError."""
        self._owed += 1
        self._writer.write(f"{words}\r\n".encode(errors="replace"))
        answer = await self._answered()
        if not answer[-1].startswith("2"):
            raise SpeechError(f"speech-dispatcher: {answer[-1][:200]}")
        return answer

    async def _answered(self) -> list[str]:
        """The last of the answers that are still to come; events between them are passed over."""
        answer = [""]
        try:
            async with asyncio.timeout(ANSWER):
                await self._writer.drain()
                while self._owed:
                    answer = await self._answer()
                    if not answer[-1].startswith("7"):
                        self._owed -= 1
                        self._takes_text = answer[-1].startswith("230")
        except (OSError, TimeoutError) as error:
            raise SpeechError(f"speech-dispatcher: {error or 'no answer'}") from None
        return answer

    async def _fall_silent(self) -> None:
        """Cancel what is said, or is about to be."""
        with suppress(SpeechError):
            await self._answered()
            if self._takes_text:
                await self.command(".")
            await self.command("CANCEL SELF")

    async def _become(self, language: str, manner: Manner) -> None:
        wanted = {
            "LANGUAGE": language.partition("-")[0].lower(),
            "RATE": str(rate_of(manner.rate)),
            "VOLUME": str(manner.volume * 2 - 100),
        }
        if manner.voice:
            wanted["SYNTHESIS_VOICE"] = "".join(manner.voice.split())
        for what, value in wanted.items():
            if self._set.get(what) != value:
                await self.command(f"SET SELF {what} {value}")
                self._set[what] = value

    async def _until_said(self, message: str) -> None:
        """702: its end; 703: cancelled, by us or by somebody who speaks before us."""
        while True:
            event = await self._answer()
            kind = event[-1][:3]
            if kind in ("702", "703") and event[0][4:] == message:
                return

    async def _answer(self) -> list[str]:
        lines: list[str] = []
        while not lines or lines[-1][3:4] == "-":
            try:
                line = await self._reader.readline()
            except (OSError, ValueError) as error:
                raise SpeechError(f"speech-dispatcher: {error}") from None
            if not line.endswith(b"\n"):
                raise SpeechError("speech-dispatcher has gone away")
            lines.append(line.decode(errors="replace").rstrip())
        return lines


@asynccontextmanager
async def open_dispatcher(address: SocketAddress) -> AsyncIterator[SpeechDispatcher]:
    """Connect, and say who speaks. Raises SpeechError."""
    try:
        async with asyncio.timeout(ANSWER):
            if address.host:
                reader, writer = await asyncio.open_connection(address.host, address.port)
            else:
                reader, writer = await asyncio.open_unix_connection(address.path)
    except (OSError, TimeoutError):
        where = f"{address.host}:{address.port}" if address.host else address.path
        raise SpeechError(f"speech-dispatcher doesn't answer at {where}: is it running?") from None
    try:
        dispatcher = SpeechDispatcher(reader, writer)
        await dispatcher.command("SET SELF CLIENT_NAME strad:listen:main")
        await dispatcher.command("SET SELF PRIORITY TEXT")
        await dispatcher.command("SET SELF NOTIFICATION ALL ON")
        yield dispatcher
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def rate_of(words: int) -> int:
    """Its rate, -100 to 100, for words a minute."""
    span = USUAL - SLOW if words < USUAL else FAST - USUAL
    return min(100, max(-100, round(100 * (words - USUAL) / span)))
