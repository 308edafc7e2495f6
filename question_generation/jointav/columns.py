"""An item as a row of JointAVBench's own file, ``jointavbench.json``: its names, its forms."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from question_generation.item import Item
from strad.errors import InputError

Row: TypeAlias = dict[str, Any]

COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "qid": "string",
        "video_name": "string",
        "task": "string",
        "question": "string",
        "correct_answer": "string",
        "explanation": "string",
        "options": "list<string>",
        "video_url": "string",
        "segment_timestamp": "list<double>",
    }
)
"""Names in the file's order, each with its type as Arrow writes it."""


def row(item: Item, video_url: str = "") -> Row:
    """One row. ``task`` is the code, as in the released file; ``qid`` names the task's number.

    Raises InputError for an item that is not whole.
    """
    if item.task is None or item.segment is None or not item.options:
        raise InputError(f"{item.id}: wants a task, a segment and options to be JointAVBench's")
    return {
        "qid": item.id,
        "video_name": item.video_id,
        "task": item.task,
        "question": item.question,
        "correct_answer": item.answer,
        "explanation": item.rationale or "",
        "options": list(item.options),
        "video_url": video_url,
        "segment_timestamp": list(item.segment),
    }
