"""A small study of two systems and the reference."""

from __future__ import annotations

from strad.record import TimedText
from strad_eval.study.plan import Excerpt, Study


def lines(*said: tuple[float, float, str]) -> tuple[TimedText, ...]:
    return tuple(TimedText(start=start, end=end, text=text) for start, end, text in said)


REFERENCES = (
    "A man runs away from the house.",
    "She opens the old window slowly.",
    "A black dog sleeps by the fire.",
    "He throws the letter into the sea.",
)


def toy(excerpts: int = 4) -> Study:
    """System "good" says what the reference says, "poor" something else, "odd <b>" half of it."""
    made = []
    for at in range(excerpts):
        start = 60.0 * at
        reference = REFERENCES[at % len(REFERENCES)]
        half = " ".join(reference.split()[:4])
        made.append(
            Excerpt(
                id=f"film@{start:g}",
                video="film",
                start=start,
                end=start + 60.0,
                reference=lines((start + 5, start + 8, reference)),
                speech=lines((start + 10, start + 12, "Is <anybody> there?")),
                systems={
                    "good": lines((start + 5, start + 8, reference)),
                    "poor": lines((start + 30, start + 33, "Something & nothing.")),
                    "odd <b>": lines((start + 5, start + 7, half)),
                },
            )
        )
    return Study(strad="study", version=1, name="toy <study>", excerpts=tuple(made))
