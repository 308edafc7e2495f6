"""Windows to ask about: written down, and from a real Session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from strad.cues import Cue
from strad.decision import Decision, Wait, WaitReason
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.config import Pace, StreamConfig
from streaming.effects import AskDescriber, MeasureSpeech
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import WordsKnown
from streaming.media import VideoFrame
from streaming.session import Session
from streaming.window import Window
from tests.fakes import Programme, chunk


def picture(t: Ms) -> VideoFrame:
    """A picture whose bytes tell when it was shown."""
    return VideoFrame(t, b"shown at %d" % t, 64, 36, hash=t)


def window(
    end: Ms = 10_000,
    *,
    words: Sequence[Word] = (),
    history: Sequence[Cue] = (),
    length: Ms = 8_000,
    final_to: Ms | None = None,
) -> Window:
    """The window that ends at ``end``, with a picture a second, sound and these words."""
    start = max(0, end - length)
    first = -(-start // 1000) * 1000 + (1000 if start % 1000 == 0 and start else 0)
    return Window(
        when=Interval(start, end),
        frames=tuple(picture(t) for t in range(first, end + 1, 1000)),
        audio=tuple(chunk(t) for t in range(start, end - 99, 100)),
        words=tuple(words),
        words_final_to=end if final_to is None else final_to,
        history=tuple(history),
        gap=Interval(max(start, end - 1_000), end),
        new_from=max(0, end - 2_000),
    )


def spoken(*texts: str, at: Ms = 0, each: Ms = 400, pause: Ms = 100) -> list[Word]:
    """Words one after the other from ``at`` on."""
    step = each + pause
    return [Word(Interval(at + n * step, at + n * step + each), t) for n, t in enumerate(texts)]


def facts_of(programme: Programme) -> Iterator[Fact]:
    """The programme's facts, with pictures and words that tell when they are."""
    for fact in programme.facts():
        match fact:
            case VideoFrame(t):
                yield picture(t)
            case WordsKnown(until, words):
                told = (replace(word, text=f"word{word.when.start}") for word in words)
                yield WordsKnown(until, tuple(told))
            case other:
                yield other
    yield MediaEnded()


def asked(
    facts: Iterable[Fact],
    config: StreamConfig | None = None,
    answers: Iterable[Decision] = (),
) -> list[Window]:
    """Every window that a real Session asks about, each answered by the next of ``answers``."""
    session = Session(
        config or StreamConfig(pace=Pace.EVERY_WINDOW), describer="scripted", draft=False
    )
    left = iter(answers)
    windows: list[Window] = []
    for fact in facts:
        todo = session.feed(fact)
        while todo:
            match todo.pop(0):
                case AskDescriber(question, asked_about):
                    windows.append(asked_about)
                    answer = next(left, Wait(WaitReason.MODEL_WAITS))
                    todo += session.feed(Answered(question, answer))
                case MeasureSpeech(question, forms):
                    todo += session.feed(Measured(question, (500,) * len(forms)))
                case _:
                    pass
    return windows
