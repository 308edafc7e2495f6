"""A run's bar: what a terminal shows of it, and that elsewhere only whole lines are written."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from strad.terminal_bar import TerminalBar

pytestmark = pytest.mark.unit

LINE = "[b]3[/b] of 7, " + "however long a line is, " * 9
WIPED = "\x1b[2K"


class Shown:
    """A console and what it was written; closed, its bar is drawn once more and wiped."""

    def __init__(self, *, terminal: bool) -> None:
        self._out = io.StringIO()
        self.console = Console(
            file=self._out, force_terminal=terminal, width=120, color_system=None
        )

    @property
    def text(self) -> str:
        return self._out.getvalue()

    @property
    def last(self) -> str:
        """What stood there last, before it was wiped."""
        return self.text.split(WIPED)[-2]


def test_a_terminal_is_shown_how_much_is_done_until_the_end() -> None:
    shown = Shown(terminal=True)
    with TerminalBar(shown.console) as bar:
        bar.start("films", 4)
        bar.advance()
        bar.advance()
        bar.tell("[b]16[/b] waiting")
        bar.say(LINE)
    assert re.search(r"films .* 2/4 .* \[b\]16\[/b\] waiting", shown.last)
    assert f"{WIPED}{LINE}\n" in shown.text
    assert "films" not in shown.text.split(WIPED)[-1]


def test_one_thing_is_shown_at_a_time_and_where_it_was_gone_on_from() -> None:
    shown = Shown(terminal=True)
    with TerminalBar(shown.console) as bar:
        bar.start("films", 4)
        bar.clear()
        bar.tell("to nobody")
        bar.advance()
        bar.show("all", 3, 7)
        bar.show("no-video", 1, 9)
    assert re.search(r"no-video .* 1/9 ", shown.last)
    assert not re.search(r"films|all|nobody", shown.last)


def test_elsewhere_there_are_only_the_lines_that_stay() -> None:
    shown = Shown(terminal=False)
    with TerminalBar(shown.console) as bar:
        bar.show("films", 2, 4)
        bar.tell("words")
        bar.say(LINE)
    assert shown.text == f"{LINE}\n"
