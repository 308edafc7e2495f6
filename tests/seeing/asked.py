"""A request as it arrived: its task, its pictures with their times, and the lines of its text.

What prompts share (streaming/describers/strad_zero/texts): the first line of the system turn names
the task, ``Task: caption``. Times are seconds of the programme. What comes from the programme is
written as a JSON string, so that nothing in it can pass for a line of the prompt.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error as NotBase64
from dataclasses import dataclass
from typing import Any

from tests.seeing.eyes import Pixels, decoded

_TASK = re.compile(r"^Task: ([a-z-]+)$", re.MULTILINE)
_SPAN = re.compile(r'^(\d+\.\d)-(\d+\.\d) (heard|described) ("(?:[^"\\]|\\.)*")$', re.MULTILINE)
_TIME = re.compile(r"(\d+\.\d) (\w[\w ]*)$")
_VIDEO_TIME = re.compile(r"^The video begins at (\d+\.\d)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture; ``t`` in seconds of the programme, None where none was told."""

    t: float | None
    note: str
    """What the prompt says of it: ``new``, ``seen before``."""
    pixels: Pixels
    data: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """One line of what was heard or described earlier; seconds of the programme."""

    start: float
    end: float
    kind: str
    """heard | described"""
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model is given."""

    task: str
    """Empty where none is named."""
    system: str
    text: str
    """All text of the other turns, part by part."""
    pictures: tuple[Picture, ...]
    told: tuple[Told, ...]
    body: dict[str, Any]

    def quoted(self, label: str) -> list[str]:
        """The JSON strings of the line ``label: "...", "..."``; empty where there is no such."""
        found = re.search(rf"^{re.escape(label)}: (\".*\")$", self.text, re.MULTILINE)
        if not found:
            return []
        return [str(text) for text in json.loads(f"[{found[1]}]")]

    def seconds(self, label: str) -> list[float]:
        """The numbers of the line ``label: 1.0-2.5``; empty where there is no such."""
        found = re.search(rf"^{re.escape(label)}: ([0-9. ,-]+)$", self.text, re.MULTILINE)
        return [float(number) for number in re.findall(r"\d+\.\d", found[1])] if found else []

    def heard(self) -> list[str]:
        """What was said, in order."""
        return [told.text for told in self.told if told.kind == "heard"]

    def described(self) -> list[str]:
        """What was described, in order."""
        return [told.text for told in self.told if told.kind == "described"]


class UnreadableError(ValueError):
    """It is no request that a model could answer."""


def read(body: dict[str, Any]) -> Asked:
    """The request in a body's JSON. Raises UnreadableError."""
    try:
        turns = [(str(turn["role"]), _parts(turn["content"])) for turn in body["messages"]]
    except (KeyError, TypeError) as error:
        raise UnreadableError(f"no messages: {error}") from None
    system = "\n".join(_texts(parts) for role, parts in turns if role == "system")
    text = "\n".join(_texts(parts) for role, parts in turns if role != "system")
    task = _TASK.search(system)
    told = tuple(
        Told(float(start), float(end), kind, str(json.loads(quoted)))
        for start, end, kind, quoted in _SPAN.findall(text)
    )
    pictures = [picture for _, parts in turns for picture in _pictures(parts)]
    return Asked(task[1] if task else "", system, text, tuple(pictures), told, body)


def _parts(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _texts(parts: list[dict[str, Any]]) -> str:
    return "\n".join(str(part["text"]) for part in parts if part["type"] == "text")


def _pictures(parts: list[dict[str, Any]]) -> list[Picture]:
    found: list[Picture] = []
    before = ""
    for part in parts:
        match part:
            case {"type": "text", "text": text}:
                before = str(text)
            case {"type": "image_url", "image_url": {"url": url}}:
                told = _TIME.search(before.rstrip())
                t, note = (float(told[1]), told[2]) if told else (None, "")
                found.append(_picture(t, note, *_data(url)))
                before = ""
            case {"type": "video_url", "video_url": {"url": url}}:
                begins = _VIDEO_TIME.search(before)
                for n, data in enumerate(_data(url)):
                    t = float(begins[1]) + n if begins else None
                    found.append(_picture(t, "", data))
            case _:
                raise UnreadableError(f"an unknown part: {part.get('type')!r}")
    return found


def _picture(t: float | None, note: str, data: bytes) -> Picture:
    try:
        return Picture(t, note, decoded(data), data)
    except ValueError as error:
        raise UnreadableError(str(error)) from None


def _data(url: str) -> list[bytes]:
    head, comma, coded = url.partition(",")
    if not (head.startswith("data:") and head.endswith(";base64") and comma):
        raise UnreadableError("a picture that is not a base64 data URL")
    try:
        return [b64decode(one, validate=True) for one in coded.split(",")]
    except NotBase64:
        raise UnreadableError("a picture that is not base64") from None
