"""What a set of items is like, in figures: balance, what gives answers away, doubles, rates.

Pure arithmetic over items, gone through once; what is compared pairwise is compared within a video.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from question_generation.item import Item
from question_generation.options import LETTERS, same

NEAR = 0.8
"""Of the words of two questions together, from which on they are doubles."""
SPANS = (("single scene, under 1 min", 60.0), ("multi, 1 to 10 min", 600.0))
LONG = "full, over 10 min"
_WORD = re.compile(r"[^\W_]+")
_SMALL_WORDS = """
the a an of to in is are was and or he she it they his her what who why how when where which does do
did that this with at on for by from as be
"""
_SMALL = frozenset(_SMALL_WORDS.split())


@dataclass(slots=True)
class Quality:
    """Grows with each item."""

    items: int = 0
    with_options: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    tasks: Counter[str] = field(default_factory=Counter)
    templates: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    spans: Counter[str] = field(default_factory=Counter)
    positions: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    visual_reliance: Counter[str] = field(default_factory=Counter)
    hard: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    longest_right: int = 0
    by_chance: float = 0.0
    """Sum of 1/options: what guessing gets right."""
    right_overlap: float = 0.0
    wrong_overlap: float = 0.0
    tries: Counter[str] = field(default_factory=Counter)
    rates: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    """By answerer: right ones, asked."""
    questions: dict[str, list[tuple[str, frozenset[str], str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By video: id, the question's words, the question made plain."""

    def add(self, item: Item) -> None:
        """One item more."""
        self.items += 1
        for counter, value in (
            (self.categories, item.category),
            (self.tasks, item.task),
            (self.templates, item.template),
            (self.splits, item.split),
        ):
            if value is not None:
                counter[value] += 1
        for told, flag in ((self.visual_reliance, item.visual_reliance), (self.hard, item.hard)):
            if flag is not None:
                told["yes" if flag else "no"] += 1
        self.flags.update(item.flags)
        if item.segment is not None:
            self.spans[span_of(item.segment[1] - item.segment[0])] += 1
        for made in item.provenance:
            self.repaired.update(made.repaired)
            self.tries[str(made.tries)] += 1
        for name, rate in item.rates.items():
            self.rates[name][0] += rate.right
            self.rates[name][1] += rate.asked
        told_words = (item.id, frozenset(words(item.question)), same(item.question))
        self.questions[item.video_id].append(told_words)
        self._options(item)

    def _options(self, item: Item) -> None:
        at = item.answer_index
        if at is None:
            return
        self.with_options += 1
        self.positions[LETTERS[at]] += 1
        self.by_chance += 1 / len(item.options)
        lengths = [len(option) for option in item.options]
        longest = max(lengths)
        self.longest_right += lengths[at] == longest and lengths.count(longest) == 1
        asked = frozenset(words(item.question))
        overlaps = [overlap(asked, option) for option in item.options]
        self.right_overlap += overlaps[at]
        wrong = overlaps[:at] + overlaps[at + 1 :]
        self.wrong_overlap += sum(wrong) / len(wrong)

    def told(self) -> dict[str, Any]:
        """All figures, as JSON has them."""
        exact, near = self.doubles()
        return {
            "items": self.items,
            "with_options": self.with_options,
            "balance": {
                "category": _sorted(self.categories),
                "task": _sorted(self.tasks),
                "span": _sorted(self.spans),
                "split": _sorted(self.splits),
                "template": _sorted(self.templates),
                "answer position": dict(sorted(self.positions.items())),
                "visual reliance": _sorted(self.visual_reliance),
                "hard": _sorted(self.hard),
                "flags": _sorted(self.flags),
            },
            "longest_is_right": _share(self.longest_right, self.with_options),
            "by_chance": _share(self.by_chance, self.with_options),
            "overlap_with_question": {
                "right option": _share(self.right_overlap, self.with_options),
                "wrong options": _share(self.wrong_overlap, self.with_options),
            },
            "duplicates": {"same": exact, "near": near},
            "answerers": {
                name: {"right": right, "asked": asked, "share": _share(right, asked)}
                for name, (right, asked) in sorted(self.rates.items())
            },
            "answers_repaired": _sorted(self.repaired),
            "tries": dict(sorted(self.tries.items())),
        }

    def doubles(self) -> tuple[int, int]:
        """Questions of a video that another before it asks in the same words, or nearly."""
        exact = near = 0
        for listed in self.questions.values():
            seen: list[tuple[str, frozenset[str], str]] = []
            for one in listed:
                if any(one[2] == other[2] for other in seen):
                    exact += 1
                elif any(_alike(one[1], other[1]) >= NEAR for other in seen):
                    near += 1
                seen.append(one)
        return exact, near


def quality_of(items: Iterable[Item]) -> Quality:
    """Of all of them."""
    found = Quality()
    for item in items:
        found.add(item)
    return found


def words(text: str) -> list[str]:
    """Those that carry meaning."""
    return [word for word in _WORD.findall(text.casefold()) if word not in _SMALL]


def overlap(asked: frozenset[str], option: str) -> float:
    """The share of an option's words that the question has too."""
    told = words(option)
    return sum(word in asked for word in told) / len(told) if told else 0.0


def span_of(seconds: float) -> str:
    """JointAVBench's word for how much of a video is asked about."""
    return next((name for name, most in SPANS if seconds < most), LONG)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    both = one | other
    return len(one & other) / len(both) if both else 0.0


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


def _sorted(counter: Mapping[str, int]) -> dict[str, int]:
    """Most first, then by name: the same each time."""
    return dict(sorted(counter.items(), key=lambda pair: (-pair[1], pair[0])))
