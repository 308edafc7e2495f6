r"""SRT (SubRip): numbered cues, for players that know nothing better.

SRT has neither comments nor escapes: a draft label has no place in it, and what a player would
take for markup (``<i>``, ``{\an8}``) is left out of the text that is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from strad.cue_text import srt_plain
from strad.cue_timing import ARROW, is_timing, parse_timing, split_lines, write_timing
from strad.cues import Cue
from strad.errors import FormatError

_MEANT_AS_TIMING = re.compile(r"\s*[0-9][0-9:.,;\s]*-->")
_NUMBER = re.compile(r"\s*[0-9]+\s*")


def read_srt(text: str, *, file: str = "", language: str = "en") -> list[Cue]:
    """The cues in file order, their text plain and on one line.

    Numbers may be missing or out of order. A blank line inside a cue's text doesn't end it: the
    next timing line does. Coordinates after the end time are passed over.
    """
    lines = split_lines(text)
    starts = [at for at, line in enumerate(lines) if _starts_cue(line)]
    _refuse_stray(lines[: starts[0] if starts else len(lines)], bool(starts), file)
    cues: list[Cue] = []
    for start, following in pairwise([*starts, len(lines)]):
        when = parse_timing(lines[start], file=file, number=start + 1)
        payload = lines[start + 1 : following]
        if following < len(lines) and payload and _NUMBER.fullmatch(payload[-1]):
            payload.pop()
        cues.append(Cue(when, srt_plain("\n".join(payload)), language))
    return cues


def write_srt(cues: Iterable[Cue]) -> str:
    """A whole file, cues in order of their start, numbered from 1."""
    ordered = sorted(cues, key=lambda cue: cue.when.start)
    return "".join(srt_cue(cue, number) for number, cue in enumerate(ordered, start=1))


def srt_cue(cue: Cue, number: int) -> str:
    """One cue and the blank line after it, to be appended to a file as it comes."""
    return f"{number}\n{write_timing(cue.when, ',')}\n{srt_plain(cue.text)}\n\n"


def _starts_cue(line: str) -> bool:
    return ARROW in line and (is_timing(line) or _MEANT_AS_TIMING.match(line) is not None)


def _refuse_stray(before: list[str], has_cues: bool, file: str) -> None:
    """Before the first timing line there may be blank lines and that cue's number, no more."""
    filled = [(number, line) for number, line in enumerate(before, start=1) if line.strip()]
    if has_cues and filled and _NUMBER.fullmatch(filled[-1][1]):
        filled.pop()
    if filled:
        raise FormatError("text before the first timing line", file=file, line=filled[0][0])
