"""What a prompt shows of a film, read back from its text: tests' engines know nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from question_generation.jointav.sequence import plain
from strad_engines.messages import Message, Text

_SEGMENT = re.compile(r"^Segment (\d+) \(([\d.]+) s to ([\d.]+) s\)$")
_LINE = re.compile(r"^- \[([\d.]+) s, ([a-z ]+)\] (.*)$")


@dataclass(frozen=True, slots=True)
class Seen:
    """One line of the material."""

    segment: int
    start: float
    """Of the segment, in seconds."""
    t: float
    kind: str
    text: str

    def holds(self, words: str) -> bool:
        return bool(plain(words)) and plain(words) in plain(self.text)


def material(text: str) -> list[Seen]:
    """All lines of a film in a text, in its order."""
    found: list[Seen] = []
    number, start = 0, 0.0
    for row in text.splitlines():
        if head := _SEGMENT.match(row):
            number, start = int(head[1]), float(head[2])
        elif line := _LINE.match(row):
            found.append(Seen(number, start, float(line[1]), line[2], line[3]))
    return found


def words_of(messages: Sequence[Message]) -> tuple[str, str]:
    """Instructions, and the first question of the user; what is said when asked again is not."""
    system, user = messages[0], messages[1]
    texts = ["\n".join(p.text for p in m.parts if isinstance(p, Text)) for m in (system, user)]
    return texts[0], texts[1]


def after(text: str, head: str) -> str:
    """The rest of the line that begins with ``head``; empty where there is none."""
    found = re.search(rf"^{re.escape(head)}(.*)$", text, re.M)
    return found[1].strip() if found else ""
