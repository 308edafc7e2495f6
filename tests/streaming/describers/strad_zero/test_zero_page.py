"""docs/zero.md shows what is really sent."""

from __future__ import annotations

import re

import pytest

from strad.decision import WaitReason
from strad_engines.messages import Image, Message, Text
from streaming.describers.strad_zero import prompts
from streaming.describers.strad_zero.prompts import LENGTHS, VERSION
from streaming.prompt.instructions import instructions
from tests import tree
from tests.streaming.prompt.test_prompts_page import example

pytestmark = pytest.mark.unit

PAGE = (tree.ROOT / "docs" / "zero.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"### (\w+)\n.*?```text\n(.*?)```", PAGE, re.DOTALL))
SEEN = "A woman in a red coat opens a door and looks around the hall."


def written(message: Message) -> str:
    """The user's turn, pictures as they are shown on the page."""
    shown: list[str] = []
    for part in message.parts:
        match part:
            case Text(text):
                shown.append(text)
            case Image():
                shown.append("[picture]\n")
            case other:
                raise AssertionError(f"not on the page: {other}")
    return re.sub(r"\n+", "\n", "".join(shown)).strip() + "\n"


@pytest.mark.parametrize("task", ["caption", "decide", "describe", "watch"])
def test_the_page_shows_what_is_sent(task: str) -> None:
    about = example()
    sent = {
        "caption": prompts.caption(about, video=False),
        "decide": prompts.decide(about, SEEN, budget=1_536),
        "describe": prompts.describe(about, SEEN, budget=1_536),
        "watch": prompts.watch(about, video=False, budget=1_536),
    }[task]
    assert EXAMPLES[task] == written(sent.messages[-1])


def test_the_page_names_the_texts_the_version_and_the_lengths() -> None:
    for task in ("caption", "decide", "describe", "watch"):
        name = f"zero_{task}_{VERSION}"
        assert instructions(name).text
        assert f"`{name}`" in PAGE
    assert "4, 8 and 14" in PAGE
    assert list(LENGTHS.values()) == [4, 8, 14]


def test_the_page_names_reasons_that_there_are() -> None:
    table = PAGE.partition("| reason |")[2]
    named = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert len(named) > 8
    assert set(named) <= {reason.value for reason in WaitReason}
