"""Hours of one stream: memory and open files stay flat.

A publisher sends second after second of media without a decoder, as fast as they are taken; ears,
session, event log, asides and live quality are the service's own. Media passes some hundred
times faster than it plays, so that hours fit into minutes; what a decoder keeps isn't in it.

Targets: from the first sixth on, memory rises by less than 5 % or 8 MB, and no file stays open.

Exit status: 0 all targets met, 1 one missed.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import time
from pathlib import Path

from service.settings import Limits, Settings
from strad.decision import Decision, Describe
from strad.timeline import Interval
from streaming.window import Window
from tests.fakes import EveryWindowDescriber
from tests.service.fakes import Workshop
from tests.service.live import live_service
from tests.service.publishing import publishing

MOST_SHARE, MOST_BYTES = 0.05, 8 * 1024 * 1024
SCENE = 2 * (b"q" * 20 + b"ttt" + b"q" * 5 + b"tt")
"""A minute: quiet, and talk."""


def resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


class ForgetfulDescriber(EveryWindowDescriber):
    """Describes every window and remembers none: a test's describer would keep them all."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    async def decide(self, window: Window) -> Decision:
        self._count += 1
        start = max(window.when.start, window.when.end - 2_000)
        text = f"thing{self._count} falls{self._count}"
        return Describe((text,), Interval(start, window.when.end))


async def endure(hours: float) -> list[tuple[float, int, int]]:
    """Hours of media so far, bytes and open files, six times."""
    settings = Settings(describer="every-window", port=0, limits=Limits(max_log=500, silence=120.0))
    looks: list[tuple[float, int, int]] = []
    async with (
        live_service(Workshop(ForgetfulDescriber).equipment(), settings) as live,
        publishing(live.address(), delay=12.0) as publisher,
    ):
        await publisher.until("ready")
        total, sent = int(hours * 3_600), 0
        while sent < total:
            await publisher.media(SCENE)
            sent += len(SCENE)
            await publisher.until("progress", live_edge=sent - 1.0)
            if sent >= total * (len(looks) + 1) / 6:
                looks.append((sent / 3_600, resident(), open_files()))
        await publisher.tell(type="finish")
        await publisher.until("summary")
    return looks


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=6.0)
    begun = time.monotonic()
    looks = asyncio.run(endure(parser.parse_args().hours))
    for at, memory, files in looks:
        print(f"{at:.2f} h of media: {memory / 2**20:.1f} MB, {files} open files")
    more = looks[-1][1] - looks[0][1]
    met = more <= max(MOST_BYTES, MOST_SHARE * looks[0][1]) and looks[-1][2] <= looks[0][2]
    print(f"{more / 2**20:+.1f} MB since the first sixth, {time.monotonic() - begun:.0f} s in all")
    print(f"targets: under 5 % or 8 MB, no file more: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
