"""What goes from step to step: scenes with a summary, tasks to write one question, drafts."""

from __future__ import annotations

from typing import Literal, Self

from question_generation.cinepile.template import Template
from question_generation.item import Item
from question_generation.provenance import Traced
from question_generation.scene import Scene

Source = Literal["scene", "summary"]
"""What a question is written from: the scene's text, or a summary of its pictures."""


class Pictured(Traced):
    """A scene, and what a model made of its key frames."""

    scene: Scene
    summary: str | None = None
    """Of the pictures alone; None where none was made."""


class Brief(Traced):
    """The task to write one question."""

    scene: Scene
    template: Template
    source: Source = "scene"
    summary: str | None = None


class Drafted(Traced):
    """A question with the scene that it is checked against."""

    scene: Scene
    item: Item
    summary: str | None = None
    """What it was written from, where that was not the scene's text."""

    def holding(self, item: Item) -> Self:
        """With the question changed."""
        return self.model_copy(update={"item": item})
