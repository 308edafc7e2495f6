"""A model's raw answers to questions (JSONL), with all that they hang on in the first line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from strad.errors import FormatError
from strad.line_file import LineFile
from strad.record import Id, Record
from strad.text_file import read_text
from strad_eval.inputs.numbered_lines import NumberedLines
from strad_eval.mcq.item import Item


class RepliesHeader(Record):
    """The optional first line."""

    strad: Literal["replies"]
    version: Literal[1]
    model: str | None = None
    shown: str | None = None
    """What the model was given: ``options``, ``vision``, ``audio``, ``omni``."""
    dialogue: bool | None = None
    prompt: str | None = None
    """Name and hash."""
    seed: int | None = None
    frames: int | None = None


class Reply(Record):
    """One answer, as it came."""

    id: Id
    """The question's."""
    output: str
    order: tuple[int, ...] | None = None
    """The options' own places, in the order in which they were shown; None: as they are."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


REPLIES = LineFile(RepliesHeader, Reply)


@dataclass(frozen=True, slots=True)
class Replies:
    """A file of answers."""

    name: str
    header: RepliesHeader | None
    by_id: dict[str, Reply]
    unknown: int = 0
    """Answers to no question, left out."""


def read_replies(path: Path, items: Sequence[Item], *, ignore_unknown: bool = False) -> Replies:
    """The answers. Raises FormatError with file and line: unknown or repeated ids, a bad order."""
    known = {item.id: item for item in items}
    header: RepliesHeader | None = None
    found: dict[str, Reply] = {}
    unknown = 0
    lines = NumberedLines(read_text(path).split("\n"))
    for one in REPLIES.parse(lines, file=str(path)):
        if isinstance(one, RepliesHeader):
            header = one
        elif one.id not in known and ignore_unknown:
            unknown += 1
        else:
            _check(one, known.get(one.id), one.id in found, path, lines.number)
            found[one.id] = one
    return Replies(path.stem, header, found, unknown)


def _check(reply: Reply, item: Item | None, again: bool, path: Path, line: int) -> None:
    if item is None:
        what = f"no question is called {reply.id!r} (--reading unknown=ignore leaves it out)"
        raise FormatError(what, file=str(path), line=line)
    if again:
        raise FormatError(f"a second answer to {reply.id!r}", file=str(path), line=line)
    if reply.order is not None and sorted(reply.order) != list(range(len(item.options))):
        what = f"order: not an order of {len(item.options)} options"
        raise FormatError(what, file=str(path), line=line)
