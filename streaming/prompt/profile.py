"""A profile: how one kind of model is asked about a window, and how its answer is read. Pure.

Shared with training: what a model is trained on and what it is served are written by the same code.
The profiles themselves are in the files of their model families; ``profiles`` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_letters

from strad.decision import Decision, Wait
from strad.timeline import Interval, Ms
from strad_engines.messages import Message, Part, Text, Token
from streaming.prompt import layout
from streaming.prompt.elements import CELL, Element, elements
from streaming.prompt.instructions import Instructions, instructions
from streaming.prompt.languages import language_name
from streaming.prompt.line import AD, WAIT, LineForm
from streaming.prompt.odds import log_odds
from streaming.prompt.reading import MOST_AHEAD, meaning
from streaming.prompt.slots import Slots, slots, steady
from streaming.prompt.times import TimeMarks
from streaming.prompt.trim import Count, Trimmed, trim
from streaming.window import Window

BUDGET = 1_536
"""Tokens of earlier speech and descriptions."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to the model about one window."""

    messages: tuple[Message, ...]
    left_out: int
    """Elements of the context that the token budget has cost."""
    context: int
    """Tokens of the context that is in it, as they were counted."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One model family and one way to show it pictures. A changed one must get another name."""

    name: str
    marks: TimeMarks
    """Of the times in what the model reads."""
    form: LineForm
    media: Callable[[Slots, Window], tuple[Part, ...]]
    """The pictures, and the sound where the model hears, as parts of a message."""
    paired: bool
    """Whether the model merges two pictures into one."""
    text: str = "strad_v1"
    """The name of its instructions."""
    period: Ms = 1_000
    """Between two pictures: the stream's ``frame_period`` must be it, or a part of it."""
    most: int = 8
    """Pictures shown at once."""
    context: Ms = 120_000
    still: bool = True
    """Whether a picture that didn't change is sent as the one before it."""

    @property
    def instructions(self) -> Instructions:
        """What the model is told about its work, with its version."""
        return instructions(self.text)

    @property
    def first_words(self) -> tuple[str, str]:
        """What an answer begins with: where it describes, where it waits."""
        return AD, WAIT

    def shown(self, window: Window) -> Slots:
        """The pictures of this window that the model is shown, and when they begin."""
        frames = steady(window.frames) if self.still else window.frames
        return slots(
            frames,
            period=self.period,
            most=self.most,
            paired=self.paired,
            start=window.when.start,
        )

    def prompt(self, window: Window, *, budget: int = BUDGET, count: Count | None = None) -> Prompt:
        """The messages that ask about ``window``, and what of its context was left out.

        ``count`` tells a text's tokens; without it they are estimated. Once it was asked about an
        element it is asked the same again in later windows, so that it can be cached.
        """
        shown = self.shown(window)
        trimmed = self._trimmed(window, budget, count or estimate)
        before, recent = layout.parted(trimmed.elements, shown.origin, window.words_final_to)
        head = layout.earlier(before, self.marks, trimmed.anchor)
        facts = layout.known(layout.usable(window))
        begins = self.marks(shown.origin - trimmed.anchor)
        begin = f"The pictures begin at {begins} of that.\n" if before else ""
        tail = layout.now(recent, window, self.marks, shown.origin)
        opening = (Text(head + begin + facts),) if head or facts else ()
        user = Message("user", (*opening, *self.media(shown, window), Text(tail)))
        system = Message.of("system", self._told(window.language))
        return Prompt((system, user), trimmed.left_out, trimmed.cost)

    def render(
        self, window: Window, *, budget: int = BUDGET, count: Count | None = None
    ) -> tuple[Message, ...]:
        """The messages alone."""
        return self.prompt(window, budget=budget, count=count).messages

    def line(self, decision: Decision, window: Window) -> str:
        """The answer that means ``decision``: what a model is trained to write.

        Times are rounded to tenths and kept to what the window shows. Raises ValueError for a
        description without a text that can be written.
        """
        if isinstance(decision, Wait):
            return WAIT
        origin, end = self.shown(window).origin, window.when.end
        when = Interval(
            min(max(decision.when.start, origin), end),
            max(origin, min(decision.when.end, end + MOST_AHEAD)),
        )
        return self.form.ad(decision.forms[-1], when.shift(-origin), latest_start=end - origin)

    def parse(self, text: str, window: Window, *, odds: float | None = None) -> Decision:
        """What the answer ``text`` means. Never raises: what can't be spoken is a wait with why."""
        return meaning(text, window, form=self.form, origin=self.shown(window).origin, odds=odds)

    def odds(self, tokens: tuple[Token, ...]) -> float | None:
        """Log-odds of describing against waiting by an answer's tokens; None if they can't tell."""
        return log_odds(tokens)

    def regex(self, *, describe: bool = False) -> str:
        """What the whole answer must match; with ``describe`` it may not wait.

        The same for every window: servers compile it once.
        """
        return self.form.ad_regex if describe else self.form.regex

    def _told(self, language: str) -> str:
        example = self.form.ad("...", Interval(2_500, 4_000))
        return self.instructions.fill(ad=example, wait=WAIT, language=language_name(language))

    def _trimmed(self, window: Window, budget: int, count: Count) -> Trimmed:
        """Words that are not final are left out: others may yet come among them."""
        words = [word for word in window.words if word.when.start < window.words_final_to]
        history = [cue for cue in window.history if cue.when.start < window.when.end]

        def cost(element: Element) -> int:
            cell = element.when.start // CELL * CELL
            return count(layout.written(element, self.marks, cell)) + 1

        oldest = window.when.end - self.context
        return trim(elements(words, history), cost, oldest=oldest, budget=budget)


_LETTERS = str.maketrans("", "", ascii_letters + " ")


def estimate(text: str) -> int:
    """About how many tokens a text is, rather too many: 4 Latin letters each, 1 of all else."""
    others = len(text.translate(_LETTERS))
    return others + -(-(len(text) - others) // 4)
