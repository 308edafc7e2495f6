"""Voice activity: Silero's ONNX model, heard as a stream. No torch.

One session serves all streams: it keeps no state, each stream carries its own. Frames go through
in blocks of a fixed length on the stream's own grid, so that how the sound was cut into chunks
changes neither the arithmetic nor what is found.

Source of the model: snakers4/silero-vad, as the file in the faster-whisper package (inputs
``input`` [frames, 64 + 512], ``h`` and ``c`` [1, 1, 128]) or in silero-vad's own (``input``,
``state`` [2, 1, 128], ``sr``). Release 6.0 of the latter holds the same network, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from strad.timeline import Interval, Ms
from streaming.hearing import SpeechKnown
from streaming.media import SAMPLES_PER_MS
from streaming.speech_edges import FRAME, SpeechEdges, VadTuning

Floats: TypeAlias = npt.NDArray[np.float32]

FRAME_SAMPLES = FRAME * SAMPLES_PER_MS
CONTEXT_SAMPLES = 64
"""Each frame is heard together with the last samples before it."""
BLOCK_FRAMES = 4
FRAME_BYTES = FRAME_SAMPLES * 2
BLOCK_BYTES = BLOCK_FRAMES * FRAME_SAMPLES * 2


@dataclass(frozen=True, slots=True)
class VadState:
    """What the network remembers of one stream."""

    h: Floats
    c: Floats
    context: Floats

    @classmethod
    def fresh(cls) -> VadState:
        memory = np.zeros((1, 1, 128), np.float32)
        return cls(memory, memory, np.zeros(CONTEXT_SAMPLES, np.float32))


class OnnxSession(Protocol):
    """What is used of an onnxruntime session."""

    def run(self, names: None, given: Mapping[str, npt.NDArray[np.generic]]) -> Sequence[Floats]:
        """All the outputs for these inputs."""


class SileroVad:
    """The model, loaded once for all streams. Safe to use from several threads."""

    def __init__(self, run: Callable[[Floats, VadState], tuple[Floats, Floats, Floats]]) -> None:
        self._run = run

    @classmethod
    def load(cls, path: Path) -> SileroVad:
        """Load either packaging of the model. Reads the file: call it off the event loop."""
        session, one_by_one = _session(path)
        if one_by_one:
            return cls(lambda frames, state: _frame_by_frame(session, frames, state))
        return cls(lambda frames, state: _at_once(session, frames, state))

    @classmethod
    def from_package(cls) -> SileroVad:
        """The model as the silero-vad package opens it (extra ``gpu``; needs torch)."""
        from silero_vad import load_silero_vad

        session: OnnxSession = load_silero_vad(onnx=True).session
        return cls(lambda frames, state: _frame_by_frame(session, frames, state))

    def probabilities(self, samples: Floats, state: VadState) -> tuple[Floats, VadState]:
        """The probability of speech per frame of 512 samples, and what to remember.

        ``samples`` are in [-1, 1], a whole number of frames.
        """
        heard = np.concatenate([state.context, samples])
        frames = np.lib.stride_tricks.sliding_window_view(heard, CONTEXT_SAMPLES + FRAME_SAMPLES)
        found, h, c = self._run(np.ascontiguousarray(frames[::FRAME_SAMPLES]), state)
        return found.reshape(-1), VadState(h, c, samples[-CONTEXT_SAMPLES:].copy())


class VadStream:
    """Hears one stream. ``start`` is the media time of its first sample."""

    def __init__(self, model: SileroVad, start: Ms, tuning: VadTuning | None = None) -> None:
        self._model = model
        self._state = VadState.fresh()
        self._edges = SpeechEdges(start, tuning)
        self._start = start
        self._taken = 0
        """Samples heard so far."""
        self._rest = b""
        """Sound too short for a block."""

    def hear(self, pcm: bytes) -> list[SpeechKnown]:
        """What the next sound (16-bit mono) decides: one finding a block."""
        self._rest += pcm
        whole = len(self._rest) // BLOCK_BYTES * BLOCK_BYTES
        sound, self._rest = self._rest[:whole], self._rest[whole:]
        return [self._block(block) for block in _blocks(sound)]

    def finish(self) -> list[SpeechKnown]:
        """The sound is over: decide all of it."""
        rest, self._rest = self._rest, b""
        end = self._start + (self._taken + len(rest) // 2) // SAMPLES_PER_MS
        frames = -(-len(rest) // FRAME_BYTES)
        found = [self._block(rest.ljust(frames * FRAME_BYTES, b"\0"))] if rest else []
        return [_clipped(known, end) for known in (*found, self._edges.finish(end))]

    def _block(self, pcm: bytes) -> SpeechKnown:
        self._taken += len(pcm) // 2
        found, self._state = self._model.probabilities(to_floats(pcm), self._state)
        return self._edges.feed(found.tolist())


def _clipped(known: SpeechKnown, end: Ms) -> SpeechKnown:
    """The same finding with nothing after ``end``: the last frame was filled up with silence."""
    within = Interval(0, end)
    speech = tuple(piece for span in known.speech if (piece := span.intersect(within)))
    return SpeechKnown(min(known.until, end), speech)


def to_floats(pcm: bytes) -> Floats:
    """16-bit sound as floats in [-1, 1)."""
    return np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(32768)


def _blocks(sound: bytes) -> Iterator[bytes]:
    for at in range(0, len(sound), BLOCK_BYTES):
        yield sound[at : at + BLOCK_BYTES]


def _session(path: Path) -> tuple[OnnxSession, bool]:
    """The session, and whether it takes one frame at a time (silero-vad's own packaging)."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return session, any(given.name == "state" for given in session.get_inputs())


def _at_once(
    session: OnnxSession, frames: Floats, state: VadState
) -> tuple[Floats, Floats, Floats]:
    found, h, c = session.run(None, {"input": frames, "h": state.h, "c": state.c})
    return found, h, c


def _frame_by_frame(
    session: OnnxSession, frames: Floats, state: VadState
) -> tuple[Floats, Floats, Floats]:
    memory = np.concatenate([state.h, state.c])
    rate = np.array(16_000, np.int64)
    found = np.empty(len(frames), np.float32)
    for index, frame in enumerate(frames):
        given = {"input": frame[None], "state": memory, "sr": rate}
        probability, memory = session.run(None, given)
        found[index] = probability[0, 0]
    return found, memory[:1], memory[1:]
