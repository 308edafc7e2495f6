"""The blocks of text around the pictures: earlier, known facts, now. Pure.

Two clocks (docs/adr/0016). *Earlier* counts from a fixed grid, so that its text is the same in the
next window but for what is added at its end. *Now* counts from the first picture, as the model's
own picture times do, and as its answer does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from strad.timeline import Interval, Ms, subtract
from streaming.prompt.elements import PAUSE, Element, clean
from streaming.prompt.times import TimeMarks
from streaming.window import KnownFact, Window

MOST_FACTS = 12
"""The newest facts; older ones are left out."""
LONGEST_FACT = 200
"""Characters; a longer one is left out whole."""
WORDLESS: Ms = 500
"""Speech without words that is shorter is the edge of a word."""
TITLES = {"on-screen-text": "On screen", "name": "Names"}

LATE: Ms = 15_000
"""Words come at most about so late; later ones are put among what was told already."""


def written(element: Element, marks: TimeMarks, zero: Ms) -> str:
    """One element as a line, its times after ``zero``."""
    start, end = (marks(t - zero) for t in (element.when.start, element.when.end))
    return f"{element.source} {start} {element.text} {end}"


def earlier(elements: Iterable[Element], marks: TimeMarks, anchor: Ms) -> str:
    """What was said and described before the pictures begin; empty where nothing was."""
    lines = [written(element, marks, anchor) for element in elements]
    return "\n".join(["Earlier, in seconds:", *lines, ""]) if lines else ""


def parted(
    elements: Iterable[Element], origin: Ms, words_final_to: Ms
) -> tuple[list[Element], list[Element]]:
    """What goes before the pictures and never changes again, by its end; and what goes after them.

    An element is over once nothing can be joined to it or come before it any more.
    """
    settled = max(min(origin, words_final_to), origin - LATE) - PAUSE
    before: list[Element] = []
    recent: list[Element] = []
    for element in elements:
        (before if element.when.end <= settled else recent).append(element)
    return sorted(before, key=lambda element: (element.when.end, element.when.start)), recent


def known(facts: Sequence[KnownFact]) -> str:
    """What can be read on screen and which names are known; empty where nothing is."""
    blocks: list[str] = []
    for source, title in TITLES.items():
        texts = dict.fromkeys(clean(fact.text) for fact in facts if fact.source == source)
        if texts:
            blocks.append(f"{title}: {'; '.join(texts)}\n")
    return "".join(blocks)


def usable(window: Window) -> tuple[KnownFact, ...]:
    """The newest facts that were known at the cursor and are short enough."""
    fit = [
        fact
        for fact in window.facts
        if fact.learned <= window.when.end and 0 < len(clean(fact.text)) <= LONGEST_FACT
    ]
    return tuple(sorted(fit, key=lambda fact: fact.learned)[-MOST_FACTS:])


def now(recent: Sequence[Element], window: Window, marks: TimeMarks, origin: Ms) -> str:
    """While the pictures run: what is said, what is heard but not understood yet, what is free."""

    def span(what: str, when: Interval, said: str = "") -> str:
        return f"{what} {marks(when.start - origin)} {said}{marks(when.end - origin)}"

    lines = [written(element, marks, origin) for element in recent]
    lines += [span("Speech", when, "? ") for when in _wordless(window, recent, origin)]
    if window.gap is not None and window.gap.end > origin:
        lines.append(span("Free", Interval(max(window.gap.start, origin), window.gap.end)))
    title = "Now, in seconds from the first picture:"
    return "\n".join([title, *lines, f"Until {marks(window.when.end - origin)}"])


def _wordless(window: Window, recent: Sequence[Element], origin: Ms) -> list[Interval]:
    """Speech while the pictures run that was heard and whose words are not known."""
    words = [element.when for element in recent]
    shown = Interval(min(origin, window.when.end), window.when.end)
    heard = [part for span in window.speech if (part := span.intersect(shown))]
    left = [part for span in heard for part in subtract(span, words)]
    return [part for part in left if part.duration >= WORDLESS]
