"""The intake: a publisher's binary messages, checked as far as they say anything of themselves.

A container's bytes say nothing until they are decoded. Framed media says what it is and when: what
can't be is refused here, message by message, and the stream goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from strad.errors import ProtocolError
from strad.timeline import Ms
from strad.wire.framed import FramedKind, parse_framed
from strad.wire.publishing import Container
from streaming.decoding.framed import RECORD

LEAP: Ms = 120_000
"""Framed media may begin, or go on, at most this much later: the time between is made up."""

Intake: TypeAlias = Callable[[bytes], bytes]
"""A message as the decoder takes it. Raises ProtocolError where it is refused."""


class FramedIntake:
    """Takes framed messages in order of time, each kind for itself."""

    def __init__(self, begins: Ms) -> None:
        self._edge = begins * 1000
        self._last = {kind: 0 for kind in FramedKind}

    def __call__(self, message: bytes) -> bytes:
        """With its length before it."""
        framed = parse_framed(message)
        kind, us = framed.kind, framed.us
        if us < self._last[kind]:
            what = "a picture" if kind is FramedKind.JPEG else "sound"
            raise ProtocolError(
                f"framed: {what} of {us / 1e6:g} s after {self._last[kind] / 1e6:g} s"
            )
        if us > self._edge + LEAP * 1000:
            raise ProtocolError(
                f"framed: {us / 1e6:g} s is more than {LEAP / 1000:g} s after all before it"
            )
        self._last[kind] = us
        self._edge = max(self._edge, framed.end_us)
        return RECORD.pack(len(message)) + message


def intake_for(container: Container, begins: Ms) -> Intake:
    """``begins``: where the stream stands, or where the sender says that its media begins."""
    return FramedIntake(begins) if container is Container.FRAMED else _as_it_is


def _as_it_is(message: bytes) -> bytes:
    return message
