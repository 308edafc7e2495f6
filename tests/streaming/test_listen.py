"""Ears end to end: order, back-pressure, letting go, ending."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import numpy as np
import pytest

from strad.errors import InputError, WorkError
from streaming.asr import Asr
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.hypothesis import Guess, Hypothesis
from streaming.listen import Listener, StreamEars
from streaming.listening_pool import ListeningPool
from streaming.media import AudioChunk
from streaming.vad import Floats
from tests.streaming.heard import LIMIT, buzz, listen, loudness_vad, pcm, silence

pytestmark = pytest.mark.media


class OneWord:
    """Hears one word in the middle of every sound it is given; may be held up, or broken."""

    def __init__(self, *, held: bool = False, broken: bool = False) -> None:
        self.go_on = threading.Event()
        self.languages: list[str | None] = []
        self._broken = broken
        if not held:
            self.go_on.set()

    def understands(self, language: str) -> bool:
        return language == "en"

    def transcribe(
        self, samples: Floats, language: str | None, known: tuple[Guess, ...]
    ) -> Hypothesis:
        assert self.go_on.wait(LIMIT)
        self.languages.append(language)
        if self._broken:
            raise RuntimeError("out of memory")
        middle = len(samples) // 32
        return Hypothesis((Guess(middle - 50, middle + 50, "so", 1.0),), "en")


def scene(asr: Asr | None, play: Callable[[Listener], Awaitable[None]]) -> None:
    """Play with a listener, on the real clock."""

    async def limited() -> None:
        async with asyncio.timeout(LIMIT), ListeningPool(1) as pool:
            await play(Listener(loudness_vad(), asr, pool))

    asyncio.run(limited())


async def say(ears: StreamEars, sound: Floats) -> None:
    data = pcm(sound)
    for at in range(0, len(data), 3_200):
        await ears.hear(AudioChunk(at // 32, data[at : at + 3_200]))
        await asyncio.sleep(0)


SPEECH = np.concatenate([silence(800), buzz(1_500), silence(1_200)])


def test_without_a_speech_model_no_words_hold_anything_up() -> None:
    found = listen(SPEECH)
    assert len(found.speech) == 1
    assert found.words == []
    speech = [fact.until for fact in found.facts if isinstance(fact, SpeechKnown)]
    words = [fact.until for fact in found.facts if isinstance(fact, WordsKnown)]
    assert words == speech
    assert words[-1] == 3_500


def test_words_follow_speech_and_all_is_known_at_the_end() -> None:
    asr = OneWord()

    async def play(listener: Listener) -> None:
        ears = listener.ears(patient=True)
        speech_until = words_until = 0
        words = []
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_say_all(ears, np.concatenate([SPEECH, SPEECH])))
            async for fact in ears.findings():
                if isinstance(fact, SpeechKnown):
                    speech_until = fact.until
                else:
                    assert words_until <= fact.until <= speech_until
                    words_until = fact.until
                    words += fact.words
        assert [word.text for word in words] == ["so", "so"]
        assert words_until == speech_until == 7_000

    scene(asr, play)
    assert asr.languages == [None, "en"], "the language is found out once"


async def _say_all(ears: StreamEars, sound: Floats) -> None:
    await say(ears, sound)
    await ears.finish()


def test_a_speech_model_that_stands_still_does_not_stop_vad() -> None:
    """A minute of speech while the first pass is held up: VAD goes on, old sound is let go of."""
    asr = OneWord(held=True)
    sound = np.concatenate([SPEECH] * 20)

    async def play(listener: Listener) -> None:
        ears = listener.ears("en")
        facts = []
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_say_all(ears, sound))
            async for fact in ears.findings():
                facts.append(fact)
                if isinstance(fact, SpeechKnown) and fact.until == 70_000:
                    asr.go_on.set()
        assert ears.lost > 5_000
        assert isinstance(facts[-1], WordsKnown)
        assert facts[-1].until == 70_000

    scene(asr, play)


def test_patient_ears_wait_and_lose_nothing() -> None:
    asr = OneWord(held=True)
    sound = np.concatenate([SPEECH] * 20)

    async def play(listener: Listener) -> None:
        ears = listener.ears("en", patient=True)
        words = 0
        async with asyncio.TaskGroup() as tasks:
            said = tasks.create_task(_say_all(ears, sound))
            async for fact in ears.findings():
                if fact.until > 30_000 and not asr.go_on.is_set():
                    assert not said.done()
                    asr.go_on.set()
                words += len(fact.words) if isinstance(fact, WordsKnown) else 0
        assert ears.lost == 0
        assert words == 20

    scene(asr, play)


def test_a_model_that_fails_says_so() -> None:
    async def play(listener: Listener) -> None:
        ears = listener.ears("en")
        await say(ears, SPEECH)
        await ears.finish()
        with pytest.raises(WorkError, match="speech recognition failed: out of memory"):
            async for _ in ears.findings():
                pass

    scene(OneWord(broken=True), play)


def test_a_language_the_model_does_not_know_is_refused() -> None:
    async def play(listener: Listener) -> None:
        listener.ears("en-GB")
        with pytest.raises(InputError, match="does not know 'de'"):
            listener.ears("de")

    scene(OneWord(), play)


def test_closing_ends_everything_at_once() -> None:
    async def play(listener: Listener) -> None:
        ears = listener.ears("en")
        await say(ears, SPEECH)
        await ears.aclose()
        await ears.aclose()
        assert [fact async for fact in ears.findings()] == []

    scene(OneWord(), play)


def test_a_stream_without_sound_ends() -> None:
    async def play(listener: Listener) -> None:
        ears = listener.ears()
        await ears.finish()
        assert [fact async for fact in ears.findings()] == []

    scene(None, play)
