"""WebVTT: cues as browsers and players read them (https://www.w3.org/TR/webvtt1/).

Written strictly by the spec's grammar; read as leniently as the spec's parser, except that what
the parser would silently drop (a bad timing line, text outside any cue) is refused by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from strad.cue_text import is_language_tag, one_line, vtt_escape, vtt_language, vtt_plain
from strad.cue_timing import ARROW, is_timing, parse_timing, split_lines, write_time, write_timing
from strad.cues import Cue
from strad.errors import FormatError
from strad.timeline import Ms

MPEGTS_WRAP = 1 << 33
"""MPEG-TS clocks (90 kHz) start again from 0 here."""

_MAGIC = re.compile(r"WEBVTT(?:[ \t].*)?", re.DOTALL)
_NO_CUE = re.compile(r"(?:NOTE(?:[ \t].*)?|(?:STYLE|REGION)[ \t]*)", re.DOTALL)
_LANGUAGE = re.compile(r"lang(?:uage)?[ \t]*[:=][ \t]*([A-Za-z0-9-]+)[ \t]*", re.IGNORECASE)

_Line = tuple[int, str]


def read_webvtt(text: str, *, file: str = "", language: str = "en") -> list[Cue]:
    """The cues in file order, their text plain and on one line.

    Identifiers, settings, comments, styles, regions and X-TIMESTAMP-MAP are passed over. A cue's
    language is its opening ``<lang>``, else the header's ``Language:``, else ``language``.
    """
    lines = list(enumerate(split_lines(text), start=1))
    if not _MAGIC.fullmatch(lines[0][1]):
        raise FormatError("a WebVTT file starts with the line WEBVTT", file=file, line=1)
    body = 1
    while body < len(lines) and lines[body][1] and ARROW not in lines[body][1]:
        found = _LANGUAGE.fullmatch(lines[body][1])
        language = found.group(1) if found else language
        body += 1
    cues = (_read_block(block, file, language) for block in _blocks(lines[body:]))
    return [cue for cue in cues if cue is not None]


def write_webvtt(
    cues: Iterable[Cue],
    *,
    notes: Iterable[str] = (),
    language: str = "en",
    mpegts: int | None = None,
    local: Ms = 0,
) -> str:
    """A whole file, cues in order of their start. The arguments are ``webvtt_header``'s."""
    ordered = sorted(cues, key=lambda cue: cue.when.start)
    return webvtt_header(notes=notes, mpegts=mpegts, local=local) + "".join(
        webvtt_cue(cue, language=language) for cue in ordered
    )


def webvtt_header(*, notes: Iterable[str] = (), mpegts: int | None = None, local: Ms = 0) -> str:
    """The beginning of a file, to which ``webvtt_cue`` pieces may be appended as they come.

    ``notes`` become comments at the top. ``mpegts`` is the 90 kHz media timestamp of cue time
    ``local`` and adds HLS's X-TIMESTAMP-MAP (RFC 8216, 3.5), for segments only: it is no part of
    WebVTT itself.
    """
    head = "WEBVTT\n"
    if mpegts is not None:
        when = write_time(local, ".")
        head += f"X-TIMESTAMP-MAP=LOCAL:{when},MPEGTS:{mpegts % MPEGTS_WRAP}\n"
    return f"{head}\n" + "".join(f"NOTE {one_line(n).replace(ARROW, 'to')}\n\n" for n in notes)


def webvtt_cue(cue: Cue, *, language: str = "en") -> str:
    """One cue and the blank line after it; ``<lang>`` marks another language than the file's."""
    text = vtt_escape(cue.text)
    if cue.language != language:
        if not is_language_tag(cue.language):
            raise FormatError(f"not a language tag: {cue.language!r}")
        text = f"<lang {cue.language}>{text}</lang>"
    return f"{write_timing(cue.when, '.')}\n{text}\n\n"


def draft_note(describer: str) -> str:
    """The label that every draft output carries."""
    return f"Draft audio description, made automatically by {describer}; no person has checked it."


def _blocks(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Runs of lines that blank lines part; a timing line below a cue's text starts a new one."""
    block: list[_Line] = []
    for number, line in lines:
        starts_anew = ARROW in line and (len(block) > 1 or any(ARROW in held for _, held in block))
        if block and (not line or starts_anew):
            yield block
            block = []
        if line:
            block.append((number, line))
    if block:
        yield block


def _read_block(block: list[_Line], file: str, language: str) -> Cue | None:
    first, second = block[0], block[1] if len(block) > 1 else None
    if _NO_CUE.fullmatch(first[1]) and (second is None or not is_timing(second[1])):
        return None
    at = 0 if ARROW in first[1] else 1
    if at == 1 and (second is None or ARROW not in second[1]):
        what = "text outside any cue (a blank line ends a cue's text)"
        raise FormatError(what, file=file, line=first[0])
    number, timing = block[at]
    payload = "\n".join(line for _, line in block[at + 1 :])
    return Cue(
        parse_timing(timing, file=file, number=number),
        vtt_plain(payload),
        vtt_language(payload) or language,
    )
