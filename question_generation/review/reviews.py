"""Reviews (JSONL): what one person said of one item, and what a set is after its reviews."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from question_generation.item import Item
from strad.errors import InputError
from strad.line_file import LineFile
from strad.questions import Filled
from strad.record import Id, Record

REVIEWS = "reviews.jsonl"
YesNo = Literal["yes", "no", "unsure"]


class ReviewsHeader(Record):
    """The optional first line."""

    strad: Literal["reviews"]
    version: Literal[1]


class Mended(Record):
    """An item as a reviewer would have it."""

    question: Filled
    options: Annotated[tuple[Filled, ...], Field(min_length=2, max_length=10)]
    answer: Filled

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if len(set(self.options)) < len(self.options):
            raise ValueError("two options are the same")
        if self.answer not in self.options:
            raise ValueError("the answer is not among the options")
        return self


class Review(Record):
    """The four ratings of JointAVBench, and a verdict."""

    rater: Id
    item: Id
    answer: YesNo
    """Whether the answer is right, and no other option is."""
    information: YesNo
    """Whether the clip tells all that is needed."""
    av_dependency: YesNo
    """Whether both seeing and hearing are needed."""
    difficulty: Annotated[int, Field(ge=1, le=5)]
    """From 1, very easy, to 5."""
    verdict: Literal["keep", "fix", "reject"]
    mended: Mended | None = None
    comment: str | None = None

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if (self.verdict == "fix") != (self.mended is not None):
            raise ValueError("mended goes with the verdict fix, and only with it")
        return self


FILE = LineFile(ReviewsHeader, Review)


class ReviewsFile:
    """Reviews in memory and on disk. Several threads may ask at once."""

    def __init__(self, path: Path) -> None:
        """Reads what is there. Raises FormatError with file and line."""
        self._path, self._lock = path, threading.Lock()
        self._done: dict[str, set[str]] = defaultdict(set)
        for review in reviews_in(path) if path.exists() else ():
            self._done[review.rater].add(review.item)

    def done(self, rater: str) -> frozenset[str]:
        """The items that this person has reviewed."""
        with self._lock:
            return frozenset(self._done.get(rater, ()))

    def add(self, review: Review) -> None:
        """Keep it, on disk before this returns. A later one of the same item replaces it."""
        with self._lock:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{review.line()}\n")
                file.flush()
                os.fsync(file.fileno())
            self._done[review.rater].add(review.item)


def reviews_in(path: Path) -> list[Review]:
    """The last review of each person and item, in the order of the file."""
    found: dict[tuple[str, str], Review] = {}
    try:
        with path.open(encoding="utf-8") as file:
            for review in FILE.each(file, file=str(path)):
                found[review.rater, review.item] = review
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    return list(found.values())


def reviewed(items: Iterable[Item], reviews: Iterable[Review]) -> Iterator[Item]:
    """The set after its reviews: what more people reject than not is left out, the last fix holds.

    What was looked at is flagged ``reviewed``, what was mended also ``mended``.
    """
    of_item: Mapping[str, list[Review]] = _by_item(reviews)
    for item in items:
        said = of_item.get(item.id, [])
        rejected = sum(review.verdict == "reject" for review in said)
        if 2 * rejected > len(said):
            continue
        fixes = [review.mended for review in said if review.mended is not None]
        yield _after(item, fixes[-1] if fixes else None) if said else item


def _by_item(reviews: Iterable[Review]) -> dict[str, list[Review]]:
    found: dict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        found[review.item].append(review)
    return found


def _after(item: Item, mended: Mended | None) -> Item:
    if mended is None:
        return item.flagged("reviewed")
    changed = {"question": mended.question, "options": mended.options, "answer": mended.answer}
    return item.model_copy(update=changed).flagged("reviewed", "mended")
