"""A measurement as a document and as a table: every figure by its name, or blank."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from service.measuring.figures import Figures

MEANINGS: dict[str, str] = {
    "rtf": "wall time of a window over the cursor's advance, mean over AD windows (the paper's)",
    "lag": "cursor minus the AD's start, s, mean over AD windows (the paper's LAG)",
    "load_replay": "answer time over stride, mean over all windows, one at a time",
    "windows": "asked one by one",
    "ad_windows": "of those, that describe",
    "failed_windows": "of those, that got no answer",
    "prompt_tokens": "of a prompt, mean",
    "answer_tokens": "of an answer, mean",
    "tokens_per_second": "tokens after the first, by the second",
    "stage.media_decode": "s to decode a stride of media, beside the rest",
    "stage.vad_asr": "s to hear a stride of sound, beside the rest",
    "stage.session": "s of a window for gaps, windows and placement",
    "stage.decide": "s of an AD window from question to answer: the sum of what follows",
    "stage.prompt": "s to write the prompt",
    "stage.queue": "s waited for the engine",
    "stage.vision": "s to look at the pictures",
    "stage.prefill": "s to read the prompt",
    "stage.first_token": "s to the first token, where vision and prefill are not told apart",
    "stage.decode": "s to write the answer's tokens",
    "stage.transfer": "s between here and the server",
    "stage.engine": "s of the engine that it does not tell apart",
    "stage.parse": "s to read the answer",
    "live.load": "answer time over stride as it plays; above 1 it is too slow",
    "live.lag_emit": "newest media when an AD is announced, minus its start, s",
    "live.windows": "asked as it plays",
    "live.skipped": "never asked, as newer media had come",
    "live.events": "AD announced",
    "live.late_share": "of AD decided, the share too late to be spoken in time",
}
"""Of every figure there may be, in order. Times are wall seconds unless they are media's."""


def flat(figures: Figures | None) -> dict[str, Any]:
    """Every figure by its name; None where nothing was measured."""
    found: dict[str, Any] = dict.fromkeys(MEANINGS)
    if figures is None:
        return found
    for name in MEANINGS:
        if "." not in name:
            found[name] = getattr(figures, name)
    stages = figures.stages
    timed = {"media_decode": stages.media_decode, "vad_asr": stages.vad_asr}
    for name, seconds in {**timed, "session": stages.session, **stages.of_answers}.items():
        found[f"stage.{name}"] = seconds
    for name, value in (figures.live or {}).items():
        found[f"live.{name}"] = value
    return found


def document(
    figures: Figures | None, about: Mapping[str, Any], said: Sequence[str]
) -> dict[str, Any]:
    """For programs."""
    machine = {"cores": os.cpu_count(), "system": platform.platform()}
    return {
        "strad": "measure",
        "version": 1,
        **about,
        "machine": machine,
        "engine": list(said),
        "figures": flat(figures),
    }


def table(figures: Figures | None) -> Table:
    """For people."""
    made = Table(box=None, pad_edge=False)
    for title in ("figure", "value", "what it is"):
        made.add_column(title, no_wrap=title != "what it is")
    for name, value in flat(figures).items():
        made.add_row(Text(name, "bold"), Text(_shown(value)), Text(MEANINGS.get(name, "")))
    return made


def _shown(value: object) -> str:
    match value:
        case None:
            return ""
        case dict():
            return " ".join(_spread(value))
        case float():
            return f"{value:.3f}"
        case _:
            return str(value)


def _spread(value: Mapping[str, float]) -> Iterator[str]:
    for name in ("p50", "p95", "max"):
        yield f"{name} {value[name]:.2f}"
