"""eSpeak NG as a program of its own: told how to speak, never by the text; stopped at once."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from clients.terminal.espeak import Espeak, SpeechError
from clients.terminal.manner import Manner
from clients.terminal.speaker import SpeakerKind, open_speaker
from strad.errors import InputError
from tests.clients.terminal.programs import recorder, said_by

pytestmark = pytest.mark.service


def speak(program: Path, text: str = "A door opens.", manner: Manner | None = None) -> None:
    asyncio.run(Espeak((str(program),)).say(text, "en-US", manner or Manner()))


def test_the_text_goes_in_by_itself_and_the_manner_as_arguments(tmp_path: Path) -> None:
    speak(recorder(tmp_path), '-w /tmp/x; $(reboot) "quoted"', Manner(rate=260, volume=40))
    assert said_by(tmp_path) == ['-w /tmp/x; $(reboot) "quoted"']
    assert (tmp_path / "args").read_text() == "-s 260 -a 40 -v en-US --stdin\n"
    speak(recorder(tmp_path), manner=Manner(voice="de"))
    assert (tmp_path / "args").read_text().splitlines()[1] == "-s 180 -a 100 -v de --stdin"


def test_a_language_without_a_voice_is_said_in_english(tmp_path: Path) -> None:
    program = recorder(tmp_path, 'case "$*" in *en-US*) echo "no such voice" >&2; exit 1;; esac')
    speak(program)
    assert [line.split()[5] for line in (tmp_path / "args").read_text().splitlines()] == [
        "en-US",
        "en",
    ]
    with pytest.raises(SpeechError, match="can't speak: no such voice"):
        speak(recorder(tmp_path, "echo no such voice >&2; exit 1"), manner=Manner(voice="none"))


def test_a_machine_without_sound_is_said_to_be_one(tmp_path: Path) -> None:
    program = recorder(tmp_path, "echo 'error: No such file or directory' >&2")
    with pytest.raises(SpeechError, match="No such file"):
        speak(program)
    with pytest.raises(SpeechError, match="no-such-program"):
        speak(tmp_path / "no-such-program")


def test_it_falls_silent_at_once(tmp_path: Path) -> None:
    program = recorder(tmp_path, "exec sleep 300")

    async def go() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await Espeak((str(program),)).say("Long.", "en", Manner())

    loop_time = asyncio.run(_timed(go()))
    assert loop_time < 10


async def _timed(work: object) -> float:
    clock = asyncio.get_running_loop().time
    begun = clock()
    await work  # type: ignore[misc]
    return clock() - begun


def test_the_program_is_found_or_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go(kind: SpeakerKind) -> None:
        async with open_speaker(kind) as speaker:
            await speaker.say("Found.", "en", Manner())

    monkeypatch.setenv("SPEECHD_ADDRESS", f"unix_socket:{tmp_path / 'none.sock'}")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(InputError, match="install espeak-ng"):
        asyncio.run(go(SpeakerKind.AUTO))
    with pytest.raises(SpeechError, match="is it running"):
        asyncio.run(go(SpeakerKind.SPEECH_DISPATCHER))
    recorder(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    asyncio.run(go(SpeakerKind.AUTO))
    assert said_by(tmp_path) == ["Found."]


@pytest.mark.slow
def test_the_real_one_makes_speech(tmp_path: Path) -> None:
    program = shutil.which("espeak-ng")
    if program is None:
        pytest.skip("espeak-ng is not installed")
    sound = tmp_path / "said.wav"
    asyncio.run(Espeak((program, "-w", str(sound))).say("A door opens.", "de", Manner(rate=300)))
    fast = sound.stat().st_size
    asyncio.run(Espeak((program, "-w", str(sound))).say("A door opens.", "de", Manner(rate=100)))
    assert sound.stat().st_size > 1.5 * fast > 10_000
    with pytest.raises(SpeechError):
        asyncio.run(Espeak((program,)).say("Nothing.", "en", Manner(voice="no-such-voice")))
