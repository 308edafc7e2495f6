"""Items as others read them: CinePile's and JointAVBench's columns, instructions, our Questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from question_generation.cinepile.scene_text import MARKS
from question_generation.item import Item
from question_generation.jointav.columns import COLUMNS as JOINTAV
from question_generation.jointav.columns import row as jointav_row
from question_generation.options import LETTERS
from question_generation.scene import Scene
from strad.errors import InputError, MissingModelError

Row: TypeAlias = dict[str, Any]

CINEPILE: Mapping[str, str] = MappingProxyType(
    {
        "movie_name": "string",
        "year": "int64",
        "genre": "list<string>",
        "yt_clip_title": "string",
        "yt_clip_link": "string",
        "movie_scene": "string",
        "subtitles": "string",
        "question": "string",
        "choices": "list<string>",
        "answer_key": "string",
        "answer_key_position": "int64",
        "question_category": "string",
        "hard_split": "string",
        "visual_reliance": "string",
        "videoID": "string",
    }
)
"""The published data's columns, in its order."""
INSTRUCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "id": "string",
        "video": "string",
        "segment": "list<double>",
        "instruction": "string",
        "response": "string",
        "rationale": "string",
        "task": "string",
    }
)
"""A model is shown the video and told ``instruction``; it is to say ``response``."""
_ASK = "Watch and listen, then choose the right option. Answer with its letter and its words."


@dataclass(frozen=True, slots=True)
class Scenes:
    """The scenes of a run by id, read again from their places in the file: few bytes are held."""

    path: Path
    places: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> Scenes:
        """Finds each. Raises InputError for a file that can't be read."""
        found = cls(path)
        try:
            with path.open("rb") as file:
                at = 0
                for line in file:
                    found.places[json.loads(line)["id"]] = at
                    at += len(line)
        except OSError as error:
            raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
        return found

    def get(self, name: str | None) -> Scene | None:
        """The scene, if it is one of the run."""
        if name is None or name not in self.places:
            return None
        with self.path.open("rb") as file:
            file.seek(self.places[name])
            return Scene.model_validate_json(file.readline())


def cinepile_row(item: Item, scenes: Scenes) -> Row:
    """As the published data has it. Raises InputError for an item without options."""
    if item.answer_index is None:
        raise InputError(f"{item.id}: no options yet")
    scene = scenes.get(item.scene_id)
    facts = scene.facts if scene is not None else None
    return {
        "movie_name": (facts.title if facts else None) or item.film,
        "year": facts.year if facts else None,
        "genre": list(facts.genre) if facts else [],
        "yt_clip_title": "",
        "yt_clip_link": "",
        "movie_scene": _scene(scene),
        "subtitles": _subtitles(scene),
        "question": item.question,
        "choices": list(item.options),
        "answer_key": item.answer,
        "answer_key_position": item.answer_index,
        "question_category": (item.category or "").replace(" and ", " and\n", 1),
        "hard_split": _said(item.hard),
        "visual_reliance": "" if item.visual_reliance is None else str(int(item.visual_reliance)),
        "videoID": item.video_id,
    }


def instruction_row(item: Item, _: Scenes) -> Row:
    """One turn of instruction. Raises InputError for an item without options."""
    if item.answer_index is None:
        raise InputError(f"{item.id}: no options yet")
    options = "\n".join(f"{LETTERS[at]}) {option}" for at, option in enumerate(item.options))
    return {
        "id": item.id,
        "video": item.video_id,
        "segment": list(item.segment or ()),
        "instruction": f"{_ASK}\n\n{item.question}\n{options}",
        "response": f"{LETTERS[item.answer_index]}) {item.answer}",
        "rationale": item.rationale or "",
        "task": item.task or item.category or "",
    }


def _of_jointav(item: Item, _: Scenes) -> Row:
    return jointav_row(item)


FORMS: Mapping[str, tuple[Mapping[str, str], Callable[[Item, Scenes], Row]]] = MappingProxyType(
    {
        "cinepile": (CINEPILE, cinepile_row),
        "jointav": (JOINTAV, _of_jointav),
        "instructions": (INSTRUCTIONS, instruction_row),
    }
)
"""Each: its columns and types, and how a row is made."""


def require_arrow() -> None:
    """Raise MissingModelError where Parquet can't be written: to ask before the work."""
    if find_spec("pyarrow") is None:
        how = "pip install 'strad[questions]', or export --form questions alone"
        raise MissingModelError(f"Parquet needs pyarrow: {how}")


def write_parquet(
    path: Path, columns: Mapping[str, str], rows: Iterator[Row], block: int = 1000
) -> int:
    """Rows as they come; how many. Raises MissingModelError where Arrow is not installed."""
    require_arrow()
    import pyarrow
    from pyarrow import parquet

    types = {
        "string": pyarrow.string(),
        "int64": pyarrow.int64(),
        "list<string>": pyarrow.list_(pyarrow.string()),
        "list<double>": pyarrow.list_(pyarrow.float64()),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    written = 0
    with parquet.ParquetWriter(path, schema) as writer:
        while listed := list(islice(rows, block)):
            writer.write_table(pyarrow.Table.from_pylist(listed, schema))
            written += len(listed)
    return written


def _scene(scene: Scene | None) -> str:
    """Marked lines with times, as the published data interleaves them."""
    if scene is None:
        return ""
    marks = {"dialogue": "subtitle", "visual": "visual descriptions"}
    return "\n".join(
        f"<{marks.get(line.kind, MARKS[line.kind])}> [{line.said.start:.1f}-{line.said.end:.1f}]"
        f" {line.said.text}"
        for line in scene.lines()
    )


def _subtitles(scene: Scene | None) -> str:
    return "\n".join(line.said.text for line in scene.lines("dialogue")) if scene else ""


def _said(flag: bool | None) -> str:
    return "" if flag is None else str(flag)
