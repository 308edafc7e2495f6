"""A window without its model: from the newest frame to the decision placed, CPU milliseconds.

Everything between decoded media and the listener but the model itself: Session, window, prompt,
request, answer read and judged, placement. The engine answers at once: in this process, and behind
HTTP on loopback, where eight pictures are written out and sent. Exit status: 0 all targets met, 1
one missed.
"""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import multiprocessing
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection

from PIL import Image, ImageDraw

from strad.speech import Word
from strad.timeline import Interval, Ms
from strad_engines.engine import ChatEngine
from strad_engines.messages import Message, Text
from strad_engines.openai_engine import OpenAIEngine
from strad_engines.scripted_engine import ScriptedEngine
from streaming.announcement import Announcement, WindowAsked
from streaming.config import Pace, StreamConfig
from streaming.describers.strad_ft.describer import StradFtDescriber
from streaming.driver import drive
from streaming.hearing import Heard, SpeechKnown, WordsKnown
from streaming.media import AudioChunk, Media, VideoFrame
from streaming.prompt.profiles import profile
from streaming.session import Session
from streaming.voices.estimate import EstimateVoice

MOST = 30.0
"""Milliseconds a window, at the 95th percentile."""

LENGTH: Ms = 600_000
SPEECH_EVERY: Ms = 20_000
SPEECH_LASTS: Ms = 7_000
SYLLABLES = ("ka", "lo", "mi", "tu", "re", "sa", "vi", "no")


class Talker:
    """Says something new about the end of every window."""

    def __init__(self) -> None:
        self._count = itertools.count()

    def say(self, prompt: str) -> str:
        """Its answer to a prompt that ends with where the window ends."""
        now = float(re.findall(r"<([\d.]+) seconds>", prompt)[-1])
        said = "".join(SYLLABLES[int(digit)] for digit in f"{next(self._count):05o}")
        return f"AD <{max(0.0, now - 2):.1f}> A {said} walks to the {said} door. <{now:.1f}>"

    def __call__(self, messages: Sequence[Message]) -> str:
        last = messages[-1].parts[-1]
        assert isinstance(last, Text)
        return self.say(last.text)


def pictures(count: int) -> list[bytes]:
    """JPEGs of 640x360 with the detail of a film's, some 30 kB; each another."""
    made = []
    for n in range(count):
        grain = Image.effect_noise((160, 90), 40).resize((640, 360), Image.Resampling.BICUBIC)
        picture = grain.convert("RGB")
        ImageDraw.Draw(picture).ellipse((n * 7, 40, n * 7 + 200, 300), fill=(200, 40, 60))
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=85)
        made.append(out.getvalue())
    return made


async def programme(frames: list[bytes]) -> AsyncIterator[Media | Heard]:
    """A frame a second, and 7 s of speech every 20 s at 150 words a minute."""
    for t in range(0, LENGTH, 100):
        if t % 1000 == 0:
            k = t // 1000
            yield VideoFrame(t, frames[k % len(frames)], 640, 360, hash=k * 0x9E3779B97F4A7C15)
        yield AudioChunk(t, bytes(3_200))
        phase = t % SPEECH_EVERY
        speech = (Interval(t, t + 100),) if phase < SPEECH_LASTS else ()
        yield SpeechKnown(t + 100, speech)
        word = Word(Interval(t - 300, t), f"word{t // 400}")
        spoken = 0 < phase < SPEECH_LASTS and t % 400 == 0
        yield WordsKnown(t, (word,) if spoken else ())


async def serving(told: Connection) -> None:
    """A server that answers at once, until its process is ended; tells its address."""
    talker = Talker()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await _head(reader):
            length = int(re.findall(rb"content-length: (\d+)", head.lower())[0])
            body = json.loads(await reader.readexactly(length))
            content = body["messages"][-1]["content"]
            message = {"role": "assistant", "content": talker.say(content[-1]["text"])}
            answer = json.dumps({"choices": [{"index": 0, "message": message}]}).encode()
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(answer) + answer)
            await writer.drain()
        writer.close()

    running = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 22)
    told.send(f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}/v1")
    await running.serve_forever()


def serve_apart(told: Connection) -> None:
    """What the server's own process does."""
    asyncio.run(serving(told))


@contextmanager
def server() -> Iterator[str]:
    """Its address; in a process of its own, so that its work is not counted."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve_apart, args=(there,))
    process.start()
    try:
        yield str(here.recv())
    finally:
        process.terminate()
        process.join()


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""


async def windows(engine: ChatEngine, frames: list[bytes]) -> list[float]:
    """CPU milliseconds from one decided window to the next, all that this process does in them."""
    config = StreamConfig(pace=Pace.EVERY_WINDOW)
    describer = StradFtDescriber(engine, profile("qwen35-images"), model="instant")
    session = Session(config, describer=describer.name, draft=True)
    at: list[float] = []

    async def announce(said: Announcement) -> None:
        if isinstance(said, WindowAsked):
            at.append(time.process_time())

    stats = await drive(programme(frames), session, None, describer, EstimateVoice(), announce)
    assert stats.events > 50, stats
    return [1000 * (b - a) for a, b in itertools.pairwise(at)]


async def measure() -> dict[str, list[float]]:
    """Both engines."""
    frames = pictures(64)
    found = {"in process": await windows(ScriptedEngine(Talker()), frames)}
    with server() as url:
        async with OpenAIEngine(url, "instant") as engine:
            found["over HTTP"] = await windows(engine, frames)
    return found


def main() -> int:
    """Measure, print, judge."""
    missed = 0
    for name, taken in asyncio.run(measure()).items():
        ranked = sorted(taken)
        p50, p95 = (ranked[int(share * len(ranked))] for share in (0.5, 0.95))
        missed += p95 >= MOST
        verdict = "met" if p95 < MOST else "MISSED"
        figures = f"p50 {p50:5.1f} ms, p95 {p95:5.1f} ms, max {ranked[-1]:5.1f} ms"
        print(
            f"{name:<10} {len(taken)} windows: {figures}; target: p95 under {MOST:g} ms: {verdict}"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
