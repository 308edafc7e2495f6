"""The last words of a question: what the paper's post-steps change, by rule. Pure.

- Speaker Spatial Localization asks without "with a ... tone": the tone is to be heard.
- Cross-scene Association speaks of "the remaining parts", not of scenes by number.
- Plot Development Prediction asks what is most likely to occur "after this video ends", where the
  video ends before the event.
- ``Segment n`` becomes seconds from the start of what is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from question_generation.jointav.draft import Draft, Part
from strad.questions import Segment

AFTER = "What is most likely to occur after this video ends?"
REMAINING = "the remaining parts"
_TONE = re.compile(
    r",?\s*\b(?:with|in)\s+(?:a|an)\s+(?:[\w'-]+,?\s+(?:and\s+)?){1,5}(?:tone|voice)\b"
    r"(?:\s+of voice)?",
    re.I,
)
_ELSEWHERE = re.compile(
    r"\b(?:in\s+)?(?:the\s+)?(?:other|another|different|later|earlier|previous|following|next|remaining)"
    r"\s+(?:scenes?|segments?|parts?|clips?)\b",
    re.I,
)
_NUMBER = r"(\d{1,6})"
_STRETCH = re.compile(
    rf"\bsegments?\s*#?{_NUMBER}\s*(?:to|through|until|-|\u2013)\s*(?:segment\s*#?)?{_NUMBER}",
    re.I,
)
_SINGLE = re.compile(rf"\bsegment\s*#?{_NUMBER}\b", re.I)
_PAIR = re.compile(rf"\bsegments\s*#?{_NUMBER}\s*(and|or|,)\s*(?:segment\s*#?)?{_NUMBER}", re.I)


def worded(draft: Draft) -> Draft | None:
    """The draft in its last words; None where it speaks of a segment that is not shown."""
    question = question_of(draft.task, apart(draft.question))
    spans = {part.number: part.segment for part in draft.parts}
    start = draft.segment[0]
    texts = [question, *(apart(text) for text in (draft.answer, *draft.options))]
    if not all(named(text) <= set(spans) for text in texts):
        return None
    question, answer, *options = (in_seconds(text, spans, start) for text in texts)
    if len(set(options)) < len(options):
        return None
    update = {"question": question, "answer": answer, "options": tuple(options)}
    return draft.model_copy(update=update)


def question_of(task: str, question: str) -> str:
    """The question as this task words it."""
    match task:
        case "SPL":
            return _tidy(_TONE.sub("", question)) or question
        case "CSA":
            told = _SINGLE.sub("the scene", _STRETCH.sub(REMAINING, question))
            told = _tidy(_ELSEWHERE.sub(f"in {REMAINING}", told))
            told = re.sub(r"\b(in|from|of) in the remaining", r"\1 the remaining", told, flags=re.I)
            if REMAINING not in told:
                told = f"{told.rstrip('?. ')}, judging by {REMAINING} of the video?"
            return told[:1].upper() + told[1:]
        case "PDP":
            return AFTER
        case _:
            return question


def apart(text: str) -> str:
    """``Segments 2 and 4`` as ``Segment 2 and Segment 4``."""
    return _PAIR.sub(r"Segment \1 \2 Segment \3", text)


def named(text: str) -> set[int]:
    """The numbers of the segments that a text speaks of."""
    pairs = [int(number) for pair in _STRETCH.findall(text) for number in pair]
    return {*pairs, *(int(number) for number in _SINGLE.findall(text))}


def in_seconds(text: str, spans: Mapping[int, Segment], start: float) -> str:
    """``Segment 2 to Segment 3`` as ``from 12 s to 40 s``, counted from ``start``."""

    def stretch(match: re.Match[str]) -> str:
        first, last = sorted((int(match[1]), int(match[2])))
        return _seconds(spans[first][0] - start, spans[last][1] - start)

    def single(match: re.Match[str]) -> str:
        return _seconds(*(t - start for t in spans[int(match[1])]))

    return _SINGLE.sub(single, _STRETCH.sub(stretch, text))


def shown(parts: Sequence[Part]) -> Segment:
    """From the start of the first part to the end of the last, in seconds of the video."""
    return min(part.segment[0] for part in parts), max(part.segment[1] for part in parts)


def _seconds(start: float, end: float) -> str:
    return f"from {start:.0f} s to {end:.0f} s"


def _tidy(text: str) -> str:
    return re.sub(r"\s+([?.,!])", r"\1", " ".join(text.split()))
