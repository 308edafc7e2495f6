"""The narrator: speaks each AD in its gap, and tells what it did in plain lines."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import aclosing

from clients.python.viewer import Told, Viewer
from clients.terminal.manner import Manner
from clients.terminal.mouth import Mouth
from clients.terminal.playhead import Playhead
from clients.terminal.script import Cue, Say, Script, Wait
from strad.wire.viewing import Ad, Gap, StreamState, ViewerHello, Withdraw, Words

LOOK_EVERY = 0.5
"""Wall seconds after which the time is looked at again, whatever was told."""

DRAFT = "Draft: "


class Narrator:
    """Of one stream, for one listener."""

    def __init__(
        self,
        viewer: Viewer,
        mouth: Mouth,
        manner: Manner,
        tell: Callable[[str], object],
        note: Callable[[Told], object],
        delay: float | None = None,
    ) -> None:
        """``tell``: a line to read. ``note`` is given all messages but AD and withdrawals.

        ``delay``: how far behind the live edge this listener watches; None: as the stream says.
        """
        self.viewer = viewer
        self.mouth = mouth
        self.manner = manner
        self.tell = tell
        self.on = True
        """Whether AD are spoken; off, they are told as lines all the same."""
        self.said: deque[Ad] = deque(maxlen=50)
        """What was told or spoken, newest last."""
        self.heard = 0
        """``seq`` of the newest AD that was spoken to its end."""
        self._note = note
        self._delay = delay
        self._script, self._playhead = Script(), Playhead(delay)
        self._news = asyncio.Event()
        self._log: str | None = None
        self._known = 0
        self._ended_before = False
        self._over = False
        self._label = True

    async def run(self) -> None:
        """Until all is said, or ``quit``. Raises what ended the stream, or SpeechError."""
        async with asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(self._listen())
            await self._speak()
            listening.cancel()

    def quit(self) -> None:
        """Say nothing more."""
        self._over = True
        self._script.clear()
        self.mouth.hush()
        self._news.set()

    def at(self) -> float | None:
        """Media seconds where the listener is, where that is known."""
        return self._playhead.at(asyncio.get_running_loop().time())

    async def _listen(self) -> None:
        async with aclosing(self.viewer.messages()) as messages:
            async for message in messages:
                self._take(message)
                self._news.set()
        self._over = True
        self._news.set()

    def _take(self, message: Told) -> None:
        match message:
            case ViewerHello():
                self._begin(message)
            case Ad():
                self._take_ad(message)
            case Withdraw():
                self._take_back(message)
            case Gap() | Words():
                self._playhead.hear(message, asyncio.get_running_loop().time())
                if isinstance(message, Gap):
                    self._script.add_gap(message)
                self._note(message)
            case _:
                self._note(message)

    def _begin(self, hello: ViewerHello) -> None:
        if self._log != hello.log:
            first = self._log is None
            self._script, self._playhead = Script(), Playhead(self._delay)
            self._script.missed_from = hello.last if first else 0
            self._log, self.heard = hello.log, 0
            self._note(hello)
        self._known = hello.last
        self._ended_before = hello.state is StreamState.ENDED
        if hello.about is not None:
            self._playhead.told(hello.about.delay)

    def _take_ad(self, ad: Ad) -> None:
        if self._ended_before:
            self.said.append(ad)
            self.tell(line(ad))
            return
        if ad.seq > self._known:
            self._playhead.hear(ad, asyncio.get_running_loop().time())
        self._script.add(ad)

    def _take_back(self, withdraw: Withdraw) -> None:
        self._script.withdraw(withdraw.id)
        if self.said and self.said[-1].id == withdraw.id:
            self.mouth.hush()
            self.tell(f"taken back: {self.said[-1].text}")

    async def _speak(self) -> None:
        while True:
            self._news.clear()
            cue = self._cue()
            if (dropped := self._script.take_dropped()) > 0:
                what = "description was" if dropped == 1 else "descriptions were"
                self.tell(f"{dropped} {what} dropped: the time had passed")
            if isinstance(cue, Say):
                await self._say(cue)
            elif self._over and not self.mouth.busy and (cue.seconds is None or self._script.empty):
                return
            else:
                await _wait(self._news, min(LOOK_EVERY, cue.seconds or LOOK_EVERY))

    def _cue(self) -> Cue:
        now = asyncio.get_running_loop().time()
        at, edge = self._playhead.at(now), self._playhead.edge(now)
        if at is None or edge is None:
            return Wait(None)
        if self.mouth.busy:
            return Wait(LOOK_EVERY)
        return self._script.cue(at, edge, self.manner)

    async def _say(self, cue: Say) -> None:
        self.said.append(cue.ad)
        self.tell(line(cue.ad, cue.text))
        at = self.at()
        if not self.on or at is None:
            return
        text, left = cue.text, cue.until - at
        if cue.ad.draft and self._label and cue.manner.seconds(DRAFT + text) <= left:
            text, self._label = DRAFT + text, False
        if await self.mouth.say(text, cue.ad.language, cue.manner, left):
            self.heard = max(self.heard, cue.ad.seq)


async def _wait(news: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await news.wait()
    except TimeoutError:
        return


def line(ad: Ad, text: str = "") -> str:
    """An AD as one line: when, what, and whether it is of draft quality."""
    minutes, seconds = divmod(int(ad.start), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{clock}  {text or ad.text}{' (draft)' if ad.draft else ''}"
