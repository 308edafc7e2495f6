"""docs/prompts.md shows what is really sent."""

from __future__ import annotations

import re

import pytest

from strad.cues import Cue
from strad.decision import Describe
from strad.speech import Word
from strad.timeline import Interval
from strad_engines.messages import Audio, Image, Message, Text, Video
from streaming.prompt.profiles import PROFILES
from streaming.window import KnownFact, Window
from tests import tree
from tests.fakes import describe
from tests.streaming.prompt.windows import spoken, window

pytestmark = pytest.mark.unit

PAGE = (tree.ROOT / "docs" / "prompts.md").read_text("utf-8")
OPENS = describe("A woman opens the door.", 155_500, 157_000)


def example() -> Window:
    """Two minutes and forty seconds into a programme."""
    words: list[Word] = [
        *spoken("Where", "have", "you", "been?", at=61_000),
        *spoken("I", "was", "at", "the", "station.", at=64_200),
        *spoken("Somebody", "is", "coming.", at=153_200),
    ]
    told = Cue(Interval(70_000, 72_500), "A man in a wet coat sits down.")
    shown = window(160_000, words=words, history=[told])
    return Window(
        when=shown.when,
        frames=shown.frames,
        audio=shown.audio,
        words=shown.words,
        words_final_to=158_000,
        history=shown.history,
        gap=Interval(155_000, 158_400),
        new_from=158_000,
        facts=(
            KnownFact("ROOM 12", "on-screen-text", 90_000),
            KnownFact("Anna", "name", 40_000),
        ),
        speech=(Interval(153_200, 154_700), Interval(158_400, 160_000)),
    )


def shown(message: Message) -> str:
    """The message as the page has it: media in square brackets."""
    parts = []
    for part in message.parts:
        match part:
            case Text(text):
                parts.append(text.rstrip("\n"))
            case Video(frames):
                parts.append(f"[video of {len(frames)} pictures]")
            case Image():
                parts.append("[picture]")
            case Audio(data):
                parts.append(f"[sound of {(len(data) - 44) / 32_000:g} s]")
    text = "\n".join(parts)
    return f"[{message.role}]\n" + re.sub(r"\n\[picture\]", " [picture]", text)


@pytest.mark.parametrize("name", PROFILES)
def test_the_page_shows_the_prompt_of(name: str) -> None:
    profile = PROFILES[name]
    prompt = "\n".join(shown(message) for message in profile.render(example()))
    block = f"```text\n{prompt}\n[assistant]\n{profile.line(OPENS, example())}\n```"
    assert block in PAGE, block


def test_the_page_names_every_profile_and_its_instructions() -> None:
    for name, profile in PROFILES.items():
        assert f"`{name}`" in PAGE
        assert f"`{profile.text}`" in PAGE


def test_the_answer_on_the_page_means_what_it_says() -> None:
    for profile in PROFILES.values():
        said = profile.parse(profile.line(OPENS, example()), example())
        assert isinstance(said, Describe)
        assert said == OPENS
