"""The two toy videos behind the golden numbers, and the tools of the papers where they are here."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest

from strad_eval.tokens.ptb import tokenize
from strad_eval.unit import Event, Unit

REFERENCES = {
    "v1": [
        (1.0, 3.5, "A man walks into the room."),
        (10.0, 12.0, "She opens the window."),
        (20.0, 24.0, "He sits on the sofa and smiles."),
    ],
    "v2": [(5.0, 7.0, "The car stops."), (9.0, 11.0, "Tony looks at the drinks.")],
}
PREDICTIONS = {
    "v1": [
        (0.5, 3.0, "A man enters the room."),
        (10.5, 13.0, "A woman opens a window."),
        (22.0, 26.0, "He smiles."),
        (40.0, 42.0, "He smiles."),
    ],
    "v2": [(5.0, 7.0, "The car stops.")],
}
DURATIONS = {"v1": 60.0, "v2": 30.0}

needs_java = pytest.mark.skipif(
    not (shutil.which("java") and find_spec("pycocoevalcap")),
    reason="needs java and pycocoevalcap (pip install 'strad[eval]')",
)
needs_library = pytest.mark.skipif(
    not find_spec("pycocoevalcap"), reason="needs pycocoevalcap (pip install 'strad[eval]')"
)


def event(start: float, end: float, text: str) -> Event:
    """An event with its tokens."""
    return Event(start, end, text, tokenize(text))


def events(*parts: tuple[float, float, str]) -> tuple[Event, ...]:
    """Events with their tokens."""
    return tuple(event(*part) for part in parts)


def toy_units() -> list[Unit]:
    """The toy videos as units."""
    return [
        Unit(name, 0, (0.0, DURATIONS[name]), events(*said), events(*PREDICTIONS[name]))
        for name, said in REFERENCES.items()
    ]
