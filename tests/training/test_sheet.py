"""The contact sheet: a page by itself, with what a model is shown and nothing else."""

from __future__ import annotations

import base64
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from strad_engines.messages import Text
from streaming.prompt.profiles import PROFILES
from tests.training.test_dataset import examples, kept
from training.cli.main import application
from training.rendering import rendered
from training.sheet import page

pytestmark = pytest.mark.unit


class Elements(HTMLParser):
    """What is on a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.mark.parametrize("name", PROFILES)
def test_it_shows_the_messages_and_the_answer(name: str) -> None:
    made, profile = examples(), PROFILES[name]
    text = page("Some", made, profile)
    for example in made:
        shown = rendered(example, profile)
        assert escape(shown.answer) in text
        for message in shown.messages:
            for part in message.parts:
                if isinstance(part, Text):
                    assert escape(part.text) in text
    for frame in made[3].window.frames[:1]:
        assert base64.b64encode(frame.jpeg).decode() in text


def test_it_stands_alone_and_can_be_read_without_seeing_it() -> None:
    text = page("<Some>", examples(), PROFILES["phi4mm"])
    found = Elements(text)
    assert found.all("html") == [{"lang": "en"}]
    assert not found.all("script")
    assert "<Some>" not in text
    sources = [one["src"] for tag in ("img", "audio") for one in found.all(tag)]
    assert sources
    assert all(source and source.startswith("data:") for source in sources)
    assert all(image["alt"] for image in found.all("img"))
    assert all(sound["aria-label"] for sound in found.all("audio"))
    ids = {one.get("id") for one in found.all("article")}
    links = [one["href"] for one in found.all("a")]
    assert {f"#{id_}" for id_ in ids} == set(links)
    assert len(found.all("main")) == len(found.all("h1")) == 1


def test_the_command_draws_the_same_ones_again(tmp_path: Path) -> None:
    kept(tmp_path, examples())
    runner, pages = CliRunner(), [tmp_path / "a.html", tmp_path / "b.html"]
    for path in pages:
        wanted = ["sheet", str(tmp_path), "-o", str(path), "--count", "2", "--augment", "words"]
        done = runner.invoke(application(), wanted, catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert pages[0].read_text() == pages[1].read_text()
    assert pages[0].read_text().count("<article") == 2
