"""Accuracy on a benchmark: of everything, and of each group of questions."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from strad_eval.mcq import cinepile, jointav
from strad_eval.mcq.item import Item
from strad_eval.mcq.questions import Benchmark
from strad_eval.mcq.readings import McqReadings
from strad_eval.mcq.replies import Replies
from strad_eval.mcq.verdict import Verdict
from strad_eval.metrics.cider import cider_d
from strad_eval.metrics.rouge_l import rouge_l
from strad_eval.tokens import ptb
from strad_eval.tokens.lines import one_line

_THOUGHTS = re.compile(r"^\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Right answers of those that count."""

    right: int
    of: int

    @property
    def value(self) -> float:
        return self.right / self.of if self.of else math.nan

    def interval(self, z: float = 1.959964) -> tuple[float, float]:
        """Wilson's 95 % interval; NaN for nothing."""
        if not self.of:
            return math.nan, math.nan
        n, p = self.of, self.right / self.of
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(slots=True)
class McqScore:
    """One model's answers, scored."""

    name: str
    replies: Replies
    verdicts: list[Verdict]
    """In the order of the questions."""
    overall: Accuracy
    groups: dict[str, dict[str, Accuracy]] = field(default_factory=dict)
    """By breakdown, then group."""
    texts: dict[str, float] = field(default_factory=dict)
    """Of raw answers against the key's text."""

    @property
    def counts(self) -> dict[str, int]:
        """How many of each verdict."""
        found = Counter(self.verdicts)
        return {verdict.value: found[verdict] for verdict in Verdict}

    @property
    def tokens(self) -> tuple[int, int]:
        """Of the prompts and of the answers, as far as the answers say."""
        given = list(self.replies.by_id.values())
        return (
            sum(one.prompt_tokens or 0 for one in given),
            sum(one.completion_tokens or 0 for one in given),
        )


def score_replies(
    items: Sequence[Item], replies: Replies, benchmark: Benchmark, readings: McqReadings
) -> McqScore:
    """Every question counts, answered or not, but what a reading drops."""
    verdicts = [_verdict(item, replies, benchmark, readings) for item in items]
    counting = [
        (item, verdict is Verdict.RIGHT)
        for item, verdict in zip(items, verdicts, strict=True)
        if not _dropped(verdict, readings)
    ]
    overall = _accuracy(right for _, right in counting)
    groups: dict[str, dict[str, list[bool]]] = {}
    for item, right in counting:
        for breakdown, names in item.groups.items():
            for name in names:
                groups.setdefault(breakdown, {}).setdefault(name, []).append(right)
    result = McqScore(replies.name, replies, verdicts, overall)
    result.groups = {
        breakdown: {name: _accuracy(found) for name, found in sorted(named.items())}
        for breakdown, named in groups.items()
    }
    result.texts = _texts(items, replies, readings)
    return result


def chance(items: Sequence[Item]) -> float:
    """What guessing gets."""
    return math.fsum(1 / len(item.options) for item in items) / len(items)


def said(output: str, readings: McqReadings) -> str:
    """The answer without what was thought aloud before it, unless the reading keeps that.

    Thoughts that were cut off hold no answer.
    """
    if readings.thinking == "keep":
        return output
    return _THOUGHTS.sub("", output)


def raw_pairs(
    items: Sequence[Item], replies: Replies, readings: McqReadings
) -> list[tuple[str, str]]:
    """Key and raw answer of each question; an empty answer for a missing one."""
    outputs = (replies.by_id.get(item.id) for item in items)
    return [
        (one_line(item.key), one_line(said(reply.output, readings)) if reply else "")
        for item, reply in zip(items, outputs, strict=True)
    ]


def _verdict(item: Item, replies: Replies, benchmark: Benchmark, readings: McqReadings) -> Verdict:
    reply = replies.by_id.get(item.id)
    if reply is None:
        return Verdict.MISSING
    output = said(reply.output, readings)
    shown = reply.order or tuple(range(len(item.options)))
    if benchmark == "jointav":
        contains = readings.one_word == "contains"
        return jointav.score(output, item, shown, contains=contains)
    as_shown = Item(
        item.id,
        item.video,
        item.question,
        tuple(item.options[own] for own in shown),
        shown.index(item.answer),
    )
    return cinepile.score(output, as_shown, rescue=readings.rescue == "on")


def _dropped(verdict: Verdict, readings: McqReadings) -> bool:
    return (verdict is Verdict.UNPARSED and readings.unparsed == "drop") or (
        verdict is Verdict.MISSING and readings.missing == "drop"
    )


def _accuracy(right: Iterable[bool]) -> Accuracy:
    listed = list(right)
    return Accuracy(sum(listed), len(listed))


def _texts(items: Sequence[Item], replies: Replies, readings: McqReadings) -> dict[str, float]:
    tokens = [(ptb.tokenize(k), ptb.tokenize(a)) for k, a in raw_pairs(items, replies, readings)]
    rouge = [rouge_l(*pair) for pair in tokens]
    return {
        "CIDEr": math.fsum(cider_d(tokens)) / len(tokens),
        "ROUGE-L": math.fsum(rouge) / len(rouge),
    }
