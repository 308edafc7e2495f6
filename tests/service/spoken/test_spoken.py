"""The service says descriptions itself: real programs, one at a time, what was said kept."""

from __future__ import annotations

import asyncio
import io
import shutil
import sys
import wave
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from clients.python.viewer import Viewer
from service.settings import Auth, Speech
from service.spoken.program import Espeak, Piper, find_program, language_of, sound_of, spoken
from service.spoken.sounds import Sounds
from strad.errors import InputError, MissingModelError, NotFoundError, OverloadedError, WorkError
from strad.wire.viewing import About, ViewerHello, Withdraw
from tests.service.ads import ad
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET, hs256

pytestmark = pytest.mark.service

ABOUT = About(describer="facts", draft=True, delay=12.0, language="en")
AUTH = Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE)

PROGRAM = """#!{python}
# Speaks like espeak-ng, for half a second a word; says nothing in the language xx.
import sys, wave
language, file = sys.argv[2], sys.argv[4]
text = sys.stdin.read()
open({folder!r} + "/said", "a").write(text)
if language == "xx":
    sys.exit(1)
{then}
with wave.open(file, "wb") as out:
    out.setparams((1, 2, 8000, 0, "NONE", ""))
    out.writeframes(bytes(8000 * len(text.split())))
"""


def speaker(folder: Path, then: str = "") -> Espeak:
    """A program that takes espeak-ng's place. ``then``: what it does first, in Python."""
    path = folder / "espeak-ng"
    path.write_text(PROGRAM.format(python=sys.executable, folder=str(folder), then=then))
    path.chmod(0o755)
    return Espeak(str(path), "")


def said(folder: Path) -> list[str]:
    return (folder / "said").read_text().splitlines()


def length(sound: bytes) -> float:
    with wave.open(io.BytesIO(sound), "rb") as file:
        return file.getnframes() / file.getframerate()


@asynccontextmanager
async def on_air(
    folder: Path, monkeypatch: pytest.MonkeyPatch, auth: Auth | None = None
) -> AsyncIterator[LiveService]:
    """A service that speaks, with one live stream: two descriptions, the second withdrawn."""
    speaker(folder)
    monkeypatch.setenv("PATH", str(folder))
    settings = replace(SETTINGS, auth=auth or Auth(), speech=Speech(program="espeak-ng"))
    async with (
        live_service(Workshop().equipment(), settings) as live,
        live.station.streams.publishing("news", ABOUT) as stream,
    ):
        await stream.move(stream.state)
        await stream.log.append(lambda seq: ad(seq, 16, 18, "A big cat runs.", "A cat."))
        await stream.log.append(lambda seq: ad(seq, 30, 32, "A car.", provisional=True))
        await stream.log.append(
            lambda seq: Withdraw(seq=seq, id=f"ad-{seq - 1}", at=31.0, reason="speech")
        )
        yield live
        await stream.end(None, None)


def client(live: LiveService, token: str = "") -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    base = f"http://127.0.0.1:{live.port}/v1/streams/news/"
    return httpx.AsyncClient(base_url=base, headers=headers, trust_env=False)


async def hello_of(live: LiveService) -> ViewerHello:
    messages = Viewer(live.address()).messages()
    async with asyncio.timeout(30):
        hello = await anext(messages)
    await messages.aclose()
    assert isinstance(hello, ViewerHello)
    return hello


def test_a_description_is_had_as_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with on_air(tmp_path, monkeypatch) as live, client(live) as http:
            hello = await hello_of(live)
            assert hello.audio
            whole = await http.get("descriptions/ad-2.wav")
            assert whole.headers["content-type"] == "audio/wav"
            assert whole.headers["cache-control"] == "no-cache"
            assert length(whole.content) == 2.0
            params: dict[str, str | int] = {"form": 0, "log": hello.log}
            short = await http.get("descriptions/ad-2.wav", params=params)
            assert "immutable" in short.headers["cache-control"]
            assert length(short.content) == 1.0
            await http.get("descriptions/ad-2.wav", params={"form": 1})
            assert said(tmp_path) == ["A big cat runs.", "A cat."], "each once"
            for gone in ("ad-3.wav", "ad-9.wav", "ad-2.wav?form=2", "ad-2.wav?log=other"):
                answer = await http.get(f"descriptions/{gone}")
                assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), gone
            assert (await http.get("descriptions/ad-2.wav?form=-1")).status_code == 422

    asyncio.run(go())


