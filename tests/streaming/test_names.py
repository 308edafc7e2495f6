"""Names: what counts as telling one, what does not, and never earlier than it was told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.decision import Describe, Kind
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.config import Pace, StreamConfig
from streaming.effects import AskDescriber
from streaming.facts import Answered, Measured
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.names import MOST_CANDIDATES, MOST_NAMES, NameBook
from streaming.session import Session
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit

PACE: Ms = 300


def say(text: str, at: Ms = 0) -> list[Word]:
    return [
        Word(Interval(at + PACE * n, at + PACE * n + 250), word)
        for n, word in enumerate(text.split())
    ]


def told(*utterances: str, language: str = "en") -> list[str]:
    book = NameBook(language)
    for n, text in enumerate(utterances):
        book.hear(say(text, 20_000 * n))
    return [fact.text for fact in book.known]


@pytest.mark.parametrize(
    ("utterances", "names"),
    [
        (["Hello, I'm Anna."], ["Anna"]),
        (["Hello, I\u2019m Anna."], ["Anna"]),
        (["My name is Anna Keller, and I live here."], ["Anna Keller"]),
        (["I'm Anna and this is nice."], ["Anna"]),
        (["Good morning, Mr. Burns."], ["Mr Burns"]),
        (["Call me Ishmael."], ["Ishmael"]),
        (["This is Bob.", "Bob, sit."], ["Bob"]),
        (["Anna, come here.", "Come on, Anna!"], ["Anna"]),
    ],
)
def test_what_tells_a_name(utterances: list[str], names: list[str]) -> None:
    assert told(*utterances) == names


@pytest.mark.parametrize(
    "utterances",
    [
        ["Anna, come here."],  # once: it could be any word
        ["This is London."],  # a place, for all one knows
        ["Well, yes.", "Well, no.", "Well, maybe."],
        ["I'm German."],
        ["I'm sorry.", "I'm Sorry."],
        ["I saw Anna yesterday.", "They took Anna home."],  # a capital is no evidence
        ["I AM ANNA KELLER."],
        ["The Door, The Window.", "The Door, The Window."],
    ],
)
def test_what_does_not(utterances: list[str]) -> None:
    assert told(*utterances) == []


def test_a_language_without_rules_yields_no_names() -> None:
    assert told("Hello, I'm Anna.", language="xx") == []
    assert told("Hello, I'm Anna.", language="en-GB") == ["Anna"]


def test_a_caption_tells_a_name_where_it_says_what_they_are() -> None:
    book = NameBook("en")
    book.read("Text: London, England", 1_000)
    book.read("Text: Anna Keller, chief inspector", 2_000)
    (fact,) = book.known
    assert (fact.text, fact.source, fact.learned) == ("Anna Keller", "on-screen-text", 2_000)


def test_the_book_is_bounded() -> None:
    book = NameBook("en")
    for n in range(600):
        letters = "".join("abcdefghij"[int(digit)] for digit in f"{n:04}")
        book.hear(say(f"I'm Q{letters}.", n * 9_000))
        book.hear(say(f"This is W{letters}.", n * 9_000 + 5_000))
    assert len(book.known) == MOST_NAMES
    assert len(book._evidence) <= MOST_CANDIDATES


sentences = st.sampled_from(
    ["I'm Anna.", "This is Bob.", "Bob, sit.", "Well, yes.", "Mr. Burns called.", "Come, Anna!"]
)


@given(said=st.lists(sentences, max_size=12), at=st.integers(0, 60_000))
def test_a_name_is_never_known_before_it_was_told(said: list[str], at: Ms) -> None:
    """What is known at a time is what a book knows that heard nothing after it."""
    words = [word for n, text in enumerate(said) for word in say(text, 5_000 * n)]
    whole, until_then = NameBook("en"), NameBook("en")
    whole.hear(words)
    until_then.hear([word for word in words if word.when.end <= at])
    assert whole.facts(0, at) == until_then.known


def test_the_describer_is_offered_a_name_from_the_window_it_was_learned_in() -> None:
    session = Session(StreamConfig(pace=Pace.EVERY_WINDOW), describer="fake", draft=True)
    words = tuple(say("Hello, I'm Anna.", 4_500))  # captions may be told long before
    effects = session.feed(WordsKnown(60_000, words))
    seen: list[tuple[Ms, list[str]]] = []
    for t in range(0, 12_000, 1_000):
        for fact in (frame(t), chunk(t, 1_000), SpeechKnown(t + 1_000)):
            effects += session.feed(fact)
        while asks := [e for e in effects if isinstance(e, AskDescriber)]:
            window = asks[0].window
            seen.append((window.when.end, [fact.text for fact in window.facts]))
            when = Interval(window.when.end - 500, window.when.end)
            text = Describe(("Text: Bo Lund, reporter",), when, kind=Kind.TEXT)
            session.feed(Answered(asks[0].question, text))
            effects = session.feed(Measured(asks[0].question, (900,)))
    assert [names for end, names in seen if end < 5_350] == [[], ["Bo Lund"]]
    assert all("Anna" in names for end, names in seen if end >= 5_350)
    assert "Bo Lund" in seen[-1][1]
