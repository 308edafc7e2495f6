"""CRITIC: whether descriptions name, or refer to, the characters their references do.

Source: Han et al. 2024 (AutoAD III). All sentences of a film, after a list of its cast, go through
a coreference model; a cluster that holds exactly one name of the cast is that character wherever
one of its mentions stands. Per row with characters in the reference: IoU of both sets of names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeAlias

from strad_eval.metrics.share import Share

Mention: TypeAlias = tuple[int, int]
"""First and last (exclusive) character in the text."""
Coreference: TypeAlias = Callable[[str], Sequence[Sequence[Mention]]]
"""A text's clusters of mentions."""


def critic(
    cast: Sequence[str],
    references: Sequence[str],
    descriptions: Sequence[str],
    coreference: Coreference,
) -> Share:
    """One film's rows, in time order: the sum of IoUs over rows whose reference has characters."""
    there = characters(cast, references, coreference)
    said = characters(cast, descriptions, coreference)
    rows = [(ours, theirs) for ours, theirs in zip(said, there, strict=True) if theirs]
    shared = sum(len(ours & theirs) / len(ours | theirs) for ours, theirs in rows)
    return Share(shared, float(len(rows)))


def characters(
    cast: Sequence[str], sentences: Sequence[str], coreference: Coreference
) -> list[frozenset[str]]:
    """The characters of each sentence."""
    text, starts = document(cast, sentences)
    found: list[set[str]] = [set() for _ in sentences]
    for cluster in coreference(text):
        names = {text[start:end] for start, end in cluster} & set(cast)
        if len(names) == 1:
            for mention in cluster:
                row = _row(mention, starts, sentences)
                if row is not None:
                    found[row] |= names
    return [frozenset(names) for names in found]


def document(cast: Sequence[str], sentences: Sequence[str]) -> tuple[str, list[int]]:
    """The text that the model reads, and where in it each sentence starts."""
    listed = ", ".join(cast[:-1])
    text = (f"{listed} and {cast[-1]}." if listed else f"{cast[0]}.") if cast else ""
    starts = []
    for sentence in sentences:
        text += " "
        starts.append(len(text))
        text += sentence
    return text, starts


def _row(mention: Mention, starts: Sequence[int], sentences: Sequence[str]) -> int | None:
    """The sentence that holds all of the mention."""
    row = bisect_right(starts, mention[0]) - 1
    if row < 0 or mention[1] > starts[row] + len(sentences[row]):
        return None
    return row
