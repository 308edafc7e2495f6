"""JointAVBench's fifteen tasks: what each one asks and what must be heard for it.

Source: Table 2 of the paper (arXiv 2512.12772), and the codes of its program, where 3 and 14 are
not in use. Multi-plot Ordering is plot in the table and temporal in the program.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

SPEECH, VOICE, EVENT, MUSIC = "speech", "vocal traits", "sound event", "music"
ALL = (SPEECH, VOICE, EVENT, MUSIC)


class Task(NamedTuple):
    """One task."""

    number: int
    """``task1`` and so on in the program and in question ids."""
    name: str
    span: Literal["single", "multi", "full"]
    dimension: str
    audio: tuple[str, ...]


TASKS: dict[str, Task] = {
    "STL": Task(1, "Speech-based Timepoint Localization", "single", "temporal", (SPEECH,)),
    "SPL": Task(2, "Speaker Spatial Localization", "single", "spatial", (VOICE,)),
    "SOOG": Task(4, "Sounding Object Grounding", "single", "spatial", (EVENT,)),
    "SOER": Task(5, "Sound Event Recognition", "single", "spatial", (EVENT,)),
    "SPER": Task(6, "Speaker Emotion Recognition", "single", "emotion", (VOICE,)),
    "MPTI": Task(7, "Musical Tone Inference", "single", "emotion", (MUSIC,)),
    "VSSR": Task(8, "Vision-Speech Sequence Recognition", "single", "temporal", (SPEECH,)),
    "CSA": Task(9, "Cross-scene Association", "multi", "long-form", (SPEECH,)),
    "MPO": Task(10, "Multi-plot Ordering", "multi", "plot", (SPEECH, VOICE)),
    "PTG": Task(11, "Plot Temporal Grounding", "multi", "temporal", (SPEECH,)),
    "AFA": Task(12, "Audio Function Analysis", "multi", "plot", (EVENT, MUSIC)),
    "PDP": Task(13, "Plot Development Prediction", "multi", "plot", (SPEECH,)),
    "AVDM": Task(15, "Audio-Visual Detail Memory", "full", "long-form", ALL),
    "MESI": Task(16, "Musical Emotion Shift Inference", "full", "emotion", (MUSIC,)),
    "CRI": Task(17, "Character Relationship Inference", "full", "plot", (SPEECH,)),
}
_BY_NUMBER = {f"task{task.number}": code for code, task in TASKS.items()}


def code_of(named: str) -> str | None:
    """The code of a task named by code or number; None for another word."""
    plain = named.strip()
    return plain.upper() if plain.upper() in TASKS else _BY_NUMBER.get(plain.lower())


def groups_of(code: str, mpo: str) -> dict[str, tuple[str, ...]]:
    """What a question of this task counts in: task, dimension, each audio type, span."""
    task = TASKS[code]
    dimension = mpo if code == "MPO" else task.dimension
    return {
        "task": (code,),
        "dimension": (dimension,),
        "audio": task.audio,
        "span": (task.span,),
    }
