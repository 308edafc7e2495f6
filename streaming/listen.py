"""Listening: one listener for the service, one pair of ears for each stream.

The listener holds what is loaded once: the VAD model, the speech model (or none), the pool. The
ears of a stream tie ``vad``, ``scribe`` and ``asr`` together. They own no task: whoever iterates
``findings`` drives them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from strad.errors import InputError, WorkError
from strad.speech import Protect
from strad.timeline import Ms
from streaming.asr import Asr
from streaming.hearing import Heard, SoundsKnown, SpeechKnown, WordsKnown
from streaming.hypothesis import Hypothesis
from streaming.listening_pool import ListeningPool
from streaming.media import AudioChunk
from streaming.scribe import Pass, Scribe
from streaming.sound import BYTES_PER_MS
from streaming.sounds import SoundWatch
from streaming.vad import BLOCK_BYTES, SileroVad, VadStream, to_floats

T = TypeVar("T")

ROOM: Ms = 10_000
"""So much sound may wait to be heard before ``hear`` waits."""
HEAR_LIMIT = 600.0
"""Seconds ``hear`` waits for room before it gives up: nobody takes the findings any more."""
VAD_SLACK, CLOSED_SLACK, OPEN_SLACK = 0.2, 1.0, 4.0
"""Seconds until a job is due: voice activity, a closed utterance, one that still grows."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Made once for a service; makes the ears of each stream."""

    vad: SileroVad
    asr: Asr | None
    """None: speech is heard, words are not."""
    pool: ListeningPool

    def ears(
        self,
        language: str | None = None,
        *,
        patient: bool = False,
        protect: Protect = Protect.SPEECH,
    ) -> StreamEars:
        """Ears for one stream.

        ``language`` is a BCP 47 tag; None: found out once. ``patient`` ears make ``hear`` wait
        where others would let go of sound: for files, which can wait. ``protect``: which sounds are
        found beside speech. Raises InputError when the
        speech model does not know the language.
        """
        code = language.split("-")[0].lower() if language else None
        if self.asr and code and not self.asr.understands(code):
            raise InputError(f"the speech model does not know {language!r}: choose another model")
        return StreamEars(self, code, patient=patient, protect=protect)


