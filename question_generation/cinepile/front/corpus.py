"""Our own sentences, which the shipped model learned: ``data/visual.txt``, ``dialogue.txt``."""

from __future__ import annotations

from importlib import resources

from question_generation.cinepile.front.labelled import DIALOGUE, VISUAL, Labelled, SentenceKind


def own_corpus() -> list[Labelled]:
    """All of them, descriptions first."""
    return [*_sentences("visual.txt", VISUAL), *_sentences("dialogue.txt", DIALOGUE)]


def _sentences(file: str, kind: SentenceKind) -> list[Labelled]:
    data = resources.files("question_generation.cinepile.front").joinpath("data", file)
    lines = data.read_text(encoding="utf-8").splitlines()
    return [Labelled(text=line.strip(), kind=kind) for line in lines if line.strip()]
