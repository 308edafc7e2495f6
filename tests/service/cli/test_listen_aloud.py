"""``strad listen --speak``: each description in its gap, never over speech, and keys meanwhile."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from clients.terminal.keyboard import Keyboard
from clients.terminal.manner import Manner
from service.cli.listen_aloud import Aloud, narrate
from service.stream import Stream
from strad.decision import Kind
from strad.errors import InputError
from strad.flag import FLAGS
from strad.wire.asking import Wishes
from strad.wire.viewing import About, Gap, StreamState, Withdraw
from tests.clients.terminal.programs import recorder, said_by
from tests.service.ads import ad
from tests.service.fakes import Workshop
from tests.service.live import LiveService, live_service

pytestmark = pytest.mark.service

ABOUT = About(describer="facts", draft=True, delay=2.0, language="en")
FAST = Manner(rate=450)
LIMIT = 30.0


class Recorder:
    """Speaks by taking the time it would, and writes down what was begun, ended and cut off."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.cut: list[str] = []
        self.manners: list[Manner] = []
        self._lengths: dict[str, float] = {}
        self._news = asyncio.Event()

    def lasting(self, text: str, seconds: float) -> None:
        """How long that text takes; others no time."""
        self._lengths[text] = seconds

    async def say(self, text: str, language: str, manner: Manner) -> None:
        assert language == "en"
        self.begun.append(text)
        self.manners.append(manner)
        self._news.set()
        try:
            await asyncio.sleep(self._lengths.get(text, 0.0))
            self.ended.append(text)
        except asyncio.CancelledError:
            self.cut.append(text)
            raise
        finally:
            self._news.set()

    async def until(self, done: Callable[[], bool]) -> None:
        """Until it is so, after something was begun or ended."""
        async with asyncio.timeout(LIMIT):
            while not done():
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def listening(
    live: LiveService, speaker: Recorder, keyboard: Keyboard
) -> AsyncIterator[Stream]:
    """A live stream that is listened to."""
    async with (
        asyncio.TaskGroup() as tasks,
        live.station.streams.publishing("news", ABOUT) as stream,
    ):
        await stream.move(StreamState.LIVE)
        work = narrate(live.address(), Wishes(), Aloud(), FAST, speaker, keyboard)
        task = tasks.create_task(work)
        async with asyncio.timeout(LIMIT):
            while not stream.viewers:  # noqa: ASYNC110 - the service has no event for it
                await asyncio.sleep(0.01)
        yield stream
        if not task.done():
            await stream.end(None, None)


def test_each_is_spoken_in_its_time_and_no_longer_than_its_gap(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def go() -> None:
        speaker = Recorder()
        async with live_service(Workshop().equipment()) as live:  # noqa: SIM117 - what listens ends first
            async with listening(live, speaker, Keyboard()) as stream:
                speaker.lasting("It never ends.", 60.0)
                log = stream.log
                # The live edge is at 10, so the playhead at 8: one is due, one over, two to come.
                await log.append(lambda n: ad(n, 8, 9.5, "Due.", edge=10))
                await log.append(lambda n: ad(n, 5, 6, "Over.", edge=10))
                await log.append(lambda n: ad(n, 8.9, 9.7, "It never ends.", edge=10))
                await log.append(lambda n: ad(n, 9.8, 11, "Taken back.", edge=10, provisional=True))
                await log.append(
                    lambda n: Withdraw(seq=n, id=f"ad-{n - 1}", at=9.0, reason="speech")
                )
                await speaker.until(lambda: bool(speaker.cut))
        assert speaker.begun == ["Draft: Due.", "It never ends."]
        assert (speaker.ended, speaker.cut) == (["Draft: Due."], ["It never ends."])

    asyncio.run(go())
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "1 description was dropped: the time had passed",
        "0:08  Due. (draft)",
        "0:08  It never ends. (draft)",
    ]


