"""The keys: what a listener asks for while listening, each with one key."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import NoReturn

from clients.terminal.espeak import LONGEST
from clients.terminal.keyboard import Keyboard
from clients.terminal.narrator import Narrator
from strad.errors import StradError
from strad.flag import FlagKind
from strad.wire.asking import Finding
from strad.wire.viewing import Ad

HELP: Mapping[str, str] = {
    "space": "speech on or off",
    "r": "repeat the last one",
    "m": "what did I miss",
    "w": "who and what is on screen",
    "s": "skip what is being said",
    "f": "flag the last one as wrong",
    "l": "flag the last one as late",
    "+ -": "faster, slower",
    "] [": "louder, softer",
    "h": "these keys",
    "q": "quit",
}

MOST_MISSED = 10


class Keys:
    """For one narrator. What is asked for is spoken at once, over dialogue too: so it was asked."""

    def __init__(self, narrator: Narrator, language: str = "en") -> None:
        self._narrator = narrator
        self._language = language
        self._by = secrets.token_urlsafe(12)
        """This listener to the service, for as long as it listens."""
        self._answering: asyncio.Task[None] | None = None
        self._does: Mapping[str, Callable[[], Awaitable[str]]] = {
            "r": self._repeat,
            "m": self._missed,
            "w": self._scene,
            "f": lambda: self._flag(FlagKind.WRONG),
            "l": lambda: self._flag(FlagKind.LATE),
        }

    async def obey(self, keyboard: Keyboard) -> NoReturn:
        """Until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                key = (await keyboard.key()).lower()
                if key in self._does:
                    self._hush()
                    self._answering = tasks.create_task(self._answer(self._does[key]))
                else:
                    self._turn(key)

    def _hush(self) -> None:
        if self._answering is not None:
            self._answering.cancel()
        self._narrator.mouth.hush()

    def _turn(self, key: str) -> None:
        narrator = self._narrator
        match key:
            case " ":
                narrator.on = not narrator.on
                narrator.tell("speech on" if narrator.on else "speech off")
                if not narrator.on:
                    self._hush()
            case "+" | "=" | "-":
                narrator.manner = narrator.manner.faster(-1 if key == "-" else 1)
                narrator.tell(f"{narrator.manner.rate} words a minute")
            case "]" | "[":
                narrator.manner = narrator.manner.louder(-1 if key == "[" else 1)
                narrator.tell(f"volume {narrator.manner.volume}")
            case "s":
                self._hush()
            case "q":
                narrator.quit()
            case "h" | "?":
                narrator.tell("; ".join(f"{keys}: {what}" for keys, what in HELP.items()))
            case _:
                pass

    async def _answer(self, ask: Callable[[], Awaitable[str]]) -> None:
        try:
            text = await ask()
        except StradError as error:
            text = str(error)
        self._narrator.tell(text)
        await self._narrator.mouth.say(text, self._language, self._narrator.manner, LONGEST)

    def _last(self) -> Ad | None:
        return self._narrator.said[-1] if self._narrator.said else None

    async def _repeat(self) -> str:
        last = self._last()
        return last.text if last is not None else "nothing was said yet"

    async def _missed(self) -> str:
        narrator = self._narrator
        missed = await narrator.viewer.missed(
            after=narrator.heard, until=narrator.at(), most=MOST_MISSED
        )
        if not missed.ads:
            return "nothing was missed"
        narrator.heard = max(narrator.heard, *(ad.seq for ad in missed.ads))
        more = "and more before; " if missed.more else ""
        return f"{len(missed.ads)} missed: {more}" + " ".join(ad.text for ad in missed.ads)

    async def _scene(self) -> str:
        scene = await self._narrator.viewer.scene(self._narrator.at())
        draft = "draft: " if scene.draft else ""
        told = " ".join(thing.text for thing in scene.things)
        return draft + told if told else "nothing was made out"

    async def _flag(self, kind: FlagKind) -> str:
        last = self._last()
        if last is None:
            return "there is nothing to flag yet"
        await self._narrator.viewer.flag(last.id, Finding(kind=kind, by=self._by))
        return f"flagged as {kind}"
