"""The timing line of a cue, ``start --> end``, as WebVTT and SRT write it."""

from __future__ import annotations

import re

from strad.errors import FormatError
from strad.timeline import Interval, Ms

ARROW = "-->"

_TIME = r"(?:([0-9]{1,9}):)?([0-5][0-9]):([0-5][0-9])[.,]([0-9]{3})"
_TIMING = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?", re.DOTALL)
_LINE_END = re.compile(r"\r\n|\n|\r")


def split_lines(text: str) -> list[str]:
    """The lines of a cue file: CRLF, LF or CR end one, a leading byte order mark is dropped."""
    return _LINE_END.split(text.removeprefix("\ufeff"))


def parse_timing(line: str, *, file: str, number: int) -> Interval:
    """When the cue lies. Hours may be missing; what follows the end (settings) is ignored."""
    found = _TIMING.fullmatch(line)
    if found is None:
        what = f"not a timing line (want 00:00:01.000 {ARROW} 00:00:02.000): {line.strip()[:80]!r}"
        raise FormatError(what, file=file, line=number)
    start, end = _ms(*found.groups()[:4]), _ms(*found.groups()[4:])
    if end < start:
        raise FormatError("the cue ends before it starts", file=file, line=number)
    return Interval(start, end)


def is_timing(line: str) -> bool:
    """Whether ``line`` is a well-formed timing line."""
    return _TIMING.fullmatch(line) is not None


def write_timing(when: Interval, point: str) -> str:
    """The timing line, with ``point`` before the milliseconds.

    Both formats want an end after the start, so an empty interval is written 1 ms long.
    """
    if when.start < 0:
        raise FormatError(f"a cue can't start before 0: {when.start} ms")
    end = max(when.end, when.start + 1)
    return f"{write_time(when.start, point)} {ARROW} {write_time(end, point)}"


def _ms(hours: str | None, minutes: str, seconds: str, ms: str) -> Ms:
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(ms)


def write_time(at: Ms, point: str) -> str:
    """``hh:mm:ss.mmm``, with ``point`` before the milliseconds."""
    seconds, ms = divmod(at, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{ms:03}"
