"""The four prompts: caption, decide, describe; and watch, which is all three in one. Pure.

Their instructions are files of ``streaming/prompt/texts``, named with ``VERSION``. A text that is
changed gets another version, which is in the describer's name.
"""

from __future__ import annotations

from dataclasses import dataclass

from strad_engines.messages import Message, Part, Text
from streaming.describers.strad_zero.material import heard_and_described, known, moment, quoted
from streaming.describers.strad_zero.pictures import picture_parts
from streaming.prompt.instructions import instructions
from streaming.prompt.languages import language_name
from streaming.prompt.line import AD, WAIT
from streaming.window import Window

VERSION = "v1"
NOTHING = "NOTHING"
LENGTHS = {"short": 4, "medium": 8, "long": 14}
"""About how many words each form has: 1.6, 3.2 and 5.6 s at 150 words a minute."""


@dataclass(frozen=True, slots=True)
class ZeroPrompt:
    """What is sent, and how many lines of context had no room in it."""

    messages: tuple[Message, ...]
    left_out: int = 0


def caption(window: Window, *, video: bool) -> ZeroPrompt:
    """Ask what the new pictures show. Nothing of what was heard or described is told."""
    read = [line for line in known(window) if not line.startswith("Names")]
    parts = (*picture_parts(window, video=video), _block(["", *read, *moment(window)]))
    return ZeroPrompt((told("caption", window.language), Message("user", parts)))


def decide(window: Window, seen: str, *, budget: int) -> ZeroPrompt:
    """Ask whether what was ``seen`` is to be described now."""
    return _about(window, seen, "decide", budget)


def describe(window: Window, seen: str, *, budget: int) -> ZeroPrompt:
    """Ask for a description of what was ``seen``, in three lengths."""
    return _about(window, seen, "describe", budget)


def watch(window: Window, *, video: bool, budget: int) -> ZeroPrompt:
    """Ask for everything at once."""
    earlier, left_out = heard_and_described(window, budget)
    parts: tuple[Part, ...] = (
        Text(f"{earlier}\n"),
        *picture_parts(window, video=video),
        _block(["", *known(window), *moment(window)]),
    )
    return ZeroPrompt((told("watch", window.language), Message("user", parts)), left_out)


def told(task: str, language: str) -> Message:
    """The instructions of a task."""
    blanks = {name: str(words) for name, words in LENGTHS.items()}
    text = instructions(f"zero_{task}_{VERSION}").fill(
        language=language_name(language), nothing=NOTHING, ad=AD, wait=WAIT, **blanks
    )
    return Message.of("system", text)


def _about(window: Window, seen: str, task: str, budget: int) -> ZeroPrompt:
    earlier, left_out = heard_and_described(window, budget)
    lines = [earlier, *known(window), f"Caption: {quoted(seen)}", *moment(window)]
    user = Message("user", (_block(lines),))
    return ZeroPrompt((told(task, window.language), user), left_out)


def _block(lines: list[str]) -> Text:
    return Text("\n".join(lines))
