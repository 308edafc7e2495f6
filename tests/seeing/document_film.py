"""A film for the document's passes: named people, dialogue, and scenes that come again."""

from __future__ import annotations

from dataclasses import dataclass

from strad.cues import Cue
from strad.timeline import Interval, Ms
from tests.seeing.film import Figure, Film

NAMES = {
    "red circle": "Anna",
    "blue square": "Bruno",
    "green triangle": "Clara",
    "purple circle": "David",
    "yellow square": "Emma",
    "cyan triangle": "Felix",
}
ALIASES = {"Anna": "Annie", "Clara": "Clio"}
MOTIONS = ("right", "left", "up", "down")


@dataclass(frozen=True, slots=True)
class Story:
    """A film, and what may be said of it when."""

    film: Film
    named: dict[str, Ms]
    """Each name: when the line that gives it has been spoken."""


def story(length: Ms, scene: Ms, people: int) -> Story:
    """Somebody moves, somebody speaks, scene by scene; every fourth was there before."""
    figures: list[Figure] = []
    said: list[Cue] = []
    named: dict[str, Ms] = {}
    met: list[str] = []
    cast = list(NAMES)[:people]
    for n, start in enumerate(range(0, length, scene)):
        turn = n if n % 4 != 3 else n - 3
        look = cast[turn % len(cast)]
        motion = MOTIONS[(turn // len(cast)) % len(MOTIONS)]
        seen = Interval(start + 1_000, start + scene // 2 - 1_000)
        figures.append(Figure(seen, *look.split(), motion))
        line = _line(look, met, named)
        heard = Interval(start + scene // 2 + 1_000, start + scene // 2 + 4_000)
        said.append(Cue(heard, line))
        met.append(look)
        for name in [*NAMES.values(), *ALIASES.values()]:
            if name in line:
                named.setdefault(name, heard.end)
    return Story(Film(length, tuple(figures), (), tuple(said)), named)


def _line(look: str, met: list[str], named: dict[str, Ms]) -> str:
    """People are named when they come the second time; some get another name later."""
    name = NAMES[look]
    alias = ALIASES.get(name)
    if look not in met:
        return "Who is that over there?"
    if name not in named:
        return f"The {look} is called {name}."
    if alias and alias not in named:
        return f"{name} is also called {alias}."
    return "It is getting late, I think."
