"""Questions planted so that it is known what each can be answered by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from question_generation.cinepile.drafted import Drafted
from question_generation.item import Item
from question_generation.scene import Scene
from strad.record import TimedText

Plant = Literal["degenerate", "dialogue", "visual"]

COLOURS = ["pink", "green", "amber", "violet", "scarlet", "ivory", "teal", "crimson"]
THINGS = ["house", "boat", "lantern", "carriage", "tent", "mailbox", "fence", "windmill"]
OBJECTS = [
    "ladder",
    "cello",
    "rifle",
    "suitcase",
    "mirror",
    "anchor",
    "basket",
    "shovel",
    "trumpet",
    "parcel",
]
NAMES = ["Mara", "Otto", "Ines", "Pavel", "Greta", "Hugo", "Lena", "Tomas"]
TOWNS = ["Lisbon", "Bergen", "Tunis", "Quito", "Hanoi", "Malmo", "Genoa", "Tartu", "Derry", "Cadiz"]


@dataclass(frozen=True, slots=True)
class Planted:
    """One question, and what answers it."""

    by: Plant
    drafted: Drafted


def planted(count: int, seed: int = 0) -> Iterator[Planted]:
    """As many of each kind, in scenes whose other lines hold the wrong options."""
    random = Random(seed)
    kinds: tuple[Plant, ...] = ("degenerate", "dialogue", "visual")
    for place in range(count):
        yield _planted(kinds[place % 3], f"p{place}", random)


def _planted(by: Plant, name: str, random: Random) -> Planted:
    who, colour, thing = random.choice(NAMES), random.choice(COLOURS), random.choice(THINGS)
    held, told = random.sample(OBJECTS, 5), random.sample(TOWNS, 5)
    visuals = [f"{who} carries the {held[0]} past the {thing}."]
    visuals += [f"A stranger puts the {one} on the cart." for one in held[1:3]]
    dialogue = [f"My train to {told[0]} leaves at noon, says {who}."]
    dialogue += [f"Nobody ever came back from {one}." for one in told[1:3]]
    asked = {
        "degenerate": (f"What is the colour of the {colour} {thing}?", _colours(colour, random)),
        "dialogue": (f"Where does the train of {who} go at noon?", told),
        "visual": (f"What does {who} take past the {thing}?", held),
    }
    question, options = asked[by]
    item = Item(
        id=name,
        video_id=f"v{name}",
        question=question,
        answer=options[0],
        options=tuple(random.sample(options, 5)),
        split="test",
    )
    return Planted(by, Drafted(id=name, scene=_scene(name, visuals, dialogue), item=item))


def _colours(colour: str, random: Random) -> list[str]:
    return [colour, *random.sample([one for one in COLOURS if one != colour], 4)]


def _scene(name: str, visuals: list[str], dialogue: list[str]) -> Scene:
    return Scene(
        id=f"s{name}",
        video_id=f"v{name}",
        segment=(10.0, 70.0),
        visuals=tuple(_timed(visuals, 11.0)),
        dialogue=tuple(_timed(dialogue, 14.0)),
    )


def _timed(lines: list[str], start: float) -> Iterator[TimedText]:
    for place, line in enumerate(lines):
        yield TimedText(start=start + 8 * place, end=start + 8 * place + 2, text=line)
