"""Every figure a stream report can hold: its name, how it is shown, which way is better."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from strad_eval.metrics.llm_ad_eval import FIGURE, figure_title
from strad_eval.style.wording import RULES

Better: TypeAlias = Literal["higher", "lower", "near one", "neither"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One figure. ``shown`` is what its value is multiplied by in tables, ``unit`` what follows."""

    title: str
    group: str
    better: Better
    shown: float = 100.0
    unit: str = ""


QUALITY, LOCATION, DIAGNOSTICS = "Quality", "Temporal localization", "Diagnostics"
EFFICIENCY, LISTENING, STYLE = "Efficiency", "What listeners feel", "Style rules broken"

CATALOGUE: dict[str, Entry] = {
    "soda": Entry("SODA", QUALITY, "higher"),
    "soda_precision": Entry("SODA precision", QUALITY, "higher"),
    "soda_recall": Entry("SODA recall", QUALITY, "higher"),
    "soda_d": Entry("SODA_d (timing only)", QUALITY, "higher"),
    "cider": Entry("CIDEr", QUALITY, "higher"),
    "meteor": Entry("METEOR", QUALITY, "higher"),
    "rouge_l": Entry("ROUGE-L", QUALITY, "higher"),
    "action_score": Entry("ActionScore", QUALITY, "higher"),
    "recall": Entry("Recall", LOCATION, "higher"),
    "precision": Entry("Precision", LOCATION, "higher"),
    "rep": Entry("REP", DIAGNOSTICS, "lower", unit="%"),
    "ol": Entry("OL", DIAGNOSTICS, "lower", unit="%"),
    "rtf": Entry("RTF", EFFICIENCY, "lower", 1.0),
    "lag": Entry("LAG", EFFICIENCY, "lower", 1.0, "s"),
    "failed": Entry("Failed windows", EFFICIENCY, "lower", unit="%"),
    "spill": Entry("Spoken past the gap", LISTENING, "lower", unit="%"),
    "spill_seconds": Entry("Spoken time past the gap", LISTENING, "lower", unit="%"),
    "late": Entry("Late", LISTENING, "lower", unit="%"),
    "start_error": Entry("Start against the reference's", LISTENING, "neither", 1.0, "s"),
    "words_a_minute": Entry("Words a minute", LISTENING, "neither", 1.0),
    "too_fast": Entry("Too fast", LISTENING, "lower", unit="%"),
    "density": Entry("Descriptions over reference's", LISTENING, "near one", 1.0),
    "density_seconds": Entry("Seconds over reference's", LISTENING, "near one", 1.0),
    "density_words": Entry("Words over reference's", LISTENING, "near one", 1.0),
    "near_repeats": Entry("Near-repeats", LISTENING, "lower", unit="%"),
    "gap_use": Entry("Gap time used", LISTENING, "neither", unit="%"),
    "gap_use_reference": Entry("Gap time the reference uses", LISTENING, "neither", unit="%"),
    **{
        f"style:{rule}": Entry(rule.replace("-", " ").capitalize(), STYLE, "lower", unit="%")
        for rule in (*RULES, "echoes-speech", "names-too-early")
    },
}

NEED_METEOR = ("soda", "soda_precision", "soda_recall", "meteor")


def entry(name: str) -> Entry:
    """The figure's entry; one of its own for each judge and scale of LLM-AD-Eval."""
    if name.startswith(f"{FIGURE}:"):
        return Entry(figure_title(name), QUALITY, "higher", 1.0)
    return CATALOGUE[name]


def in_order(names: Collection[str]) -> list[str]:
    """Those of the names that are figures, as reports list them; judges last of their group."""
    known = [name for name in CATALOGUE if name in names]
    judged = [name for name in names if re.fullmatch(f"{FIGURE}:[^:]+:.+", name, re.DOTALL)]
    quality = [name for name in known if CATALOGUE[name].group == QUALITY]
    return [*quality, *judged, *(name for name in known if name not in quality)]