def test_keys_do_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    async def go() -> None:
        speaker, keyboard = Recorder(), Keyboard()
        async with live_service(Workshop().equipment()) as live:  # noqa: SIM117 - what listens ends first
            async with listening(live, speaker, keyboard) as stream:
                await asked(speaker, keyboard, "r", "nothing was said yet")
                await asked(speaker, keyboard, "f", "there is nothing to flag yet")
                first = await stream.log.append(
                    lambda n: ad(n, 8, 9.9, "A cat runs.", edge=10, kind=Kind.SCENE)
                )
                stream.asides.tell(Gap(start=8.0))
                await speaker.until(lambda: "Draft: A cat runs." in speaker.ended)
                await asked(speaker, keyboard, "r", "A cat runs.")
                await asked(speaker, keyboard, "m", "nothing was missed")
                await asked(speaker, keyboard, "w", "draft: A cat runs.")
                await asked(speaker, keyboard, "f", "flagged as wrong")
                await asked(speaker, keyboard, "l", "flagged as late")
                keyboard.press("+ ")
                await stream.log.append(lambda n: ad(n, 7, 7.1, "Unheard.", edge=10))
                await asked(speaker, keyboard, "m", "1 missed: Unheard.")
                await asked(speaker, keyboard, "x[r", "A cat runs.")
                assert (speaker.manners[-1].rate, speaker.manners[-1].volume) == (450, 90)
                speaker.lasting("A cat runs.", 60.0)
                begun = len(speaker.begun)
                keyboard.press("r")
                await speaker.until(lambda: len(speaker.begun) > begun)
                keyboard.press("s")
                await speaker.until(lambda: speaker.cut == ["A cat runs."])
                exported = await live.station.flags.export("news", stream.log)
                keyboard.press("hq")
        _, (event,) = FLAGS.read(exported.splitlines())
        assert (event.id, sorted(flag.kind for flag in event.flags)) == (
            f"ad-{first.seq}",
            ["late", "wrong"],
        )

    asyncio.run(go())
    lines = capsys.readouterr().out.splitlines()
    assert {"speech off", "450 words a minute", "volume 90"} <= set(lines)
    assert any("q: quit" in line for line in lines)


async def asked(speaker: Recorder, keyboard: Keyboard, keys: str, answer: str) -> None:
    """Those keys have that said."""
    before = len(speaker.ended)
    keyboard.press(keys)
    await speaker.until(lambda: answer in speaker.ended[before:])


@pytest.mark.parametrize(
    ("aloud", "what"),
    [
        (Aloud(rate=20), "--rate"),
        (Aloud(volume=101), "--volume"),
        (Aloud(voice="-w/tmp/x"), "--voice"),
    ],
)
def test_what_no_program_takes_is_refused(aloud: Aloud, what: str) -> None:
    with pytest.raises(InputError, match=what):
        aloud.manner()


def test_the_command_speaks_through_a_program_and_obeys_a_terminal(tmp_path: Path) -> None:
    recorder(tmp_path)

    async def go() -> str:
        async with live_service(Workshop().equipment()) as live:  # noqa: SIM117 - what listens ends first
            async with live.station.streams.publishing("news", ABOUT) as stream:
                await stream.move(StreamState.LIVE)
                master, slave = pty.openpty()
                program = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-c", "from service.cli.main import main; main()"),
                    *("listen", "--speak", "--rate", "300", "--speaker", "espeak-ng"),
                    f"http://127.0.0.1:{live.port}/v1/streams/news",
                    stdin=slave,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    cwd=Path(__file__).parents[3],
                    env={"PATH": f"{tmp_path}:/usr/bin:/bin", "COLUMNS": "200"},
                )
                async with asyncio.timeout(2 * LIMIT):
                    while not stream.viewers:  # noqa: ASYNC110 - the service has no event for it
                        await asyncio.sleep(0.02)
                    await stream.log.append(lambda n: ad(n, 8, 60, "A cat runs.", edge=10))
                    while not said_by(tmp_path):  # noqa: ASYNC110 - another program writes it
                        await asyncio.sleep(0.02)
                    os.write(master, b"q")
                    out, err = await program.communicate()
                os.close(master)
                os.close(slave)
                assert program.returncode == 0, err
                assert b"\x1b" not in out
                return out.decode()

    assert asyncio.run(go()) == "0:08  A cat runs. (draft)\n"
    assert said_by(tmp_path) == ["Draft: A cat runs."]
    assert (tmp_path / "args").read_text() == "-s 300 -a 100 -v en --stdin\n"
