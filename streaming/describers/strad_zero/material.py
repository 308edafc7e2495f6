"""What the stages are told of the programme: lines with times, its words as JSON strings. Pure.

One clock: seconds of the programme. Whatever comes from the programme, or was said about it, is
written as a JSON string on its own line, so that nothing in it can pass for a line of the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from strad.timeline import Interval, Ms
from streaming.prompt.elements import Element, Source, clean, elements
from streaming.prompt.layout import usable
from streaming.prompt.profile import estimate
from streaming.prompt.times import decimal
from streaming.window import Window

CONTEXT: Ms = 120_000
"""How far back a prompt reads (StrAD, 4.1)."""

EARLIER = "Heard and described earlier, in seconds of the programme:"
NOTHING_YET = "(nothing)"
_WORDS = {Source.SPEECH: "heard", Source.AD: "described"}
_FACTS = {"on-screen-text": "Read on screen", "name": "Names"}


def quoted(text: str) -> str:
    """The text as data: one JSON string, without the marks that models give a meaning."""
    return json.dumps(clean(text), ensure_ascii=False)


def span(when: Interval) -> str:
    """``12.0-14.5``, in seconds."""
    return f"{decimal(when.start)}-{decimal(when.end)}"


def told(element: Element) -> str:
    """One line of what was heard or described."""
    return f"{span(element.when)} {_WORDS[element.source]} {quoted(element.text)}"


def heard_and_described(window: Window, budget: int) -> tuple[str, int]:
    """The last two minutes, oldest first; and how many lines ``budget`` (in tokens) has cost.

    Words that are not final yet are left out: others may come among them.
    """
    words = [word for word in window.words if word.when.start < window.words_final_to]
    history = [cue for cue in window.history if cue.when.start < window.when.end]
    oldest = window.when.end - CONTEXT
    lines = [told(e) for e in elements(words, history) if e.when.end > oldest]
    kept = list(_newest(lines, budget))
    block = "\n".join([EARLIER, *(kept or [NOTHING_YET])])
    return block, len(lines) - len(kept)


def _newest(lines: list[str], budget: int) -> Iterable[str]:
    left, first = budget, len(lines)
    while first > 0 and (left := left - estimate(lines[first - 1]) - 1) >= 0:
        first -= 1
    return lines[first:]


def known(window: Window) -> Iterator[str]:
    """What was read on screen, and which names are known: a line each, as far as there are any."""
    facts = usable(window)
    for source, title in _FACTS.items():
        texts = dict.fromkeys(quoted(fact.text) for fact in facts if fact.source == source)
        if texts:
            yield f"{title}: {', '.join(texts)}"


def moment(window: Window) -> Iterator[str]:
    """What is new, what is free, and when it is now."""
    yield f"New: {span(looked_at(window))}"
    yield f"Free of speech: {span(window.gap) if window.gap else 'none'}"
    yield f"Now: {decimal(window.when.end)}"


def looked_at(window: Window) -> Interval:
    """The visual window: the step just made, as far as the window shows it."""
    return Interval(min(max(window.new_from, window.when.start), window.when.end), window.when.end)
