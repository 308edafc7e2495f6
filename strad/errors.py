"""Everything that can go wrong, as one small tree.

StradError                 wire code, WebSocket close code, retryable, exit code
├── InputError             the user's input or usage is wrong                      (exit 2)
│   ├── FormatError        a file breaks its format; names file and line
│   ├── MediaError         the media can't be used
│   │   ├── NoVideoError   there is sound, but no picture to describe
│   │   └── NoMediaError   nothing decodable in it
│   ├── RefusedSourceError a source we will not open
│   ├── UnknownLogError    the log to be resumed is not to be had any more
│   ├── NotFoundError      there is no such stream, track or job
│   ├── NotAcceptableError the client takes none of the forms there are
│   ├── UnauthorizedError  no key, or one that is wrong or expired
│   │   └── ForbiddenError the key is right, but for something else
│   └── ProtocolError      a peer broke the wire protocol
│       └── UnknownMessageError   a message type this version does not know
└── WorkError              the input is right, the work failed                     (exit 1)
    ├── DecoderError       the decoding process crashed, hung or outgrew its limits
    ├── DescriberError     the describer failed
    ├── MissingModelError  a model file or a package is not here; says what to install
    ├── LogError           the event log can't be read or written
    ├── NotOwnedError      another process has taken the stream over
    ├── TakenError         the stream has a publisher already; try again later
    ├── OverloadedError    no room for another stream; try again later
    │   └── RateLimitError one caller asks more than it may; says when to try again
    └── PeerGoneError      the other end went away or stayed silent too long
        └── ExpiredError   the credentials it came with hold no longer
"""

from __future__ import annotations

from typing import ClassVar


class StradError(Exception):
    """The root. ``str(error)`` is one clear line for a person."""

    code: ClassVar[str] = "internal"
    """Names the error on the wire."""
    close_code: ClassVar[int] = 1011
    """The WebSocket close code it ends a connection with."""
    retryable: ClassVar[bool] = False
    """Whether trying again, unchanged, can help."""
    exit_code: ClassVar[int] = 1
    """What the command line exits with."""


class InputError(StradError):
    """The user's input or usage is wrong."""

    code = "bad-input"
    close_code = 1008
    exit_code = 2


class FormatError(InputError):
    """A file breaks its format."""

    code = "bad-format"
    close_code = 1007

    def __init__(self, what: str, *, file: str = "", line: int | None = None) -> None:
        where = ":".join(part for part in (file, str(line) if line else "") if part)
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.file = file
        self.line = line


class MediaError(InputError):
    """The media can't be used."""

    code = "bad-media"
    close_code = 1003


class NoVideoError(MediaError):
    """There is sound, but no picture to describe."""

    code = "no-video"


class NoMediaError(MediaError):
    """Nothing in it can be decoded."""

    code = "no-media"


class RefusedSourceError(InputError):
    """A source we will not open."""

    code = "refused-source"


class UnknownLogError(InputError):
    """The log to be resumed is not to be had any more."""

    code = "unknown-log"


class NotFoundError(InputError):
    """There is no such stream, track or job."""

    code = "not-found"


class NotAcceptableError(InputError):
    """The client takes none of the forms that an answer can have."""

    code = "not-acceptable"


class UnauthorizedError(InputError):
    """No key, or one that is wrong or expired."""

    code = "unauthorized"


class ForbiddenError(UnauthorizedError):
    """The key is right, but for something else."""

    code = "forbidden"


class ProtocolError(InputError):
    """A peer broke the wire protocol."""

    code = "protocol"
    close_code = 1002


class UnknownMessageError(ProtocolError):
    """A message type this version does not know: a receiver says so, or ignores it, and goes on."""

    code = "unknown-message"


class WorkError(StradError):
    """The input is right; the work failed."""

    code = "failed"


class DecoderError(WorkError):
    """The decoding process crashed, hung or outgrew its limits."""

    code = "decoder"


class DescriberError(WorkError):
    """The describer failed."""

    code = "describer"
    retryable = True


class MissingModelError(WorkError):
    """A model file, or a package of an extra, is not here; the message says what to install."""

    code = "missing-model"


class LogError(WorkError):
    """The event log can't be read or written."""

    code = "log"
    retryable = True


class NotOwnedError(WorkError):
    """Another process has taken the stream over."""

    code = "not-owned"
    close_code = 1001
    retryable = True


class TakenError(WorkError):
    """The stream has a publisher already. One that is gone keeps its name for a while."""

    code = "taken"
    close_code = 1013
    retryable = True


class OverloadedError(WorkError):
    """No room for another stream; try again later."""

    code = "overloaded"
    close_code = 1013
    retryable = True

    def __init__(self, what: str, *, retry_after: float | None = None) -> None:
        super().__init__(what)
        self.retry_after = retry_after
        """Wall seconds until trying again can help, where that is known."""


class RateLimitError(OverloadedError):
    """One caller asks more than it may."""

    code = "rate-limited"

    def __init__(self, what: str, *, retry_after: float | None = 1.0) -> None:
        super().__init__(what, retry_after=retry_after)


class PeerGoneError(WorkError):
    """The other end went away, or stayed silent too long."""

    code = "peer-gone"
    close_code = 1001
    retryable = True


class ExpiredError(PeerGoneError):
    """The credentials the peer came with hold no longer: what it sent before stands."""

    code = "expired"
    close_code = 1008
    retryable = False


def cause_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first of our own errors in the group; the group itself when it holds any other."""
    known, other = group.split(StradError)
    if known is None or other is not None:
        return group
    error: BaseException = known
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
