"""A scene as a model reads it: lines with times, what is seen and what is said. Pure."""

from __future__ import annotations

from question_generation.scene import FilmFacts, Kind, Scene

NOTHING = "(nothing)"
MARKS: dict[Kind, str] = {
    "visual": "seen",
    "dialogue": "said",
    "sound": "heard",
    "music": "music",
    "vocal traits": "voice",
}


def scene_text(scene: Scene, *kinds: Kind) -> str:
    """The lines of these kinds (none named: all), times in seconds from the scene's start."""
    start = scene.segment[0]
    lines = [
        f"[{max(0.0, line.said.start - start):.1f}-{max(0.0, line.said.end - start):.1f} s]"
        f" {MARKS[line.kind]}: {' '.join(line.said.text.split())}"
        for line in scene.lines(*kinds)
    ]
    return "\n".join(lines) or NOTHING


def words_of(scene: Scene) -> int:
    """How many words the scene's lines hold, all kinds together."""
    return sum(len(line.said.text.split()) for line in scene.lines())


def facts_text(facts: FilmFacts | None) -> str:
    """What is known of the film, a line each."""
    if facts is None:
        return NOTHING
    told = (
        ("Title", facts.title),
        ("Genre", ", ".join(facts.genre)),
        ("Year", facts.year),
        ("Cast", ", ".join(facts.cast)),
        ("Plot", facts.plot),
    )
    return "\n".join(f"{name}: {value}" for name, value in told if value) or NOTHING
