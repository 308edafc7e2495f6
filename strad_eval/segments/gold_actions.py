"""The actions of each reference, as Shot-by-Shot publishes them (``*_gt_action.csv``)."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from strad.csv_rows import read_rows
from strad.errors import FormatError
from strad_eval.tokens.lines import one_line


def read_actions(path: Path, references: Sequence[str]) -> tuple[list[tuple[str, ...]], int]:
    """For each reference its actions, by its text; and how many entries are label errors.

    Of equal texts in one file, the first reference takes the first. Raises FormatError with the
    line of what is no list of texts; a field that is a number is a label error, and left out.
    """
    known: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    errors = 0
    for line, entry in read_rows(path, ("text_gt", "gt_action")):
        field = entry["gt_action"].strip()
        if field.isdigit():
            errors += 1
        else:
            known[one_line(entry["text_gt"])].append(_actions(field, path, line))
    return [known[text].pop(0) if known[text] else () for text in references], errors


def _actions(field: str, path: Path, line: int) -> tuple[str, ...]:
    try:
        value = ast.literal_eval(field) if field else []
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise FormatError("gt_action: not a list of texts", file=str(path), line=line)
    return tuple(one for one in value if one.strip())