class StreamEars:
    """Listens to one stream; see ``streaming.ears.Ears``."""

    def __init__(
        self, listener: Listener, language: str | None, *, patient: bool, protect: Protect
    ) -> None:
        self._listener = listener
        self._language = language
        self._patient = patient
        self._protect = protect
        self._watch: SoundWatch | None = None
        self._inbox = bytearray()
        """Sound not yet given to VAD."""
        self._vad: VadStream | None = None
        self._scribe: Scribe | None = None
        self._hearing: asyncio.Future[list[SpeechKnown | SoundsKnown]] | None = None
        self._writing: asyncio.Future[Hypothesis] | None = None
        self._news = asyncio.Event()
        """Something for ``findings`` to do."""
        self._room = asyncio.Event()
        """Something for a waiting ``hear`` to look at."""
        self._over = False
        self._drained = False
        """VAD has decided all there was."""
        self._closed = False

    @property
    def lost(self) -> Ms:
        """Speech let go of untranscribed, so far."""
        return self._scribe.lost if self._scribe else 0

    async def hear(self, chunk: AudioChunk) -> None:
        """See ``Ears``. Raises WorkError when there was no room for ten minutes."""
        if self._vad is None:
            self._vad = VadStream(self._listener.vad, chunk.t)
            self._scribe = Scribe(chunk.t) if self._listener.asr else None
            if self._protect is not Protect.SPEECH:
                self._watch = SoundWatch(self._protect, chunk.t)
        while self._is_full() and not self._closed:
            self._room.clear()
            try:
                async with asyncio.timeout(HEAR_LIMIT):
                    await self._room.wait()
            except TimeoutError:
                raise WorkError("listening stands still: nobody takes what it finds") from None
        self._inbox += chunk.pcm
        self._news.set()

    async def finish(self) -> None:
        self._over = True
        self._news.set()

    async def findings(self) -> AsyncIterator[Heard]:
        """See ``Ears``. Raises WorkError when a model fails."""
        while not self._closed:
            await self._news.wait()
            self._news.clear()
            for heard in self._step():
                yield heard
            if self._over and self._hearing is None and self._writing is None:
                return

    async def aclose(self) -> None:
        self._closed = True
        for job in (self._hearing, self._writing):
            if job is not None:
                job.cancel()
        self._hearing = self._writing = None
        self._inbox.clear()
        self._news.set()
        self._room.set()

    def _is_full(self) -> bool:
        held = len(self._inbox) >= ROOM * BYTES_PER_MS
        behind = self._patient and self._scribe is not None and self._scribe.is_full
        return held or behind

    def _step(self) -> list[Heard]:
        """Take in what the pool has done, and give it what can be done next."""
        heard = self._take_speech()
        self._hear_more()
        self._room.set()
        if self._scribe is not None and self._listener.asr is not None:
            heard += self._write(self._scribe, self._listener.asr)
        return heard

    def _take_speech(self) -> list[Heard]:
        if self._hearing is None or not self._hearing.done():
            return []
        hearing, self._hearing = self._hearing, None
        heard: list[Heard] = []
        for known in _result(hearing, "voice activity detection"):
            heard.append(known)
            if isinstance(known, SoundsKnown):
                continue
            if self._scribe is None:
                heard.append(WordsKnown(known.until))
            else:
                self._scribe.decide(known)
        if self._drained and self._scribe is not None:
            self._scribe.finish()
        return heard

    def _hear_more(self) -> None:
        """Give VAD the sound that has come, and when there will be no more, the rest."""
        ready = len(self._inbox) >= BLOCK_BYTES or self._over
        if self._vad is None or self._hearing is not None or self._drained or not ready:
            return
        pcm = bytes(self._inbox)
        self._inbox.clear()
        self._drained = self._over
        if self._scribe is not None:
            self._scribe.hear(pcm)
        work = partial(_hear, self._vad, self._watch, pcm, last=self._drained)
        self._hearing = self._listener.pool.quick(work, _due(VAD_SLACK))
        self._hearing.add_done_callback(lambda _: self._news.set())

    def _write(self, scribe: Scribe, asr: Asr) -> list[Heard]:
        """Take the words of the pass that is done, start the next, say what is final."""
        if self._writing is not None and self._writing.done():
            writing, self._writing = self._writing, None
            hypothesis = _result(writing, "speech recognition")
            if hypothesis.language_sure and hypothesis.guesses:
                self._language = hypothesis.language
            scribe.heard(hypothesis)
        if not self._patient:
            scribe.shed()
        wanted = scribe.next_pass()
        if wanted is not None:
            self._writing = self._transcribe(asr, wanted)
        found = scribe.findings()
        return [found] if found else []

    def _transcribe(self, asr: Asr, wanted: Pass) -> asyncio.Future[Hypothesis]:
        work = partial(_transcribe, asr, wanted, self._language)
        due = _due(CLOSED_SLACK if wanted.closed else OPEN_SLACK)
        writing = self._listener.pool.slow(work, due)
        writing.add_done_callback(lambda _: self._news.set())
        return writing


def _hear(
    vad: VadStream, watch: SoundWatch | None, pcm: bytes, *, last: bool
) -> list[SpeechKnown | SoundsKnown]:
    speech = [*vad.hear(pcm), *(vad.finish() if last else ())]
    sounds = [watch.hear(to_floats(pcm), speech, last=last)] if watch else []
    return [*speech, *sounds]


def _transcribe(asr: Asr, wanted: Pass, language: str | None) -> Hypothesis:
    return asr.transcribe(to_floats(wanted.pcm), language, wanted.known)


def _due(slack: float) -> float:
    return asyncio.get_running_loop().time() + slack


def _result(job: asyncio.Future[T], what: str) -> T:
    """What the job found. The runtimes below raise RuntimeError for all that goes wrong there."""
    try:
        return job.result()
    except RuntimeError as error:
        raise WorkError(f"{what} failed: {error}") from error
