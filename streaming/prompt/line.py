"""The answer's one line: ``AD <2.5> A woman opens the door. <4.0>`` or ``WAIT``. Pure.

The only place where these two words are. ``LineForm`` writes them, reads them back from anything a
model may say, and gives the regular expression that a server can hold a model to; the three agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from strad.timeline import Interval, Ms
from streaming.prompt.times import STEP, TimeMarks, rounded

AD: Final = "AD"
WAIT: Final = "WAIT"

LONGEST: Ms = 99_900
"""The latest time of a line, after its zero."""
MOST_TEXT = 300
"""Characters of a description: 20 s of speech."""
MOST_READ = 2_000
"""Characters of an answer that are looked at."""

_TIME = (
    r"[<(\[]\s*(?:t\s*=\s*)?(?P<{}>-?[0-9]{{1,5}}(?:[.,][0-9]{{1,3}})?)"
    r"\s*(?:s|sec|seconds)?\s*[>)\]]"
)
_LOOSE = re.compile(rf"{AD}\b[\s:]*{_TIME.format('start')}(?P<text>.*){_TIME.format('end')}")
_NAME = re.compile(r"\?P<\w+>")
_THOUGHT = re.compile(r"<think>\s*</think>\s*")


@dataclass(frozen=True, slots=True)
class AdLine:
    """A line in the form of a description, whatever it says."""

    text: str
    start: Ms
    end: Ms
    """In order or not; after the same zero as ``start``."""


@dataclass(frozen=True, slots=True)
class LineForm:
    """One family's way to write the line."""

    marks: TimeMarks
    reserved: str
    """Characters of the marks; no description may hold them."""

    def ad(self, text: str, when: Interval, *, latest_start: Ms = LONGEST) -> str:
        """The line of a description, ``when`` after its zero. Raises ValueError for no text.

        Times go to the nearest tenth, into what can be written; it ends after it starts.
        """
        said = self.plain(text)
        if not said:
            raise ValueError("a description needs text that can be spoken")
        latest = min(latest_start, LONGEST - STEP) // STEP * STEP
        start = max(0, min(rounded(when.start), latest))
        end = min(max(start + STEP, rounded(when.end)), LONGEST)
        return f"{AD} {self.marks(start)} {said} {self.marks(end)}"

    def plain(self, text: str) -> str:
        """The text as a line can hold it: one line, no reserved character, not too long."""
        said = " ".join("".join(" " if c in self.reserved else c for c in text).split())
        if len(said) <= MOST_TEXT:
            return said
        return said[: MOST_TEXT + 1].rpartition(" ")[0] or said[:MOST_TEXT]

    def read(self, answer: str) -> AdLine | Literal["WAIT"] | None:
        """What an answer is: a description, the word for waiting, or neither (None).

        More lenient than ``regex``: other brackets, spaces, words after the line.
        """
        line = first_line(answer)
        if line[: len(WAIT)].upper() == WAIT and not line[len(WAIT) :][:1].isalnum():
            return WAIT
        strict = re.fullmatch(self._ad(), line, re.DOTALL)
        found = strict or _LOOSE.match(line)
        if found is None:
            return None
        return AdLine(found["text"].strip(), _ms(found["start"]), _ms(found["end"]))

    @property
    def regex(self) -> str:
        """What the whole answer must match. Plain syntax that every server's engine knows."""
        return f"({WAIT}|{self.ad_regex})"

    @property
    def ad_regex(self) -> str:
        """What a description alone must match."""
        return _NAME.sub("", self._ad())

    def _ad(self) -> str:
        held = re.escape(self.reserved)
        inner, outer = rf"[^{held}\n\r\t]", rf"[^{held} \n\r\t]"
        text = f"(?P<text>{outer}({inner}{{0,{MOST_TEXT - 2}}}{outer})?)"
        return f"{AD} {self._time('start')} {text} {self._time('end')}"

    def _time(self, name: str) -> str:
        before, after = re.escape(self.marks.before), re.escape(self.marks.after)
        return rf"{before}(?P<{name}>[0-9]{{1,2}}\.[0-9]){after}"


def first_line(answer: str) -> str:
    """The first line that holds anything, of as much as is looked at."""
    start = _THOUGHT.sub("", answer[:MOST_READ], count=1).lstrip()
    return start.split("\n", 1)[0].strip()


def _ms(seconds: str) -> Ms:
    return round(float(seconds.replace(",", ".")) * 1000)
