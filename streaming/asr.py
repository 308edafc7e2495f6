"""Speech to words: one pass of Whisper (faster-whisper) over a few seconds of sound.

Whisper's encoder wants 30 s; most of that would be padding. A pass pads with only ``TAIL`` of
silence, which costs a quarter and, measured, no accuracy; with less the decoder loops. A pass
that loops all the same is run once more over the full 30 s, and cut where it still loops.

``condition_on_previous_text`` has no counterpart here: a pass knows nothing but its own sound
and, of its own sound, the words already final, which it is made to continue.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from strad.errors import InputError, MissingModelError
from strad.timeline import Ms
from streaming.hypothesis import Guess, Hypothesis, loops, without_crowd
from streaming.media import SAMPLE_RATE
from streaming.vad import Floats

if TYPE_CHECKING:
    from faster_whisper import WhisperModel
    from faster_whisper.tokenizer import Tokenizer

TAIL = 4.0
"""Seconds of silence after the sound."""
WHOLE = 30.0
"""Seconds the encoder was trained on: the longest sound of one pass."""
LONGEST: Ms = 28_000
"""The longest sound that may be given to one pass."""
TOKENS_A_SECOND = 10
"""Nobody speaks faster; what comes faster is a loop."""
NO_SPEECH, UNLIKELY, HOPELESS = 0.6, -1.0, -1.5
"""Dropped: no-speech probability over the first with a mean log-probability under the second,
or a mean log-probability under the third."""
OPENING = "\"'“¿([{-"
CLOSING = "\"'.。,，!！?？:：”)]}、"  # noqa: RUF001 (Whisper's own list)
"""Punctuation that belongs to the next word, and to the one before."""
SURE = 0.5
"""A language detected with less probability is asked again next time."""


class Asr(Protocol):
    """What listening asks of a speech model. Called off the event loop, from several threads."""

    def transcribe(
        self, samples: Floats, language: str | None, known: tuple[Guess, ...]
    ) -> Hypothesis:
        """The words in ``samples`` (16 kHz, at most 28 s) after ``known``, final words of it.

        ``language`` is an ISO 639-1 code; None: find out. The answer does not repeat ``known``.
        """

    def understands(self, language: str) -> bool:
        """Whether the model knows this ISO 639-1 language."""


@dataclass(frozen=True, slots=True)
class WhisperAsr:
    """faster-whisper's model, one pass at a time per thread."""

    model: WhisperModel
    beam: int = 1
    """Beam 5 costs a third more and gained nothing on clean speech; see ADR 11."""
    suppressed: tuple[int, ...] = field(default=())

    @classmethod
    def load(
        cls, folder: Path, *, workers: int = 1, beam: int = 1, device: str = "cpu"
    ) -> WhisperAsr:
        """Load a CTranslate2 Whisper model. Takes a second or so: call it off the event loop.

        ``workers`` threads may then transcribe at the same time, each on one core.
        """
        from faster_whisper import WhisperModel
        from faster_whisper.transcribe import get_suppressed_tokens

        kind = "int8" if device == "cpu" else "int8_float16"
        try:
            model = WhisperModel(
                str(folder), device=device, compute_type=kind, cpu_threads=1, num_workers=workers
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise MissingModelError(
                f"{folder}: holds no Whisper model that CTranslate2 can load: {error}"
            ) from error
        asr = cls(model, beam)
        suppressed = get_suppressed_tokens(asr._tokenizer("en"), [-1]) or ()
        return cls(model, beam, tuple(suppressed))

    def understands(self, language: str) -> bool:
        return language in self.model.supported_languages

    def transcribe(
        self, samples: Floats, language: str | None, known: tuple[Guess, ...]
    ) -> Hypothesis:
        if len(samples) > LONGEST * SAMPLE_RATE // 1000:
            raise InputError(f"one pass hears at most {LONGEST} ms")
        encoded = self._encode(samples, TAIL)
        code, sure = (language, True) if language else self._language(encoded)
        tokens = self._decode(encoded, code, known, len(samples))
        if self._loops(tokens, code):
            encoded = self._encode(samples, WHOLE)
            tokens = self._decode(encoded, code, known, len(samples))
            tokens = [] if self._loops(tokens, code) else tokens
        return Hypothesis(self._align(encoded, code, known, tokens, len(samples)), code, sure)

    def _encode(self, samples: Floats, tail: float) -> object:
        silence = np.zeros(int(tail * SAMPLE_RATE), np.float32)
        sound = np.concatenate([samples, silence])[: int(WHOLE * SAMPLE_RATE)]
        frames = self.model.feature_extractor(sound)[
            :, : self.model.feature_extractor.nb_max_frames
        ]
        return self.model.encode(np.ascontiguousarray(frames))

    def _tokenizer(self, language: str) -> Tokenizer:
        from faster_whisper.tokenizer import Tokenizer

        multilingual = self.model.model.is_multilingual
        return Tokenizer(
            self.model.hf_tokenizer, multilingual, task="transcribe", language=language
        )

    def _language(self, encoded: object) -> tuple[str, bool]:
        if not self.model.model.is_multilingual:
            return "en", True
        token, probability = self.model.model.detect_language(encoded)[0][0]
        return token[2:-2], probability >= SURE

    def _decode(
        self, encoded: object, language: str, known: tuple[Guess, ...], samples: int
    ) -> list[int]:
        """New text tokens after those of ``known``; none when it is not speech after all."""
        tokenizer = self._tokenizer(language)
        prompt = [*tokenizer.sot_sequence]
        if known:
            prompt += [tokenizer.timestamp_begin, *(t for word in known for t in word.tokens)]
        room = len(prompt) + 16 + TOKENS_A_SECOND * samples // SAMPLE_RATE
        result = self.model.model.generate(
            encoded,
            [prompt],
            beam_size=self.beam,
            max_length=min(room, self.model.max_length),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_tokens=list(self.suppressed),
            max_initial_timestamp_index=50,
        )[0]
        tokens = result.sequences_ids[0]
        mean = result.scores[0] * len(tokens) / (len(tokens) + 1)
        if mean < HOPELESS or (result.no_speech_prob > NO_SPEECH and mean < UNLIKELY):
            return []
        return [token for token in tokens if token < tokenizer.eot]

    def _loops(self, tokens: list[int], language: str) -> bool:
        return loops(self._tokenizer(language).decode(tokens))

    def _align(
        self,
        encoded: object,
        language: str,
        known: tuple[Guess, ...],
        tokens: list[int],
        samples: int,
    ) -> tuple[Guess, ...]:
        from faster_whisper.transcribe import merge_punctuations

        if not tokens:
            return ()
        before = [token for word in known for token in word.tokens]
        frames = samples // self.model.feature_extractor.hop_length
        found = self.model.find_alignment(
            self._tokenizer(language), [before + tokens], encoded, frames
        )[0]
        merge_punctuations(found, OPENING, CLOSING)
        return _guesses(found, len(before))


def _guesses(found: list[dict[str, Any]], skip: int) -> tuple[Guess, ...]:
    """The aligned words after the first ``skip`` tokens, without empty ones."""
    guesses: list[Guess] = []
    taken = 0
    for word in found:
        taken += len(word["tokens"])
        text = word["word"].strip()
        if taken <= skip or not text:
            continue
        start, end = round(word["start"] * 1000), round(word["end"] * 1000)
        probability = min(1.0, float(word["probability"]))
        guesses.append(Guess(start, end, text, probability, tuple(word["tokens"])))
    return without_crowd(tuple(guesses))
