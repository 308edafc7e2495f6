"""What is said and written in a demo clip: plain, invented sentences and title phrases. Data."""

from __future__ import annotations

from random import Random

CHAPTERS = ("Chapter One", "Part Two", "Prologue", "Epilogue", "Act Three", "Episode Five")
NAMES = (
    "The Long Way Home",
    "A Quiet Harbour",
    "Winter Light",
    "The River Road",
    "Letters from the North",
    "Before the Storm",
    "The Last Orchard",
    "Small Hours",
)
TIMES = (
    "Three weeks later",
    "The next morning",
    "Two years earlier",
    "Monday, 6 a.m.",
    "That same evening",
    "Ten days before",
)
PLACES = (
    "Lisbon, 1974",
    "Edinburgh, Scotland",
    "Northern Railway Station",
    "Harbour Street 12",
    "Lake Geneva",
    "Mombasa, Kenya",
    "Central Market",
    "Oslo, 21 March 1998",
)
PEOPLE = (
    "Dr. R. Marsh",
    "K. Okafor",
    "E. Lindgren, engineer",
    "Professor D. Stone",
    "M. Torres, pilot",
    "J. Whitfield",
)
LABELS = ("Archive footage", "Private collection", "Recorded live", "Free to share")

LINES = (
    "I had been working at the harbour for almost twenty years.",
    "Nobody expected the letter to arrive before the end of the month.",
    "My grandmother used to say that patience is a kind of courage.",
    "We took the early train because the roads were closed.",
    "In those days you could hear the bells from the other side of the valley.",
    "The council promised to answer within a week, and then the phones went dead.",
    "She told me the whole story over the kitchen sink.",
    "It was the first time that anybody had asked me what I wanted to do.",
    "There were eleven of us in the class, and only three finished the year.",
    "By the time we understood the question, the answer had already changed.",
    "He kept every receipt, every ticket and every note he ever wrote.",
    "The weather turned in the afternoon, and we had to start again.",
    "Most people remember the noise, but I remember how quiet it was.",
    "If you want to know how a town works, ask the people who clean it.",
    "They measured everything twice and still got it wrong.",
    "I never learned to swim, so the crossing frightened me.",
    "The radio played the same song for what felt like a month.",
    "After the meeting we walked home without saying a word.",
    "Somebody had to stay behind, and I was the youngest.",
    "It takes about a day to get there and a lifetime to come back.",
    "We thought the money would last until spring.",
    "You could smell the bread long before you reached the corner.",
    "The plan was simple, and that should have been a warning.",
    "My brother wrote to me every Sunday for nine years.",
    "The old maps were wrong about the distance, but right about the danger.",
    "Nothing was ever thrown away in that house.",
)
"""What the narrator says. None of it is about the pictures: those must be seen."""


def card(rng: Random) -> tuple[str, ...]:
    """The lines of a title card."""
    kind = rng.randrange(3)
    if kind == 0:
        return (rng.choice(CHAPTERS), rng.choice(NAMES))
    return (rng.choice(NAMES if kind == 1 else TIMES),)


def caption(rng: Random, *, person: bool) -> tuple[str, ...]:
    """The line of a title that lies over a picture; a name only where there is somebody."""
    return (rng.choice(rng.choice((PEOPLE if person else PLACES, PLACES, LABELS))),)
