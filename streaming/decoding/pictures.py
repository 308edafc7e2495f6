"""Which packets must be decoded to show what is on screen at each grid time, and no more.

A packet waits undecoded until one *after* the grid time has come. A keyframe at or before the
grid time makes all that waits before it needless, so it is dropped unseen. What is left is
decoded without the frames nothing refers to, except the very one shown at the grid time. The
result is the frame that decoding everything would show (docs/adr/0010).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import av
from av.video.codeccontext import VideoCodecContext
from av.video.stream import VideoStream

from strad.timeline import Ms

VideoPacket: TypeAlias = "av.Packet[VideoStream]"

MAX_WAITING = 512
MAX_WAITING_BYTES = 16 * 1024 * 1024
EARLY: Ms = 100
"""A first picture this little after a grid time counts as shown at it."""


class PictureSampler:
    """Calls ``show(frame, t)`` for each grid time, in order, with the frame on screen then."""

    def __init__(
        self,
        context: VideoCodecContext,
        fps: float,
        show: Callable[[av.VideoFrame, Ms], None],
        corrupt: Callable[[bool], None],
    ) -> None:
        self._context = context
        self._fps = fps
        self._show = show
        self._corrupt = corrupt
        self._base = Fraction(1, 1000)
        self._waiting: deque[tuple[VideoPacket, Ms]] = deque()
        self._bytes = 0
        self._held: av.VideoFrame | None = None
        self._held_t: Ms = 0
        self._grid = 0
        self._exact: Ms = 0
        self._decodable_from: Ms | None = None
        self.keys_only = False
        """Decode nothing but keyframes from now on: for absurd frame rates."""

    @property
    def next_time(self) -> Ms:
        """The next grid time to show."""
        return grid_time(self._grid, self._fps)

    @property
    def seen(self) -> bool:
        """Whether any picture was decoded yet."""
        return self._held is not None

    def push(self, packet: VideoPacket, t: Ms) -> None:
        """Take the next packet, shown at ``t``; its own PTS must already be on stream time."""
        if packet.is_keyframe and t <= self.next_time and self._waiting:
            self._drop_waiting(t)
        elif self.keys_only and not packet.is_keyframe:
            return
        self._waiting.append((packet, t))
        self._bytes += packet.size
        full = len(self._waiting) >= MAX_WAITING or self._bytes >= MAX_WAITING_BYTES
        if t > self.next_time or full:
            self._decode_waiting()

    def overtaken(self, t: Ms) -> None:
        """Show all grid times up to ``t``, with what there is: the other track is far ahead."""
        if t < self.next_time:
            return
        self._decode_waiting()
        self._show_until(t + 1)

    def finish(self, end: Ms) -> None:
        """The media is over, and lasts until ``end``."""
        self._decode_waiting()
        self._decode(None)
        self._show_until(end)

    def _drop_waiting(self, key: Ms) -> None:
        self._waiting.clear()
        self._bytes = 0
        self._context.flush_buffers()
        self._decodable_from = key

    def _decode_waiting(self) -> None:
        at = self.next_time
        shown = [t for _, t in self._waiting if t <= at]
        self._exact = max(shown, default=self._exact)
        while self._waiting:
            packet, t = self._waiting.popleft()
            if self._decodable_from is None or t >= self._decodable_from:
                wanted = self._exact <= t <= self.next_time
                self._context.skip_frame = "DEFAULT" if wanted else "NONREF"
                self._base = packet.time_base
                self._decode(packet)
        self._bytes = 0

    def _decode(self, packet: VideoPacket | None) -> None:
        try:
            frames = self._context.decode(packet)
        except av.error.MemoryError:
            raise
        except av.error.FFmpegError:
            self._corrupt(True)
            return
        if frames:
            self._corrupt(False)
        for frame in frames:
            self._on_screen(frame)

    def _on_screen(self, frame: av.VideoFrame) -> None:
        ticks = frame.dts if frame.pts is None else frame.pts
        t = self._held_t if ticks is None else ticks_to_ms(ticks, self._base)
        if self._held is not None and t < self._held_t:
            return
        if self._held is None and 0 <= t - self.next_time <= EARLY:
            t = self.next_time
        self._show_until(t)
        self._held, self._held_t = frame, t

    def _show_until(self, t: Ms) -> None:
        while self.next_time < t:
            if self._held is not None:
                self._show(self._held, self.next_time)
            self._grid += 1


def grid_time(index: int, fps: float) -> Ms:
    """The absolute grid: the ``index``-th time, in ms."""
    return round(index * 1000 / fps)


def ticks_to_ms(ticks: int, base: Fraction) -> Ms:
    """A time in units of ``base`` seconds, to the nearest millisecond."""
    return (2000 * ticks * base.numerator + base.denominator) // (2 * base.denominator)


class RateGauge:
    """Pictures a second, over the last whole second of stream time."""

    def __init__(self) -> None:
        self.rate = 0
        self._since: Ms = 0
        self._count = 0

    def push(self, t: Ms) -> None:
        """Another picture, at ``t``."""
        self._count += 1
        if t >= self._since + 1000:
            self.rate = self._count * 1000 // (t - self._since)
            self._since, self._count = t, 0
