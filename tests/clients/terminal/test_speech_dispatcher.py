"""Speech Dispatcher over its protocol: each text once, cut off where told, in step ever after."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from clients.terminal.espeak import SpeechError
from clients.terminal.manner import Manner
from clients.terminal.speech_dispatcher import (
    SocketAddress,
    SpeechDispatcher,
    open_dispatcher,
    rate_of,
    socket_address,
)
from tests.clients.terminal.programs import Dispatcher, dispatching

pytestmark = pytest.mark.service


@asynccontextmanager
async def connected(folder: Path) -> AsyncIterator[tuple[SpeechDispatcher, Dispatcher]]:
    path = folder / "speechd.sock"
    async with dispatching(path) as server, open_dispatcher(SocketAddress(str(path))) as client:
        yield client, server


def test_each_text_is_said_as_it_is_in_the_manner_chosen(tmp_path: Path) -> None:
    async def go() -> None:
        async with connected(tmp_path) as (client, server):
            await client.say("A door opens.", "en-US", Manner(rate=280, volume=50))
            await client.say(".\n.. dots\nSET SELF RATE 7", "de", Manner(rate=280, volume=50))
            assert server.said == ["A door opens.", ".\n.. dots\nSET SELF RATE 7"]
            assert [c.removeprefix("SET SELF ") for c in server.commands[3:]] == [
                *("LANGUAGE en", "RATE 50", "VOLUME 0", "SPEAK"),
                *("LANGUAGE de", "SPEAK"),
            ]
            with pytest.raises(SpeechError, match="NO SUCH VOICE"):
                await client.say("Again.", "de", Manner(voice="none"))

    asyncio.run(go())


def test_cut_off_anywhere_it_is_silent_and_the_next_text_is_said(tmp_path: Path) -> None:
    async def go() -> None:
        async with connected(tmp_path) as (client, server):
            for n in range(30):
                server.ends = False
                await _say_and_cut(client, n)
                server.ends = True
                async with asyncio.timeout(10):
                    await client.say(f"Next {n}.", "en", Manner())
                assert server.said[-1] == f"Next {n}."

    asyncio.run(go())


async def _say_and_cut(client: SpeechDispatcher, steps: int) -> None:
    """Cut off so many steps of the loop on: at each, it waits for something else."""
    try:
        async with asyncio.timeout(None) as saying:
            _cut_after(saying, steps)
            await client.say("Cut off.", "en", Manner(rate=100 + steps))
    except TimeoutError:
        return
    pytest.fail("it was not cut off")


def _cut_after(saying: asyncio.Timeout, steps: int) -> None:
    loop = asyncio.get_running_loop()
    if steps:
        loop.call_soon(_cut_after, saying, steps - 1)
    else:
        saying.reschedule(loop.time())


def test_where_it_is_found_and_how_fast_it_is_told_to_be(tmp_path: Path) -> None:
    assert socket_address({"XDG_RUNTIME_DIR": "/run/user/7"}) == SocketAddress(
        "/run/user/7/speech-dispatcher/speechd.sock"
    )
    assert socket_address({"SPEECHD_ADDRESS": "unix_socket:/a/b"}) == SocketAddress("/a/b")
    inet = socket_address({"SPEECHD_ADDRESS": "inet_socket:localhost:6561"})
    assert (inet, inet.there) == (SocketAddress(host="localhost", port=6561), True)
    assert not SocketAddress(str(tmp_path / "none")).there
    assert [rate_of(words) for words in (80, 125, 170, 280, 390, 450)] == [
        *(-100, -50, 0, 50),
        *(100, 100),
    ]


def test_one_that_goes_away_is_an_error(tmp_path: Path) -> None:
    async def gone(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.close()

    async def go() -> None:
        path = tmp_path / "speechd.sock"
        async with await asyncio.start_unix_server(gone, path):
            with pytest.raises(SpeechError, match="gone away"):
                async with open_dispatcher(SocketAddress(str(path))):
                    pytest.fail("it said nothing")

    asyncio.run(go())


SPEECHD = """AudioOutputMethod "alsa"
AudioALSADevice "default"
AddModule "writer" "sd_generic" "writer.conf"
DefaultModule writer
"""
WRITER = """GenericExecuteSynth "echo '$DATA' | espeak-ng --stdin -v $VOICE -w {wav}"
GenericCmdDependency "espeak-ng"
AddVoice "en" "MALE1" "en"
"""


@pytest.mark.slow
def test_the_real_one_speaks(tmp_path: Path) -> None:
    if shutil.which("speech-dispatcher") is None or shutil.which("espeak-ng") is None:
        pytest.skip("speech-dispatcher and espeak-ng are not installed")
    (tmp_path / "modules").mkdir()
    (tmp_path / "speechd.conf").write_text(SPEECHD)
    (tmp_path / "modules" / "writer.conf").write_text(WRITER.format(wav=tmp_path / "said.wav"))
    (tmp_path / "asound.conf").write_text("pcm.!default { type null }\nctl.!default { type null }")
    path, log = tmp_path / "s", tmp_path / "log"
    log.mkdir()

    async def go() -> None:
        server = await asyncio.create_subprocess_exec(
            *("speech-dispatcher", "-s", "-c", "unix_socket", "-S", str(path), "-t", "0"),
            *("-C", str(tmp_path), "-L", str(log), "-P", str(tmp_path / "pid")),
            env={"ALSA_CONFIG_PATH": str(tmp_path / "asound.conf"), "PATH": "/usr/bin:/bin"},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(30):
                while not path.is_socket():  # noqa: ASYNC110 - it has no other way to say so
                    await asyncio.sleep(0.05)
                async with open_dispatcher(SocketAddress(str(path))) as client:
                    await client.say("A door opens.", "en-GB", Manner(rate=250))
                    assert (tmp_path / "said.wav").stat().st_size > 10_000
                    for seconds in (0.0, 0.001, 0.02):
                        with pytest.raises(TimeoutError):
                            async with asyncio.timeout(seconds):
                                await client.say("long " * 200, "en", Manner(rate=90))
                    await client.say("It still speaks.", "en", Manner())
        finally:
            server.terminate()
            await server.wait()

    asyncio.run(go())
