"""Orders: the control messages of one publisher, obeyed or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import assert_never

from service.feed import Feed
from strad.errors import OverloadedError, ProtocolError, StradError
from strad.timeline import Ms, from_seconds
from strad.wire.answering import Answer, Error
from strad.wire.message import MAX_CONTROL, name_of
from strad.wire.publishing import (
    Captions,
    Epoch,
    Finish,
    FromPublisher,
    Hello,
    KeepAlive,
    Pause,
    Play,
    parse_from_publisher,
)

MOST_REFUSED = 50
"""Refused messages after which a publisher is taken for broken."""


class Orders:
    """Tells the feed what the publisher says of its media."""

    def __init__(
        self,
        feed: Feed,
        tell: Callable[[Answer], object],
        *,
        captions: bool,
        finish: Callable[[], None],
    ) -> None:
        self._feed = feed
        self._tell = tell
        self._captions = captions
        self.finish = finish
        """To be called when no more media comes."""
        self._refused = 0
        self.sent: Ms | None = None
        """The sender's clock, where it tells it."""
        self.paused = False
        """Whether the player stands still."""

    def obey(self, text: str) -> None:
        """Raises ProtocolError when too many were refused."""
        try:
            message = parse_from_publisher(text)
        except ProtocolError as error:
            if self._captions and may_be_captions(text):
                self._feed.lose_captions()
            self.refuse(error, answers=name_of(text))
            return
        try:
            self._act(message)
        except (ProtocolError, OverloadedError) as error:
            self.refuse(error, answers=name_of(text))

    def refuse(self, error: StradError, answers: str | None) -> None:
        """Say why; the stream goes on."""
        self._refused += 1
        if self._refused > MOST_REFUSED:
            raise ProtocolError(f"more than {MOST_REFUSED} messages refused; the last: {error}")
        self._tell(Error.of(error, answers=answers, fatal=False))

    def _act(self, message: FromPublisher) -> None:
        match message:
            case Hello():
                raise ProtocolError("hello a second time")
            case Captions():
                if not self._captions:
                    raise ProtocolError('captions, but hello.transcript is not "captions"')
                self._feed.tell(message)
            case Epoch():
                self._feed.tell(message)
            case Pause() | Play():
                self.paused = isinstance(message, Pause)
            case KeepAlive():
                self.sent = self.sent if message.sent is None else from_seconds(message.sent)
            case Finish():
                self.finish()
            case never:
                assert_never(never)


def may_be_captions(text: str) -> bool:
    """Whether a message that can't be read may have held captions; only another type says no."""
    if len(text) > MAX_CONTROL:
        return True
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return True
    return not isinstance(message, dict) or message.get("type", "captions") == "captions"