def test_sound_is_for_viewers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with on_air(tmp_path, monkeypatch, AUTH) as live:
            for token, status in (
                ("", 401),
                (hs256(scope="publish"), 403),
                (hs256(scope="subscribe", streams="sport"), 403),
                (hs256(scope="subscribe", streams="news"), 200),
            ):
                async with client(live, token) as http:
                    answer = await http.get("descriptions/ad-2.wav?log=" + "x" * 16)
                    assert answer.status_code in (status, 404 if status == 200 else status)
                    answer = await http.get("descriptions/ad-2.wav")
                    assert answer.status_code == status

    asyncio.run(go())


def test_without_a_program_there_is_none_and_the_hello_says_so() -> None:
    async def go() -> None:
        async with (
            live_service(Workshop().equipment()) as live,
            live.station.streams.publishing("news", ABOUT) as stream,
        ):
            await stream.log.append(lambda seq: ad(seq, 1, 3))
            assert not (await hello_of(live)).audio
            async with client(live) as http:
                answer = await http.get("descriptions/ad-1.wav")
            assert answer.status_code == 404
            assert "as text only" in answer.json()["message"]
            await stream.end(None, None)

    asyncio.run(go())


def test_one_at_a_time_and_no_endless_queue() -> None:
    async def go() -> None:
        speech = Speech(program="espeak-ng", at_once=1, waiting=1, kept=100)
        running, most, made = 0, 0, 0
        go_on = asyncio.Event()

        async def speak(text: str, language: str) -> bytes:
            nonlocal running, most, made
            running += 1
            most, made = max(most, running), made + 1
            await go_on.wait()
            running -= 1
            return bytes(60)

        sounds = Sounds(speech, speak)
        async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
            first = tasks.create_task(sounds.sound("a", "en"))
            second = tasks.create_task(sounds.sound("a", "en"))
            for _ in range(5):
                await asyncio.sleep(0)
            with pytest.raises(OverloadedError):
                await sounds.sound("b", "en")
            go_on.set()
            assert await first == await second
            assert (most, made) == (1, 1)
            await sounds.sound("b", "en")
            await sounds.sound("a", "en")
            assert made == 3, "100 bytes hold one of 60"

    asyncio.run(go())


def test_a_program_that_hangs_fails_or_has_no_such_voice_is_told(tmp_path: Path) -> None:
    async def go() -> None:
        fine = speaker(tmp_path)
        with pytest.raises(NotFoundError, match="no voice that speaks xx"):
            await sound_of(fine, "Text.", "xx", 30.0)
        with pytest.raises(WorkError, match=r"more than 0\.3 s"):
            await sound_of(speaker(tmp_path, "import time; time.sleep(60)"), "Text.", "en", 0.3)
        garbage = speaker(tmp_path, "open(file, 'w').write('no sound'); sys.exit()")
        with pytest.raises(WorkError, match="no WAV"):
            await sound_of(garbage, "Text.", "en", 30.0)
        with pytest.raises(WorkError, match="No such file"):
            await sound_of(Espeak(str(tmp_path / "none"), ""), "Text.", "en", 30.0)

    asyncio.run(go())


def test_settings_that_cannot_speak_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"speech\.program"):
        Speech(program="say")
    with pytest.raises(InputError, match=r"\.onnx file"):
        Speech(program="piper")
    with pytest.raises(InputError, match="no voice of piper"):
        language_of(Path("/nowhere/voice.onnx"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingModelError, match="apt-get install espeak-ng"):
        find_program(Speech(program="espeak-ng"))


def test_a_text_is_read_out_as_words_alone() -> None:
    assert spoken("A sign:\n[[h@'l@U]] [music]\0") == "A sign: h@'l@U music"
    assert "-P" in Piper(Path("voice.onnx"), "en").command("en", Path("said.wav"))


@pytest.mark.slow
@pytest.mark.parametrize("program", ["espeak-ng", "piper"])
def test_the_real_programs_speak(program: str) -> None:
    voice = ""
    if program == "espeak-ng" and shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    if program == "piper":
        if find_spec("piper") is None:
            pytest.skip("piper is not installed")
        from strad_engines.weights import Weights

        voice = str(Weights(hub=False).folder("joe") / "en_US-joe-medium.onnx")
    found = find_program(Speech(program=program, voice=voice))

    async def go() -> None:
        sound = await sound_of(found, "A man opens a red door.", "en-US", 60.0)
        assert 1.0 < length(sound) < 3.0
        with pytest.raises(NotFoundError):
            await sound_of(found, "Text.", "xx", 60.0)

    asyncio.run(go())
