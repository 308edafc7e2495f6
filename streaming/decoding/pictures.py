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
from streaming.decoding.screen import Screen

VideoPacket: TypeAlias = "av.Packet[VideoStream]"

MAX_WAITING = 512
MAX_WAITING_BYTES = 16 * 1024 * 1024
NEAR: Ms = 300
"""Pictures usually follow each other within this."""


class PictureSampler:
    """Has the frame that is on screen at each grid time decoded, and little else.

    ``prompt``: what is needed is decoded as soon as it is known to be, for live media. Otherwise
    it may wait for the next grid time or keyframe, which saves the frames that a decoder must be
    given before it lets go of one.
    """

    def __init__(
        self,
        context: VideoCodecContext,
        base: Fraction,
        screen: Screen[av.VideoFrame],
        corrupt: Callable[[bool], None],
        *,
        prompt: bool,
    ) -> None:
        self._context = context
        self._grid = screen.grid
        self.screen = screen
        self._corrupt = corrupt
        self._prompt = prompt
        self._base = base
        self._waiting: deque[tuple[VideoPacket, Ms]] = deque()
        self._bytes = 0
        self._gap: Ms = 0
        self._last_t: Ms = 0
        self._fed = 0
        """Grid index; what lies between the screen's and it is in the decoder, to come out."""
        self._decodable_from: Ms | None = None
        self.keys_only = False
        """Decode nothing but keyframes from now on: for absurd frame rates."""

    def push(self, packet: VideoPacket, t: Ms) -> None:
        """Take the next packet, shown at ``t``; its own PTS must already be on stream time."""
        if packet.is_keyframe and t <= self._fed_time and self._waiting:
            self._jump_to(t)
        elif self.keys_only and not packet.is_keyframe:
            return
        self._gap = abs(t - self._last_t)
        self._last_t = t
        self._waiting.append((packet, t))
        self._bytes += packet.size
        if len(self._waiting) >= MAX_WAITING or self._bytes >= MAX_WAITING_BYTES:
            self._feed(len(self._waiting))
        elif self._prompt or packet.dts is None or self.screen.dark:
            if t > self._fed_time:
                self._feed(len(self._waiting))
        else:
            self._feed_what_is_complete(ticks_to_ms(packet.dts, self._base))

    def follow(self, context: VideoCodecContext) -> None:
        """The pictures to come are decoded by ``context``; their times have the same base."""
        self._feed(len(self._waiting))
        self._decode(None)
        self._context = context
        self._decodable_from = None

    def overtaken(self, t: Ms) -> None:
        """Show all grid times up to ``t``, with what there is: the other track is far ahead."""
        if t >= self.screen.shown:
            self._feed(len(self._waiting))
            self.screen.show_until(t + 1)

    def finish(self, end: Ms) -> None:
        """The media is over, and lasts until ``end``."""
        self._feed(len(self._waiting))
        self._decode(None)
        self.screen.show_until(end)

    @property
    def _next_fed(self) -> int:
        return max(self._fed, self.screen.next)

    @property
    def _fed_time(self) -> Ms:
        return self._grid.time(self._next_fed)

    def _jump_to(self, key: Ms) -> None:
        if self.screen.next < self._next_fed:
            self._decode(None)
            self.screen.show_until(self._grid.time(self._next_fed - 1) + 1)
        self._waiting.clear()
        self._bytes = 0
        self._context.flush_buffers()
        self._decodable_from = key

    def _feed_what_is_complete(self, dts: Ms) -> None:
        """Nothing shown before ``dts`` is still to come."""
        while dts > self._fed_time:
            shown = [(t, i) for i, (_, t) in enumerate(self._waiting) if t <= self._fed_time]
            self._feed(max(shown)[1] + 1 if shown else 0)
            self._fed = self._next_fed + 1

    def _feed(self, count: int) -> None:
        """Decode the first ``count`` that wait; of those nothing refers to, only the one shown."""
        at = self._fed_time
        exact = max((t for _, t in self._waiting if t <= at), default=self.screen.held_t)
        for _ in range(count):
            packet, t = self._waiting.popleft()
            self._bytes -= packet.size
            if self._decodable_from is None or t >= self._decodable_from:
                near = max(NEAR, 2 * self._gap)
                wanted = exact <= t <= at or (
                    t > at and self._grid.time(self._grid.index_from(t)) - t < near
                )
                self._context.skip_frame = "DEFAULT" if wanted else "NONREF"
                self._decode(packet)

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
            ticks = frame.dts if frame.pts is None else frame.pts
            t = self.screen.held_t if ticks is None else ticks_to_ms(ticks, self._base)
            self.screen.change(frame, t)


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
