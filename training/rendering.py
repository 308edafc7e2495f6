"""An example as messages and the answer to them, by the code that serves. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.decision import Describe
from strad_engines.messages import Message
from streaming.prompt.profile import Profile
from streaming.prompt.segment import segment_line, segment_messages
from streaming.prompt.trim import Count
from training.example import Example


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a model reads, and what it is to write."""

    messages: tuple[Message, ...]
    answer: str


def rendered(example: Example, profile: Profile, *, count: Count | None = None) -> Rendered:
    """The example as ``profile`` shows it; ``count`` tells a text's tokens, as in serving.

    Raises ValueError for a description that can't be written.
    """
    if example.moment is None:
        messages = profile.render(example.window, count=count)
        return Rendered(messages, profile.line(example.answer, example.window))
    messages = segment_messages(profile, example.window, example.moment, example.names)
    assert isinstance(example.answer, Describe)
    text, origin = example.answer.forms[-1], example.window.frames[0].t
    return Rendered(messages, segment_line(profile, text, example.moment, origin))
