"""Style: the share of descriptions that break each machine-checkable rule of describers' guides."""

from __future__ import annotations

from strad_eval.metrics.share import Share
from strad_eval.style.early_names import named_early
from strad_eval.style.echo import echoes, runs
from strad_eval.style.wording import RULES, broken_rules
from strad_eval.unit import Unit


def style(unit: Unit, said: dict[str, float] | None) -> dict[str, Share]:
    """For each rule the descriptions that break it, over all. ``said`` is ``first_said``'s.

    The two rules that need a transcript are of nothing where none is known.
    """
    broken = dict.fromkeys(RULES, 0)
    for event in unit.predictions:
        for rule in broken_rules(event.text):
            broken[rule] += 1
    shares = {rule: Share(count, len(unit.predictions)) for rule, count in broken.items()}
    shares["echoes-speech"] = shares["names-too-early"] = Share(0.0, 0.0)
    if said is not None:
        spoken = runs(unit.words or "")
        echo = sum(1 for e in unit.predictions if echoes(e.tokens, spoken))
        early = sum(1 for e in unit.predictions if named_early(e.text, e.start, said))
        shares["echoes-speech"] = Share(echo, len(unit.predictions))
        shares["names-too-early"] = Share(early, len(unit.predictions))
    return shares
