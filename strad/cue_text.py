"""The text of a cue: one line of plain words, and how WebVTT and SRT carry it.

Inside, a cue's text is always plain: no markup, no line breaks. WebVTT escapes what it would read
as markup; SRT has no escapes, so there the markup-like parts are taken out.
"""

from __future__ import annotations

import html
import re

_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
_VTT_TAG = re.compile(r"<[^<>]*>")
_VTT_LANGUAGE = re.compile(r"\s*<lang[ \t]+([A-Za-z0-9-]+)\s*>")
_LANGUAGE_TAG = re.compile(r"[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_SRT_TAG = re.compile(r"</?(?:[biusv]|font|ruby|rt|lang|c(?:\.[^<>\s]*)?)(?:\s[^<>]*)?>", re.I)
_SRT_OVERRIDE = re.compile(r"\{\\[^{}]*\}")
_MARKUP_SIGNS = re.compile(r"[<>{}]")
_NESTED_MARKUP = 4
"""Taking markup out may leave new markup behind; deeper than this it loses its signs instead."""
_LONG_ARROW = re.compile(r"(?<!-)--+>")


def one_line(text: str) -> str:
    """``text`` with every run of white space as one space, and only what UTF-8 files may hold."""
    return " ".join(_UNWRITABLE.sub("\ufffd", text).split())


def is_language_tag(text: str) -> bool:
    """Whether ``text`` has the shape of a BCP 47 tag."""
    return _LANGUAGE_TAG.fullmatch(text) is not None


def vtt_escape(text: str) -> str:
    """One line of WebVTT cue text that reads back as ``one_line(text)``."""
    return html.escape(one_line(text), quote=False)


def vtt_plain(payload: str) -> str:
    """The words of a WebVTT cue payload: tags stripped, character references resolved.

    A ``<`` that no ``>`` closes is kept, where a browser would drop the rest of the cue.
    """
    return one_line(html.unescape(_VTT_TAG.sub("", payload)))


def vtt_language(payload: str) -> str | None:
    """The language that a payload opens with (``<lang fr>``), if any."""
    found = _VTT_LANGUAGE.match(payload)
    return found.group(1) if found else None


def srt_plain(payload: str) -> str:
    """The words of an SRT payload without its markup: what is read, and all that is written."""
    text = one_line(payload)
    for _ in range(_NESTED_MARKUP):
        arrows = _LONG_ARROW.sub("->", text)
        cleaned = one_line(_SRT_OVERRIDE.sub("", _SRT_TAG.sub("", arrows)))
        if cleaned == text:
            return text
        text = cleaned
    return one_line(_MARKUP_SIGNS.sub("", text))
