"""What a model says it heard, made clean: sounds it is known to invent, and voices without traits.

Source: the paper's refinement of audio captions. A "crumpling sound" is a known invention of its
audio model and always dropped; a vocal trait is kept only where it is not neutral and belongs to a
line that the subtitles have, whose words then take the place of the model's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from question_generation.jointav.sequence import plain
from strad.record import TimedText

INVENTED = re.compile(r"\bcrumpl(?:e|es|ed|ing)\b", re.I)
NOTHING = re.compile(
    r"^\W*(?:none|nothing|silence|no|n/?a|unclear|inaudible)\b(?:\W*\w+){0,4}\W*$", re.I
)
NEUTRAL = re.compile(
    r"^\W*(?:a |an |in a )?(?:neutral|calm|normal|plain|flat|ordinary|unemotional|matter.of.fact)"
    r"\b(?: (?:tone|voice|mood|manner))?\W*$",
    re.I,
)
ALIKE = 0.6
"""The share of a line's words that what the model heard must have in the same order."""


def sounds(told: Iterable[TimedText]) -> tuple[TimedText, ...]:
    """Sound events or music, without inventions, blanks and repeats at the same time."""
    kept: dict[tuple[float, str], TimedText] = {}
    for line in told:
        text = " ".join(line.text.split())
        if text and not INVENTED.search(text) and not NOTHING.match(text):
            kept.setdefault((line.start, text.casefold()), line)
    return tuple(sorted(kept.values(), key=lambda line: (line.start, line.end)))


def line_said(heard: str, dialogue: Sequence[TimedText]) -> TimedText | None:
    """The line of the subtitles that was heard; None where none is like it."""
    wanted = plain(heard).split()
    if not wanted:
        return None
    shares = [(_share(wanted, plain(line.text).split()), line) for line in dialogue]
    best = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= ALIKE else None


def trait(line: TimedText, tone: str, voice: str = "") -> TimedText | None:
    """How the line is spoken, in words for question makers; None for what tells nothing."""
    tones = "" if not tone.strip() or NEUTRAL.match(tone) or NOTHING.match(tone) else tone.strip()
    if not tones:
        return None
    who = "" if NOTHING.match(voice) else voice.strip()
    text = f"'{line.text}' is said with {_article(tones)} tone" + (f" by {who}" if who else "")
    return TimedText(start=line.start, end=line.end, text=text)


def _share(heard: list[str], line: list[str]) -> float:
    if not line:
        return 0.0
    match = SequenceMatcher(None, heard, line, autojunk=False)
    return sum(block.size for block in match.get_matching_blocks()) / max(len(heard), len(line))


def _article(tone: str) -> str:
    bare = re.sub(r"^(?:a|an|the)\s+|\s+(?:tone|voice)$", "", tone, flags=re.I)
    return f"{'an' if bare[:1].lower() in 'aeiou' else 'a'} {bare}"
