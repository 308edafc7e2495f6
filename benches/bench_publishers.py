"""Twenty live publishers: whether descriptions stay in time, and what a stream costs.

Each sends 360p video in MPEG-TS at the speed it plays, over a real WebSocket, with captions; the
describer is scripted, so that what is measured is the service: sockets, decoders, voice activity,
session, log. With ``--speech FILE --asr base`` streams with speech recognition are then begun, one
after another, until admission refuses one: that many it accepts here.

Target: the median lag of the last third of the time is at most 1 s over that of the first.

Exit status: 0 all targets met, 1 one missed.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from fractions import Fraction
from pathlib import Path
from statistics import median

import av
import numpy as np

from clients.python.address import StreamAddress
from clients.python.pace import LivePace
from clients.python.publisher import Control, publish
from service.app import create_app
from service.connections import allow_open_files
from service.loading import load_equipment
from service.server import listen, make_server
from service.settings import Limits, Settings
from service.station import Station
from strad.cues import Cue
from strad.errors import OverloadedError, StradError
from strad.predictions import PREDICTIONS, Prediction
from strad.timeline import Interval
from strad.wire.answering import Progress
from strad.wire.publishing import Captions, Container, Hello, WordSource

MOST_MORE = 1.0
APART = 2.0
"""Seconds between two that begin: admission takes only so many at once."""

BETWEEN = 6.0
"""Seconds between two streams with speech recognition, for their cost to be measured."""
PIECE = 16 * 1024


def made(path: Path, seconds: int) -> bytes:
    """A picture of 640 x 360 with a moving bar, 25 a second, and silence."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("mpeg2video", rate=25)
        video.width, video.height, video.pix_fmt, video.bit_rate = 640, 360, "yuv420p", 800_000
        sound = container.add_stream("aac", rate=16_000)
        for n in range(seconds * 25):
            image = np.zeros((360, 640, 3), np.uint8)
            image[:, n * 4 % 600 : n * 4 % 600 + 40] = 200
            picture = av.VideoFrame.from_ndarray(image, format="rgb24")
            picture.pts, picture.time_base = n, Fraction(1, 25)
            container.mux(video.encode(picture))
            tone = av.AudioFrame.from_ndarray(
                np.zeros((1, 640), np.float32), format="fltp", layout="mono"
            )
            tone.sample_rate, tone.pts, tone.time_base = 16_000, n * 640, Fraction(1, 16_000)
            container.mux(sound.encode(tone))
        container.mux(video.encode(None))
        container.mux(sound.encode(None))
    return path.read_bytes()


def spent() -> float:
    """Seconds of processor time, of this process and the children that are gone."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


class Publisher:
    """One stream. Sends and listens in the service's own process, which its cost includes."""

    def __init__(self, address: StreamAddress, media: bytes, words: WordSource) -> None:
        self._address = address
        self._media = media
        self._hello = Hello(container=Container.MPEGTS, transcript=words)
        self._pace = LivePace()
        self._begun = time.monotonic()
        self.lags: list[tuple[float, float]] = []
        """Seconds since the beginning, and the lag of the newest description then."""
        self.skipped = 0

    async def run(self) -> None:
        await publish(self._address, self._hello, self._sent(), self._hear)

    def _hear(self, answer: object) -> None:
        self._pace.hear(answer)  # type: ignore[arg-type]
        if isinstance(answer, Progress):
            self.skipped = answer.skipped
            if answer.lag_emit is not None:
                self.lags.append((time.monotonic() - self._begun, answer.lag_emit))

    async def _sent(self) -> AsyncIterator[bytes | Control]:
        if self._hello.transcript is WordSource.CAPTIONS:
            yield Captions(until=100_000.0)
        async for piece in self._pace.at_play_speed(self._pieces()):
            yield piece

    async def _pieces(self) -> AsyncIterator[bytes]:
        for at in range(0, len(self._media), PIECE):
            yield self._media[at : at + PIECE]


async def flat(base: str, media: bytes, streams: int, seconds: float) -> bool:
    """Publish to all at once; print and judge."""
    publishers = [
        Publisher(StreamAddress.parse(f"{base}/live-{n}"), media, WordSource.CAPTIONS)
        for n in range(streams)
    ]
    before = spent()
    async with asyncio.TaskGroup() as tasks:
        for publisher in publishers:
            tasks.create_task(publisher.run())
            await asyncio.sleep(APART)
    lags = [lag for publisher in publishers for lag in publisher.lags]
    first = median(lag for at, lag in lags if at < seconds / 3)
    last = median(lag for at, lag in lags if at > 2 * seconds / 3)
    skipped = sum(publisher.skipped for publisher in publishers)
    cost = (spent() - before) / seconds / streams
    print(f"{streams} streams for {seconds:.0f} s: median lag {first:.2f} s, at last {last:.2f} s")
    print(f"{100 * cost:.1f} % of a core a stream, with its publisher; {skipped} windows skipped")
    return last <= first + MOST_MORE


async def accepted(base: str, media: bytes, station: Station, most: int) -> int:
    """How many streams with speech recognition are let in."""
    async with asyncio.TaskGroup() as tasks:
        running: list[asyncio.Task[None]] = []
        refused: list[StradError] = []

        async def one(number: int) -> None:
            address = StreamAddress.parse(f"{base}/asr-{number}")
            try:
                await Publisher(address, media, WordSource.LISTEN).run()
            except OverloadedError as error:
                refused.append(error)

        while len(running) < most and not refused:
            running.append(tasks.create_task(one(len(running))))
            await asyncio.sleep(BETWEEN)
        used = ", ".join(f"{name} {value:.2f}" for name, value in station.load.used.items())
        for task in running:
            task.cancel()
    count = len(running) - len(refused)
    print(f"admission takes {count} streams with speech recognition here ({used})")
    print(f"then: {refused[0]}" if refused else "and might have taken more")
    return count


async def measured(asked: argparse.Namespace, folder: Path, spoken: bytes) -> bool:
    seconds = float(asked.seconds)
    media = await asyncio.to_thread(made, folder / "live.ts", int(seconds))
    script = folder / "lines.jsonl"
    cues = [Cue(Interval(n * 6_000, n * 6_000 + 1_500), f"Line {n}.") for n in range(1_000)]
    script.write_text(PREDICTIONS.write(Prediction.of("live", cue) for cue in cues))
    settings = Settings(
        describer="scripted", port=0, asr=asked.asr, limits=Limits(streams=200, grace=1.0)
    )
    async with load_equipment(settings, [f"scripted:{script}"]) as equipment:
        app = create_app(settings, equipment)
        server, listener = make_server(app, settings), listen(settings)
        base = f"http://127.0.0.1:{listener.getsockname()[1]}/v1/streams"
        with listener:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(server.serve_until_asked(listener))
                met = await flat(base, media, asked.streams, seconds)
                if spoken:
                    await accepted(base, spoken, app.state.station, 40)
                server.ask_to_stop()
    return met


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--asr", default="off", help="the speech model, for --speech")
    parser.add_argument("--speech", help="an MPEG-TS file with much speech, 2 minutes or more")
    asked = parser.parse_args()
    allow_open_files()
    spoken = Path(asked.speech).read_bytes() if asked.speech else b""
    with tempfile.TemporaryDirectory() as folder:
        met = asyncio.run(measured(asked, Path(folder), spoken))
    print(f"targets: at most {MOST_MORE:g} s more lag: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
